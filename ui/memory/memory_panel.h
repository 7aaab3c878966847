// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>

#include "ui/memory/memory_series.h"
#include "ui/models/document.h"

class QComboBox;
class QCustomPlot;
class QCPAbstractItem;
class QCPItemStraightLine;
class QLabel;
class QMouseEvent;
class QStackedLayout;

namespace hs::ui {

class Selection;
class Theme;

/// Memory of the current run per device: what the allocations measured over time, or what the plan lays out over its
/// steps, each against the other's peak. The tensors that are alive stand under the cursor.
class MemoryPanel : public QWidget {
    Q_OBJECT
public:
    enum class Axis { Time, Steps };

    MemoryPanel(Document* document, Selection* selection, Theme* theme, QWidget* parent = nullptr);
    /// Words for the moment under a plot position; for the tooltip and tests. Empty where nothing is alive.
    QString describe(double x) const;
    void setAxis(Axis axis);
    QCustomPlot* plot() const { return m_plot; }

public slots:
    void fit();

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();
    void rebuild();
    void addSeries(const StepSeries& series, int device, const QString& name, bool planned);
    void addLevel(double bytes, int device, const QString& name);
    void restyle();
    void onHover(QMouseEvent* event);
    Axis axis() const;

    Document* m_document;
    Selection* m_selection;
    Theme* m_theme;
    QComboBox* m_axis;
    QLabel* m_summary;
    QLabel* m_empty;
    QCustomPlot* m_plot;
    QCPItemStraightLine* m_cursor;
    QStackedLayout* m_stack;
    bool m_fitted = false;
};

}  // namespace hs::ui
