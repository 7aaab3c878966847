// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/models/selection.h"
#include "ui/timeline/timeline_painter.h"

namespace hs::ui {

/// The drawn part of the timeline and its mouse and keys. Shows what it is given and says which stretch it would like.
class TimelineCanvas : public QWidget {
    Q_OBJECT
public:
    TimelineCanvas(Selection* selection, Theme* theme, QWidget* parent);

    void setMeta(std::shared_ptr<const TimelineMeta> meta);
    void setWindow(std::shared_ptr<const TimelineWindow> window);
    void setDeviceColors(QHash<QString, int> colors);
    void setEmptyText(const QString& text);
    void setScroll(int y);
    void setFollow(bool on) { m_follow = on; }
    void selectionChanged();
    void rangeChanged();
    void reveal(qint64 fromNs, qint64 toNs);
    void fit();

    const TimelinePicture& picture() const { return m_pic; }
    bool following() const { return m_follow; }
    int contentHeight() const { return m_pic.rulerHeight() + static_cast<int>(rowsHeight(m_pic.rows)); }
    const PlacedSpan* spanAt(QPointF pos) const;
    void setFolded(std::int64_t group, bool folded);

signals:
    void viewportChanged();  ///< Another stretch of time, or another width.
    void rowsChanged();      ///< contentHeight() is another one.
    void scrollBy(int pixels);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    enum class Drag { None, Press, Range, Pan };
    void moved(bool panned);
    void rebuildRows();
    void click(QPointF pos, Qt::KeyboardModifiers modifiers);
    void followEnd(qint64 oldLast);
    double plotX(double x) const { return x - TimelinePicture::kNames; }
    QString tooltipAt(QPointF pos) const;

    Selection* m_selection;
    Theme* m_theme;
    TimelinePicture m_pic;
    std::set<std::int64_t> m_folded;
    std::unordered_map<std::int64_t, int> m_depths;
    QString m_emptyText;
    bool m_follow = true;
    bool m_fitted = true;
    Drag m_drag = Drag::None;
    QPointF m_pressed, m_last;
    double m_rangeStartNs = 0;
};

}  // namespace hs::ui
