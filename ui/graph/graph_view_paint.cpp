// SPDX-License-Identifier: GPL-3.0-or-later
#include <QPainter>
#include <QPainterPath>
#include <cstring>

#include "ui/graph/graph_painter.h"
#include "ui/graph/graph_view.h"

namespace hs::ui {
namespace {

constexpr int kMinimapWidth = 200;
constexpr int kMinimapMargin = 10;
constexpr int kHighlightedEdges = 1500;  ///< Beyond this many a highlight says nothing and costs much.

}  // namespace

QRectF GraphView::screenBox(const Box& box) const {
    const Box b = m_camera.toScreen(box);
    return {QPointF(b.x0, b.y0), QPointF(b.x1, b.y1)};
}

/// Moves the finished pixels; row by row in an order that never overwrites what is still needed.
void GraphView::shiftBase(QPoint by) {
    const int w = m_base.width(), h = m_base.height();
    const int rows = h - std::abs(by.y()), columns = w - std::abs(by.x());
    const auto bytes = static_cast<std::size_t>(columns) * 4;
    const int fromX = std::max(0, -by.x()), toX = std::max(0, by.x());
    uchar* data = m_base.bits();
    const auto line = m_base.bytesPerLine();
    for (int i = 0; i < rows; ++i) {
        const int y = by.y() > 0 ? h - 1 - i : i;  // target row
        std::memmove(data + y * line + toX * 4, data + (y - by.y()) * line + fromX * 4, bytes);
    }
}

/// Brings the cached picture up to date. After a pan only the newly visible strips are painted.
void GraphView::updateBase() {
    const double ratio = devicePixelRatioF();
    const QSize size = (QSizeF(this->size()) * ratio).toSize();
    m_camera.setPixelRatio(ratio);
    const QPoint offset(qRound(m_camera.offset().x * ratio), qRound(m_camera.offset().y * ratio));
    GraphPainter painter(*m_scene, m_looks, m_data, *m_theme, font());
    const QPoint by = offset - m_baseOffset;
    const bool usable = m_base.size() == size && m_baseScale == m_camera.scale() && std::abs(by.x()) < size.width() && std::abs(by.y()) < size.height();
    if (!usable) {
        if (m_base.size() != size) m_base = QImage(size, QImage::Format_RGB32);
        painter.paint(m_base, m_camera, ratio, m_base.rect());
    } else if (!by.isNull()) {
        shiftBase(by);
        if (by.x() != 0) painter.paint(m_base, m_camera, ratio, QRect(by.x() > 0 ? 0 : size.width() + by.x(), 0, std::abs(by.x()), size.height()));
        if (by.y() != 0) painter.paint(m_base, m_camera, ratio, QRect(0, by.y() > 0 ? 0 : size.height() + by.y(), size.width(), std::abs(by.y())));
    }
    m_baseScale = m_camera.scale();
    m_baseOffset = offset;
}

void GraphView::paintEvent(QPaintEvent* /*event*/) {
    QPainter p(this);
    if (!m_scene) {
        paintEmpty(p);
        return;
    }
    updateBase();
    p.drawImage(QRectF(rect()), m_base, QRectF(m_base.rect()));
    paintHighlights(p);
    paintMinimap(p);
    if (m_drag == Drag::RubberBand) {
        QColor tint = m_theme->color(Token::Accent);
        p.setPen(tint);
        tint.setAlpha(40);
        p.setBrush(tint);
        p.drawRect(QRectF(m_pressed, m_last).normalized());
    }
    if (hasFocus()) {
        p.setBrush(Qt::NoBrush);
        p.setPen(m_theme->color(Token::Accent));
        p.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void GraphView::paintEmpty(QPainter& p) const {
    p.fillRect(rect(), m_theme->color(Token::Background));
    p.setPen(m_theme->color(Token::MutedText));
    p.drawText(rect(), static_cast<int>(Qt::AlignCenter | Qt::TextWordWrap),
               m_job->running()          ? tr("Laying out the graph …")
               : m_data.model != nullptr ? tr("The layout was cancelled. Press F to start it again")
                                         : tr("Open a model to see its graph"));
}

void GraphView::paintOutline(QPainter& p, std::uint32_t item, const QColor& color, double width, bool filled) const {
    const QRectF box = screenBox(m_scene->items[item].box);
    QColor tint = color;
    tint.setAlpha(56);
    if (box.height() < 5) {  // too small for an outline: a mark that can be seen
        p.fillRect(box.adjusted(-1.5, -1.5, 1.5, 1.5), color);
        return;
    }
    p.setPen(QPen(color, width));
    p.setBrush(filled && !m_scene->items[item].expanded ? QBrush(tint) : QBrush(Qt::NoBrush));
    const double radius = m_scene->items[item].kind == ItemKind::Operator ? 4 * m_camera.scale() + 1 : box.height() / 2;
    p.drawRoundedRect(box.adjusted(-1, -1, 1, 1), radius, radius);
}

void GraphView::paintHighlights(QPainter& p) {
    p.setRenderHint(QPainter::Antialiasing, GraphPainter::detailAt(m_camera.scale()) != Detail::Blocks);
    paintMatches(p);
    paintSelectedEdges(p);
    const Box window = m_camera.toScene(Box{0, 0, static_cast<double>(width()), static_cast<double>(height())});
    const QColor accent = m_theme->color(Token::Accent);
    const auto& nodes = m_selection->nodes();
    if (nodes.size() < 500) {
        for (const quint32 node : nodes) {
            if (node >= m_scene->itemOfNode.size()) continue;
            const std::uint32_t item = m_scene->visibleItem(*m_data.model, NodeId(node));
            if (item != kNoItem && m_scene->items[item].box.intersects(window))
                paintOutline(p, item, accent, NodeId(node) == m_selection->current() ? 2.5 : 1.8, true);
        }
    } else {
        m_scene->itemIndex.query(window, [&](std::uint32_t item) {
            if (m_scene->items[item].kind == ItemKind::Operator && nodes.contains(m_scene->items[item].node.index())) paintOutline(p, item, accent, 1.8, true);
        });
    }
    const NodeId hovered = m_selection->hovered();
    if (!hovered || hovered.index() >= m_scene->itemOfNode.size()) return;
    const std::uint32_t item = m_scene->visibleItem(*m_data.model, hovered);
    if (item != kNoItem && !m_selection->contains(hovered)) paintOutline(p, item, m_theme->color(Token::EdgeSelected), 1.2);
}

void GraphView::paintSelectedEdges(QPainter& p) {
    std::vector<std::uint32_t> edges;
    const auto add = [&](NodeId node) {
        if (!node || node.index() >= m_scene->itemOfNode.size()) return;
        const std::uint32_t item = m_scene->visibleItem(*m_data.model, node);
        if (item == kNoItem) return;
        for (const std::uint32_t e : m_scene->edgesOf(item))
            if (edges.size() < kHighlightedEdges) edges.push_back(e);
    };
    if (m_selection->nodes().size() <= kHighlightedEdges)
        for (const quint32 node : m_selection->nodes())
            add(NodeId(node));
    add(m_selection->hovered());
    if (edges.empty()) return;
    p.save();
    p.translate(m_camera.offset().x, m_camera.offset().y);
    p.scale(m_camera.scale(), m_camera.scale());
    QPen pen(m_theme->color(Token::EdgeSelected), 1.6);
    pen.setCosmetic(true);
    p.setPen(pen);
    p.setBrush(Qt::NoBrush);
    for (const std::uint32_t e : edges)
        p.drawPath(GraphPainter::edgePath(*m_scene, m_scene->edges[e]));
    p.restore();
}

void GraphView::paintMatches(QPainter& p) {
    if (m_matches.empty()) return;
    const Box window = m_camera.toScene(Box{0, 0, static_cast<double>(width()), static_cast<double>(height())});
    const QColor color = m_theme->color(Token::Warning);
    for (const std::uint32_t node : m_matches) {
        const std::uint32_t item = m_scene->itemOfNode[node];
        if (item != kNoItem && m_scene->items[item].box.intersects(window)) paintOutline(p, item, color, 1.5, true);
    }
}

std::optional<QRect> GraphView::minimapRect() const {
    if (!m_scene || m_scene->items.size() < 24) return std::nullopt;
    const Box& b = m_scene->bounds;
    const double s = m_camera.scale();
    if (b.width() * s <= width() && b.height() * s <= height()) return std::nullopt;
    const double highest = height() * 0.6;
    const double shrink = std::min(kMinimapWidth / b.width(), highest / b.height());
    const QSize size(std::clamp(static_cast<int>(b.width() * shrink), 48, kMinimapWidth), std::max(48, static_cast<int>(b.height() * shrink)));
    if (width() < 2 * size.width() || height() < size.height() + 2 * kMinimapMargin) return std::nullopt;
    return QRect(QPoint(width() - size.width() - kMinimapMargin, height() - size.height() - kMinimapMargin), size);
}

void GraphView::paintMinimap(QPainter& p) {
    const auto area = minimapRect();
    if (!area) return;
    Camera small;
    small.fit(m_scene->bounds, area->width(), area->height(), 3);
    if (m_minimap.size() != area->size()) {
        m_minimap = QImage(area->size(), QImage::Format_RGB32);
        GraphPainter(*m_scene, m_looks, m_data, *m_theme, font()).paint(m_minimap, small, 1, m_minimap.rect());
    }
    p.setRenderHint(QPainter::Antialiasing, false);
    p.drawImage(area->topLeft(), m_minimap);
    p.setBrush(Qt::NoBrush);
    p.setPen(m_theme->color(Token::Line));
    p.drawRect(area->adjusted(-1, -1, 0, 0));
    const Box seen = small.toScreen(m_camera.toScene(Box{0, 0, static_cast<double>(width()), static_cast<double>(height())}));
    QRectF frame(QPointF(seen.x0, seen.y0), QPointF(seen.x1, seen.y1));
    frame.translate(area->topLeft());
    frame = frame.intersected(QRectF(*area).adjusted(0, 0, -1, -1));
    QColor tint = m_theme->color(Token::Accent);
    p.setPen(QPen(tint, 1));
    tint.setAlpha(28);
    p.setBrush(tint);
    p.drawRect(frame);
}

void GraphView::minimapTo(QPointF pos) {
    const auto area = minimapRect();
    if (!area) return;
    Camera small;
    small.fit(m_scene->bounds, area->width(), area->height(), 3);
    const QPointF inside = pos - area->topLeft();
    m_fitted = false;
    m_camera.centerOn(small.toScene(Vec2{inside.x(), inside.y()}), width(), height());
    update();
}

}  // namespace hs::ui
