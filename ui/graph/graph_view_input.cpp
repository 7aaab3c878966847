// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>

#include "ui/graph/graph_painter.h"
#include "ui/graph/graph_view.h"
#include "ui/graph/search_bar.h"

namespace hs::ui {
namespace {

constexpr double kKeyPan = 60;
constexpr double kKeyZoom = 1.25;

Vec2 vec(QPointF p) {
    return {p.x(), p.y()};
}

}  // namespace

std::uint32_t GraphView::itemAt(QPointF pos) const {
    return m_scene ? m_scene->itemAt(m_camera.toScene(vec(pos))) : kNoItem;
}

void GraphView::mousePressEvent(QMouseEvent* event) {
    m_pressed = m_last = event->position();
    m_moved = false;
    m_drag = Drag::None;
    if (!m_scene) return;
    const auto map = minimapRect();
    if (event->button() == Qt::LeftButton && map && map->contains(event->position().toPoint())) {
        m_drag = Drag::Minimap;
        minimapTo(event->position());
    } else if (event->button() == Qt::LeftButton && (event->modifiers() & Qt::ShiftModifier) != 0) {
        m_drag = Drag::RubberBand;
    } else if (event->button() == Qt::LeftButton || event->button() == Qt::MiddleButton) {
        m_drag = Drag::Pan;
    }
}

void GraphView::mouseMoveEvent(QMouseEvent* event) {
    const QPointF by = event->position() - m_last;
    if (m_drag == Drag::None) {
        const std::uint32_t item = itemAt(event->position());
        const bool node = item != kNoItem && m_scene->items[item].kind == ItemKind::Operator && !m_scene->items[item].expanded;
        m_selection->setHovered(node ? m_scene->items[item].node : NodeId{});
        m_last = event->position();
        return;
    }
    if (!m_moved && (event->position() - m_pressed).manhattanLength() < QApplication::startDragDistance()) return;
    m_moved = true;
    if (m_drag == Drag::Minimap) {
        minimapTo(event->position());
    } else if (m_drag == Drag::Pan) {
        setCursor(Qt::ClosedHandCursor);
        m_fitted = false;
        m_camera.panBy(std::round(by.x()), std::round(by.y()));
    }
    m_last = event->position();
    update();
}

void GraphView::mouseReleaseEvent(QMouseEvent* event) {
    const Drag drag = std::exchange(m_drag, Drag::None);
    unsetCursor();
    const bool control = (event->modifiers() & Qt::ControlModifier) != 0;
    if (drag == Drag::RubberBand && m_moved) {
        selectInBand(control);
    } else if ((drag == Drag::Pan || drag == Drag::RubberBand) && !m_moved && event->button() == Qt::LeftButton) {
        const std::uint32_t item = itemAt(event->position());
        const NodeId node = item != kNoItem && m_scene->items[item].kind == ItemKind::Operator ? m_scene->items[item].node : NodeId{};
        if (!node && !control)
            m_selection->clear();
        else if (node && (control || drag == Drag::RubberBand))
            m_selection->toggle(node);
        else if (node)
            m_selection->select(node);
        // The arrow before the type opens and closes with one click.
        if (node && m_scene->items[item].expandable && !control) {
            const Box& box = m_scene->items[item].box;
            const Vec2 at = m_camera.toScene(vec(event->position()));
            if (at.x < box.x0 + 28 && at.y < box.y0 + GraphScene::kNodeHeight / 2) toggleExpanded(node);
        }
    }
    update();
}

void GraphView::selectInBand(bool add) {
    QSet<quint32> nodes = add ? m_selection->nodes() : QSet<quint32>{};
    m_scene->itemIndex.query(Box::around(m_camera.toScene(vec(m_pressed)), m_camera.toScene(vec(m_last))), [&](std::uint32_t i) {
        const SceneItem& item = m_scene->items[i];
        if (item.kind == ItemKind::Operator && !item.expanded) nodes.insert(item.node.index());
    });
    m_selection->setNodes(nodes);
}

void GraphView::mouseDoubleClickEvent(QMouseEvent* event) {
    const std::uint32_t item = itemAt(event->position());
    if (event->button() != Qt::LeftButton || item == kNoItem) return;
    if (m_scene->items[item].expandable)
        toggleExpanded(m_scene->items[item].node);
    else
        centerItem(item);
}

void GraphView::leaveEvent(QEvent* /*event*/) {
    m_selection->setHovered({});
}

void GraphView::wheelEvent(QWheelEvent* event) {
    if (!m_scene) return;
    m_fitted = false;
    event->accept();
    const bool control = (event->modifiers() & Qt::ControlModifier) != 0;
    if (!event->pixelDelta().isNull() && !control) {  // two fingers on a trackpad
        m_camera.panBy(event->pixelDelta().x(), event->pixelDelta().y());
    } else if ((event->modifiers() & Qt::ShiftModifier) != 0) {
        m_camera.panBy(event->angleDelta().y() + event->angleDelta().x(), 0);
    } else {
        m_camera.zoomBy(std::pow(1.0015, event->angleDelta().y()), vec(event->position()));
    }
    update();
}

void GraphView::keyPressEvent(QKeyEvent* event) {
    const bool control = (event->modifiers() & Qt::ControlModifier) != 0;
    const auto pan = [&](double dx, double dy) {
        m_fitted = false;
        m_camera.panBy(dx, dy);
        update();
    };
    if (control && event->key() == Qt::Key_A && m_data.model) {
        QSet<quint32> all;
        for (const Node& node : m_data.model->nodes())
            all.insert(node.id.index());
        m_selection->setNodes(all);
        return;
    }
    if ((event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) != 0) return QWidget::keyPressEvent(event);
    switch (event->key()) {
        case Qt::Key_Left: return pan(kKeyPan, 0);
        case Qt::Key_Right: return pan(-kKeyPan, 0);
        case Qt::Key_Up: return pan(0, kKeyPan);
        case Qt::Key_Down: return pan(0, -kKeyPan);
        case Qt::Key_PageUp: return pan(0, height() * 0.8);
        case Qt::Key_PageDown: return pan(0, -height() * 0.8);
        case Qt::Key_Plus:
        case Qt::Key_Equal: return zoomBy(kKeyZoom);
        case Qt::Key_Minus: return zoomBy(1 / kKeyZoom);
        case Qt::Key_F: return fit();
        case Qt::Key_Slash: return focusSearch();
        case Qt::Key_N: return nextMatch((event->modifiers() & Qt::ShiftModifier) != 0 ? -1 : 1);
        case Qt::Key_C: return setConstantsShown(!constantsShown());
        case Qt::Key_H: return setHeat(!heat());
        case Qt::Key_Space: return toggleExpanded(m_selection->current());
        case Qt::Key_Escape:
            if (m_job->running())
                cancelLayout();
            else if (!m_matches.empty())
                emit m_search->closed();
            else if (m_selection->nodes().isEmpty())
                break;  // the window's own Esc: stop the run
            else
                m_selection->clear();
            return;
        default: break;
    }
    QWidget::keyPressEvent(event);
}

void GraphView::contextMenuEvent(QContextMenuEvent* event) {
    if (!m_scene) return;
    QMenu menu(this);
    const QPointF pos = event->reason() == QContextMenuEvent::Mouse ? QPointF(event->pos()) : QPointF(rect().center());
    NodeId node = m_selection->current();
    if (event->reason() == QContextMenuEvent::Mouse) {
        const std::uint32_t item = itemAt(pos);
        node = item != kNoItem && m_scene->items[item].kind == ItemKind::Operator ? m_scene->items[item].node : NodeId{};
        if (node && !m_selection->contains(node)) m_selection->select(node);
    }
    if (node) {
        const QString type = QString::fromStdString(m_data.model->node(node).opType);
        menu.addAction(tr("Select all %1 nodes").arg(type), this, [this, node] { selectSameType(node); });
        menu.addAction(tr("Show in all views"), this, [this, node] { m_selection->reveal(node); });
        if (!m_data.model->node(node).subgraphs().empty())
            menu.addAction(m_options.expanded.contains(node) ? tr("Close body") : tr("Open body"), this, [this, node] { toggleExpanded(node); });
        menu.addAction(tr("Copy name"), this, [this, node] { QApplication::clipboard()->setText(QString::fromStdString(m_data.model->node(node).name)); });
        menu.addSeparator();
    }
    menu.addAction(tr("Fit graph\tF"), this, &GraphView::fit);
    menu.addAction(tr("Find …\t/"), this, &GraphView::focusSearch);
    QAction* constants = menu.addAction(tr("Show constants\tC"), this, &GraphView::setConstantsShown);
    constants->setCheckable(true);
    constants->setChecked(constantsShown());
    constants->setEnabled(hiddenConstants(*m_data.model) > 0);
    QAction* heatAction = menu.addAction(tr("Colour by time\tH"), this, &GraphView::setHeat);
    heatAction->setCheckable(true);
    heatAction->setChecked(heat());
    menu.exec(event->globalPos());
}

void GraphView::resizeEvent(QResizeEvent* event) {
    if (m_fitted && m_scene) showFirst();
    m_search->move(width() - m_search->width() - 8, 8);
    QWidget::resizeEvent(event);
}

void GraphView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange) dropPicture();
    if (event->type() == QEvent::LanguageChange) {
        setAccessibleName(tr("Model graph"));
        updateAccessibility();
        update();
    }
    QWidget::changeEvent(event);
}

bool GraphView::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);  // NOLINT: the type was just checked
        const std::uint32_t item = itemAt(help->pos());
        if (item == kNoItem || m_scene->items[item].expanded)
            QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(), tooltipFor(m_scene->items[item]), this, screenBox(m_scene->items[item].box).toAlignedRect());
        return true;
    }
    if (event->type() == QEvent::ShortcutOverride) {
        // Keys that the window may use elsewhere belong to the graph while it has the focus.
        const auto* key = static_cast<QKeyEvent*>(event);  // NOLINT: the type was just checked
        if (key->modifiers() == Qt::NoModifier && (key->key() == Qt::Key_F || key->key() == Qt::Key_Slash)) {
            event->accept();
            return true;
        }
    }
    return QWidget::event(event);
}

}  // namespace hs::ui
