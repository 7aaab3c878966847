// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QVector>
#include <QWidget>
#include <memory>

#include "core/graph/model.h"
#include "ui/models/document.h"
#include "ui/models/selection.h"
#include "ui/models/theme.h"
#include "ui/timeline/timeline_data.h"

class QLabel;
class QScrollBar;

namespace hs::ui {

class RangePanel;
class TimelineCanvas;
class TimelineLoader;

/// A run over time: tracks by device, down to the nanosecond, also while it goes on. Shows and changes the shared Selection.
/// Keys: W/S zoom, A/D pan, F fit, M magnify the range, arrows, Esc clears. Drag measures, Shift+drag or middle button pans.
class TimelineView : public QWidget {
    Q_OBJECT
public:
    TimelineView(Selection* selection, Theme* theme, QWidget* parent = nullptr);
    ~TimelineView() override;

    void setModel(ModelPtr model);
    /// An empty path or a negative run empties the view. The file may appear later: see refresh().
    void setSession(const QString& path, qint64 runId);
    void setPlacement(const QVector<NodePlacement>& placement);
    bool loaded() const;  ///< Metadata and a window of events are there.
    TimelineCanvas* canvas() const { return m_canvas; }
    QSize sizeHint() const override { return {900, 360}; }

public slots:
    void refresh();  ///< Reads what was committed since; a running run also does so by itself.
    void fit();

signals:
    void failed(const QString& what);
    void rangeMeasured();

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();
    void takeMeta(const std::shared_ptr<const TimelineMeta>& meta);
    void askWindow(bool always);
    void showSelected();
    void updateScroll();
    void measureRange();
    void updateNote();

    Selection* m_selection;
    Theme* m_theme;
    ModelPtr m_model;
    TimelineLoader* m_loader;
    TimelineCanvas* m_canvas;
    QScrollBar* m_scroll;
    RangePanel* m_range;
    QLabel* m_note;  ///< What is shown is not everything, and why.
    QTimer m_poll, m_ask;
    std::shared_ptr<const TimelineMeta> m_meta;
    bool m_always = false;
    bool m_open = false;  ///< A session was given.
};

}  // namespace hs::ui
