// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>
#include <cmath>

#include "ui/timeline/timeline_canvas.h"

namespace hs::ui {
namespace {

constexpr double kKeyZoom = 1.5;
constexpr double kKeyPan = 0.15;  ///< Of the width.

}  // namespace

void TimelineCanvas::mousePressEvent(QMouseEvent* event) {
    m_pressed = m_last = event->position();
    m_drag = Drag::None;
    if (!m_pic.meta) return;
    const bool pan = event->button() == Qt::MiddleButton || (event->button() == Qt::LeftButton && (event->modifiers() & Qt::ShiftModifier) != 0);
    if (pan)
        m_drag = Drag::Pan;
    else if (event->button() == Qt::LeftButton)
        m_drag = Drag::Press;
    m_rangeStartNs = m_pic.viewport.toNsAt(plotX(event->position().x()));
}

void TimelineCanvas::mouseMoveEvent(QMouseEvent* event) {
    const QPointF pos = event->position();
    m_pic.cursorX.reset();
    if (plotX(pos.x()) >= 0) m_pic.cursorX = plotX(pos.x());
    if (m_drag == Drag::None) {
        const PlacedSpan* span = spanAt(pos);
        m_pic.hoveredSpan = span != nullptr ? span->span.id : -1;
        NodeId node;
        if (span != nullptr)
            if (const auto step = m_pic.meta->steps.find(span->span.stepId); step != m_pic.meta->steps.end() && !step->second.nodes.empty())
                node = NodeId(step->second.nodes.front());
        m_selection->setHovered(node);
    }
    if (m_drag == Drag::Press && std::abs(pos.x() - m_pressed.x()) >= QApplication::startDragDistance() && plotX(m_pressed.x()) >= 0) m_drag = Drag::Range;
    if (m_drag == Drag::Range) {
        const double now = m_pic.viewport.toNsAt(std::clamp(plotX(pos.x()), 0.0, m_pic.viewport.width()));
        m_pic.range = std::pair(static_cast<qint64>(std::min(now, m_rangeStartNs)), static_cast<qint64>(std::max(now, m_rangeStartNs)));
    } else if (m_drag == Drag::Pan) {
        m_pic.viewport.panBy(m_last.x() - pos.x());
        emit scrollBy(static_cast<int>(m_last.y() - pos.y()));
        moved(true);
    }
    m_last = pos;
    update();
}

void TimelineCanvas::mouseReleaseEvent(QMouseEvent* event) {
    const Drag drag = std::exchange(m_drag, Drag::None);
    if (drag == Drag::Range && m_pic.range)
        m_selection->setTimeRange(*m_pic.range);
    else if (drag == Drag::Press)
        click(event->position(), event->modifiers());
    update();
}

void TimelineCanvas::click(QPointF pos, Qt::KeyboardModifiers modifiers) {
    const TimelineRow* row = pos.y() < m_pic.rulerHeight() ? nullptr : rowAt(m_pic.rows, pos.y() - m_pic.rulerHeight() + m_pic.scroll);
    if (row != nullptr && row->kind == RowKind::Group && plotX(pos.x()) < 0) return setFolded(row->id, !row->folded);
    if (plotX(pos.x()) < 0) return;
    const PlacedSpan* span = spanAt(pos);
    const auto step = span != nullptr ? m_pic.meta->steps.find(span->span.stepId) : m_pic.meta->steps.end();
    const bool add = (modifiers & Qt::ControlModifier) != 0;
    if (step == m_pic.meta->steps.end() || step->second.nodes.empty()) {
        if (!add) m_selection->clear();
        m_selection->setTimeRange(std::nullopt);
        return;
    }
    QSet<quint32> nodes = add ? m_selection->nodes() : QSet<quint32>{};
    for (const std::uint32_t node : step->second.nodes)
        nodes.insert(node);
    m_selection->setNodes(nodes, NodeId(step->second.nodes.front()));
}

void TimelineCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
    const PlacedSpan* span = spanAt(event->position());
    if (span == nullptr || event->button() != Qt::LeftButton) return;
    const auto from = static_cast<double>(span->span.startNs), length = std::max<double>(1, static_cast<double>(span->span.durNs));
    m_pic.viewport.show(from - length * 0.1, from + length * 1.1);
    moved(true);
}

void TimelineCanvas::leaveEvent(QEvent* /*event*/) {
    m_pic.cursorX.reset();
    m_pic.hoveredSpan = -1;
    m_selection->setHovered({});
    update();
}

void TimelineCanvas::wheelEvent(QWheelEvent* event) {
    if (!m_pic.meta) return;
    event->accept();
    const double x = plotX(event->position().x());
    const bool control = (event->modifiers() & Qt::ControlModifier) != 0;
    if (!event->pixelDelta().isNull() && !control) {  // two fingers on a trackpad move in both directions
        m_pic.viewport.panBy(-event->pixelDelta().x());
        emit scrollBy(-event->pixelDelta().y());
        moved(event->pixelDelta().x() != 0);
    } else if (x < 0) {
        emit scrollBy(-event->angleDelta().y() / 2);
    } else if ((event->modifiers() & Qt::ShiftModifier) != 0 || event->angleDelta().x() != 0) {
        m_pic.viewport.panBy(-(event->angleDelta().x() + event->angleDelta().y()));
        moved(true);
    } else {
        m_pic.viewport.zoomBy(std::pow(1.002, event->angleDelta().y()), x);
        moved(false);
    }
}

void TimelineCanvas::keyPressEvent(QKeyEvent* event) {
    if (!m_pic.meta || (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) != 0) return QWidget::keyPressEvent(event);
    const double anchor = m_pic.cursorX.value_or(m_pic.viewport.width() / 2);
    const auto zoom = [&](double factor) {
        m_pic.viewport.zoomBy(factor, anchor);
        moved(false);
    };
    const auto pan = [&](double share) {
        m_pic.viewport.panBy(share * m_pic.viewport.width());
        moved(true);
    };
    switch (event->key()) {
        case Qt::Key_W:
        case Qt::Key_Plus:
        case Qt::Key_Equal: return zoom(kKeyZoom);
        case Qt::Key_S:
        case Qt::Key_Minus: return zoom(1 / kKeyZoom);
        case Qt::Key_A:
        case Qt::Key_Left: return pan(-kKeyPan);
        case Qt::Key_D:
        case Qt::Key_Right: return pan(kKeyPan);
        case Qt::Key_Up: return emit scrollBy(-40);
        case Qt::Key_Down: return emit scrollBy(40);
        case Qt::Key_F: return fit();
        case Qt::Key_M:  // what was measured, as large as it goes
            if (m_pic.range) {
                m_pic.viewport.show(static_cast<double>(m_pic.range->first), static_cast<double>(m_pic.range->second));
                moved(true);
            }
            return;
        case Qt::Key_Escape:
            if (!m_selection->timeRange() && m_selection->nodes().isEmpty()) break;
            if (m_selection->timeRange())
                m_selection->setTimeRange(std::nullopt);
            else
                m_selection->clear();
            return;
        default: break;
    }
    QWidget::keyPressEvent(event);
}

QString TimelineCanvas::tooltipAt(QPointF pos) const {
    const PlacedSpan* placed = spanAt(pos);
    if (placed == nullptr) return {};
    const SpanRecord& s = placed->span;
    QStringList lines;
    lines << QStringLiteral("<b>%1</b>").arg(TimelinePainter::spanLabel(s, *m_pic.meta).toHtmlEscaped());
    if (const auto step = m_pic.meta->steps.find(s.stepId); step != m_pic.meta->steps.end()) {
        lines << QString::fromStdString(step->second.opType).toHtmlEscaped();
        if (step->second.nodes.size() > 1) lines << tr("fused group of %n node(s), measured as one", nullptr, static_cast<int>(step->second.nodes.size()));
    }
    lines << tr("start %1").arg(exactDuration(static_cast<double>(s.startNs))) << tr("duration %1").arg(exactDuration(static_cast<double>(s.durNs)));
    if (placed->selfNs != s.durNs) lines << tr("of its own %1").arg(exactDuration(static_cast<double>(placed->selfNs)));
    if (s.bytes > 0) lines << exactBytes(static_cast<double>(s.bytes));
    lines << (s.iteration >= 0 ? tr("%1, iteration %2").arg(QString::fromStdString(s.category)).arg(s.iteration)
                               : tr("%1, outside the measured iterations").arg(QString::fromStdString(s.category)));
    return QStringLiteral("<p style='white-space:pre'>%1</p>").arg(lines.join(QStringLiteral("<br>")));
}

bool TimelineCanvas::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);  // NOLINT: the type was just checked
        const QString text = tooltipAt(help->pos());
        if (text.isEmpty())
            QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(), text, this);
        return true;
    }
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);  // NOLINT: the type was just checked
        static constexpr std::array kOwn = {Qt::Key_W, Qt::Key_A, Qt::Key_S, Qt::Key_D, Qt::Key_F, Qt::Key_M};
        if (key->modifiers() == Qt::NoModifier && std::find(kOwn.begin(), kOwn.end(), key->key()) != kOwn.end()) {
            event->accept();
            return true;
        }
    }
    return QWidget::event(event);
}

}  // namespace hs::ui
