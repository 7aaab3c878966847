// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/models/document.h"

namespace hs::ui {

class Theme;

/// One counter of a run as a row: name, last value and its course over time.
class CounterStrip : public QWidget {
    Q_OBJECT
public:
    explicit CounterStrip(const Theme* theme, QWidget* parent = nullptr);
    void setSeries(const RunStats::CounterSeries& series, int deviceIndex, qint64 firstNs, qint64 lastNs);
    /// "1.50 GHz", "63 %", "318 MiB": the value with the track's unit.
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Theme* m_theme;
    RunStats::CounterSeries m_series;
    int m_deviceIndex = -1;
    qint64 m_firstNs = 0, m_lastNs = 1;
};

}  // namespace hs::ui
