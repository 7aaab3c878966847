// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QToolButton>
#include <QWidget>
#include <array>

#include "ui/timeline/timeline_data.h"

namespace hs::ui {

/// Numbers about the measured stretch, below the timeline.
class RangePanel : public QWidget {
    Q_OBJECT
public:
    explicit RangePanel(QWidget* parent);
    void showPending(qint64 fromNs, qint64 toNs);  ///< The numbers are on their way.
    void showStats(const RangeStats& stats);

signals:
    void closed();

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();
    enum Field { Range, Count, Total, Mean, P50, P95, Busy, FieldCount };
    std::array<QLabel*, FieldCount> m_values{}, m_names{};
    QLabel* m_top;
    std::optional<RangeStats> m_stats;  ///< What is shown; nothing while it is being counted.
    QToolButton* m_close;
};

}  // namespace hs::ui
