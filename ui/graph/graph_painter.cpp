// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/graph/graph_painter.h"

#include <QFontInfo>
#include <QPainterPath>

#include "ui/graph/raster.h"

namespace hs::ui {
namespace {

constexpr std::size_t kManySegments = 1200;  ///< More than this many smooth curves cost too much for a frame.

std::uint32_t* pixels(QImage& image) {
    return reinterpret_cast<std::uint32_t*>(image.bits());  // NOLINT: Format_RGB32 is an array of 32-bit words
}

void addPiece(QPainterPath& path, Vec2 a, Vec2 b) {
    if (a.x == b.x) {
        path.lineTo(b.x, b.y);
        return;
    }
    const double middle = (a.y + b.y) / 2;
    path.cubicTo(a.x, middle, b.x, middle, b.x, b.y);
}

}  // namespace

QFont GraphPainter::titleFont(const QFont& base) {
    QFont font = base;
    font.setPixelSize(std::clamp(QFontInfo(base).pixelSize(), 11, 15));
    font.setWeight(QFont::DemiBold);
    return font;
}

QFont GraphPainter::nameFont(const QFont& base) {
    QFont font = base;
    font.setPixelSize(std::clamp(QFontInfo(base).pixelSize(), 11, 15) - 2);
    return font;
}

GraphPainter::GraphPainter(const GraphScene& scene, const GraphLooks& looks, const GraphData& data, const Theme& theme, const QFont& font)
    : m_scene(scene), m_looks(looks), m_data(data), m_theme(theme), m_title(titleFont(font)), m_name(nameFont(font)), m_small(nameFont(font)) {
    m_small.setWeight(QFont::Bold);
}

QPainterPath GraphPainter::edgePath(const GraphScene& scene, const SceneEdge& edge) {
    QPainterPath path({edge.path.from.x, edge.path.from.y});
    Vec2 at = edge.path.from;
    for (std::uint32_t i = 0; i < edge.path.bendCount; ++i) {
        const Bend& bend = scene.bends[edge.path.firstBend + i];
        addPiece(path, at, {bend.x, bend.top});
        at = {bend.x, bend.bottom};
        path.lineTo(at.x, at.y);
    }
    addPiece(path, at, edge.path.to);
    return path;
}

Vec2 GraphPainter::edgeMark(const GraphScene& scene, const SceneEdge& edge) {
    Vec2 start = edge.path.from;
    if (edge.path.bendCount > 0) {
        const Bend& bend = scene.bends[edge.path.firstBend + edge.path.bendCount - 1];
        start = {bend.x, bend.bottom};
    }
    return {(start.x + edge.path.to.x) / 2, (start.y + edge.path.to.y) / 2};
}

void GraphPainter::collect(const View& view, Detail detail) {
    const double margin = detail == Detail::Blocks ? 2 / view.scale : 6;
    m_items.clear();
    m_segments.clear();
    m_scene.itemIndex.query(view.window.grown(margin), [&](std::uint32_t i) { m_items.push_back(i); });
    m_scene.segmentIndex.query(view.window.grown(margin), [&](std::uint32_t i) { m_segments.push_back(i); });
    std::sort(m_items.begin(), m_items.end());  // frames first
    std::sort(m_segments.begin(), m_segments.end());
}

void GraphPainter::paint(QImage& image, const Camera& camera, double pixelRatio, const QRect& exposed) {
    const QRect area = exposed.intersected(image.rect());
    if (area.isEmpty()) return;
    View view{camera.scale() * pixelRatio, camera.offset().x * pixelRatio, camera.offset().y * pixelRatio, {}};
    view.window = {(area.left() - view.dx) / view.scale, (area.top() - view.dy) / view.scale, (area.right() + 1 - view.dx) / view.scale,
                   (area.bottom() + 1 - view.dy) / view.scale};
    const Detail detail = detailAt(camera.scale());
    collect(view, detail);
    Raster raster(pixels(image), static_cast<int>(image.bytesPerLine() / 4), area.left(), area.top(), area.right() + 1, area.bottom() + 1);
    raster.fill(m_theme.color(Token::Background).rgb());

    QPainter p(&image);
    p.setClipRect(area);
    p.translate(view.dx, view.dy);
    p.scale(view.scale, view.scale);
    paintFrames(p);
    p.end();  // the raster writes the same pixels
    const bool smoothEdges = detail == Detail::Cards && m_segments.size() <= kManySegments;
    if (!smoothEdges) rasterEdges(raster, view, detail);
    if (detail == Detail::Blocks) rasterBlocks(raster, view);

    p.begin(&image);
    p.setClipRect(area);
    if (detail == Detail::Labels) paintLabels(p, view);
    p.translate(view.dx, view.dy);
    p.scale(view.scale, view.scale);
    p.setRenderHint(QPainter::Antialiasing);
    p.setRenderHint(QPainter::TextAntialiasing);
    if (smoothEdges) paintEdges(p);
    if (detail == Detail::Cards)
        for (const std::uint32_t i : m_items) {
            const SceneItem& item = m_scene.items[i];
            if (item.kind == ItemKind::Operator)
                paintCard(p, item, m_looks.items[i]);
            else if (item.kind != ItemKind::Body)
                paintTerminal(p, item, m_looks.items[i]);
        }
    if (detail != Detail::Blocks) paintCrossings(p, detail);
}

/// Expanded owners and their bodies lie under everything else.
void GraphPainter::paintFrames(QPainter& p) {
    p.setRenderHint(QPainter::Antialiasing);
    for (const std::uint32_t i : m_items) {
        const SceneItem& item = m_scene.items[i];
        if (!item.expanded && item.kind != ItemKind::Body) continue;
        const QRectF box(QPointF(item.box.x0, item.box.y0), QPointF(item.box.x1, item.box.y1));
        QPen pen(m_theme.color(item.kind == ItemKind::Body ? Token::Line : Token::NodeBorder), 1);
        pen.setCosmetic(true);
        p.setPen(pen);
        p.setBrush(m_theme.color(item.kind == ItemKind::Body ? Token::Background : Token::Track));
        p.drawRoundedRect(box, 4, 4);
        if (item.kind != ItemKind::Body || p.worldTransform().m11() < kLabelScale) continue;
        p.setFont(m_name);
        p.setPen(m_theme.color(Token::MutedText));
        p.drawText(box.adjusted(10, 0, -10, GraphScene::kHeader - box.height()), static_cast<int>(Qt::AlignVCenter | Qt::AlignLeft),
                   QString::fromStdString(m_data.model->graph(item.graph).name));
    }
}

QColor GraphPainter::edgeColor(const Segment& segment) const {
    const auto e = static_cast<qsizetype>(segment.edge);
    return segment.last && m_looks.crossing[e] != 0 ? QColor(m_looks.crossingColor[e]) : m_theme.color(Token::Edge);
}

void GraphPainter::rasterEdges(Raster& raster, const View& view, Detail detail) const {
    const QRgb plain = m_theme.color(Token::Edge).rgb();
    // Further out a line of one pixel covers more of the plane: thin it, so that a crowd reads as grey and not as ink.
    const double alpha = detail != Detail::Blocks ? 0.9 : std::clamp(0.25 + view.scale * 3, 0.25, 0.85);
    const bool curved = view.scale * 34 > 8;
    for (const std::uint32_t i : m_segments) {
        const Segment& s = m_scene.segments[i];
        const auto e = static_cast<qsizetype>(s.edge);
        const QRgb color = s.last && m_looks.crossing[e] != 0 ? m_looks.crossingColor[e] : plain;
        if (curved)
            raster.curve(view.map(s.a), view.map(s.b), color, alpha);
        else
            raster.line(view.map(s.a), view.map(s.b), color, alpha);
    }
}

void GraphPainter::rasterBlocks(Raster& raster, const View& view) const {
    const QRgb warning = m_theme.color(Token::Warning).rgb();
    for (const std::uint32_t i : m_items) {
        const SceneItem& item = m_scene.items[i];
        if (item.expanded || item.kind == ItemKind::Body) continue;
        const ItemLook& look = m_looks.items[i];
        const Box box = view.map(item.box);
        if (look.warned && box.height() > 3) raster.box(box.grown(1), warning);
        raster.box(box, look.block);
    }
}

void GraphPainter::paintEdges(QPainter& p) const {
    p.setBrush(Qt::NoBrush);
    QPainterPath plain;
    for (const std::uint32_t i : m_segments) {
        const Segment& s = m_scene.segments[i];
        QPainterPath path({s.a.x, s.a.y});
        addPiece(path, s.a, s.b);
        p.setPen(QPen(edgeColor(s), s.last && m_looks.crossing[static_cast<qsizetype>(s.edge)] != 0 ? 1.8 : 1.2));
        p.drawPath(path);
    }
}

/// Where data changes device: a diamond in the target's colour, with the bytes when there is room.
void GraphPainter::paintCrossings(QPainter& p, Detail detail) const {
    for (const std::uint32_t i : m_segments) {
        const Segment& s = m_scene.segments[i];
        if (!s.last || m_looks.crossing[static_cast<qsizetype>(s.edge)] == 0) continue;
        const SceneEdge& edge = m_scene.edges[s.edge];
        const Vec2 at = edgeMark(m_scene, edge);
        const double r = detail == Detail::Cards ? 5 : 8;
        p.setPen(QPen(m_theme.color(Token::Background), 1.5));
        p.setBrush(QColor(m_looks.crossingColor[static_cast<qsizetype>(s.edge)]));
        p.drawPolygon(QPolygonF({QPointF(at.x, at.y - r), QPointF(at.x + r, at.y), QPointF(at.x, at.y + r), QPointF(at.x - r, at.y)}));
        if (detail != Detail::Cards || !m_data.types) continue;
        const auto bytes = m_data.types->type(edge.value).byteSize();
        if (!bytes) continue;
        p.setFont(m_name);
        p.setPen(m_theme.color(Token::MutedText));
        p.drawText(QPointF(at.x + 9, at.y + 4), formatBytes(static_cast<double>(*bytes)));
    }
}

}  // namespace hs::ui
