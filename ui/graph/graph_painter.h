// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QHash>
#include <QImage>
#include <QPainter>
#include <QStaticText>
#include <vector>

#include "ui/graph/camera.h"
#include "ui/graph/graph_looks.h"

namespace hs::ui {

class Raster;

/// What the zoom asks for.
enum class Detail {
    Cards,   ///< Whole cards: type, name, time, badge.
    Labels,  ///< Boxes with the operator type.
    Blocks,  ///< Coloured blocks; crowds of them become density.
};

/// Paints the graph, only what a window shows, at the level of detail of the zoom. Everything but selection and hover.
class GraphPainter {
public:
    static constexpr double kCardScale = 0.5;
    static constexpr double kLabelScale = 0.2;
    static Detail detailAt(double scale) { return scale >= kCardScale ? Detail::Cards : scale >= kLabelScale ? Detail::Labels : Detail::Blocks; }

    GraphPainter(const GraphScene& scene, const GraphLooks& looks, const GraphData& data, const Theme& theme, const QFont& font);

    /// Paints the part `exposed` (device pixels) of an image that shows the scene through the camera.
    void paint(QImage& image, const Camera& camera, double pixelRatio, const QRect& exposed);

    /// Pieces of one edge as a path in scene coordinates, for highlights.
    static QPainterPath edgePath(const GraphScene& scene, const SceneEdge& edge);
    /// Middle of an edge's last piece: where a crossing is marked.
    static Vec2 edgeMark(const GraphScene& scene, const SceneEdge& edge);
    static QFont titleFont(const QFont& base);
    static QFont nameFont(const QFont& base);

private:
    struct View {
        double scale, dx, dy;  ///< device = scene * scale + d
        Box window;            ///< Scene, what is exposed.
        Vec2 map(Vec2 p) const { return {p.x * scale + dx, p.y * scale + dy}; }
        Box map(const Box& b) const { return {b.x0 * scale + dx, b.y0 * scale + dy, b.x1 * scale + dx, b.y1 * scale + dy}; }
    };
    void collect(const View& view, Detail detail);
    void paintFrames(QPainter& p);
    void rasterEdges(Raster& raster, const View& view, Detail detail) const;
    void rasterBlocks(Raster& raster, const View& view) const;
    void paintEdges(QPainter& p) const;
    void paintCrossings(QPainter& p, Detail detail) const;
    void paintCard(QPainter& p, const SceneItem& item, const ItemLook& look);
    void paintCardText(QPainter& p, const SceneItem& item, const ItemLook& look, const QRectF& box);
    void paintTerminal(QPainter& p, const SceneItem& item, const ItemLook& look) const;
    void paintLabels(QPainter& p, const View& view);
    void paintBadge(QPainter& p, const QRectF& box, const ItemLook& look) const;
    QColor edgeColor(const Segment& segment) const;

    const GraphScene& m_scene;
    const GraphLooks& m_looks;
    const GraphData& m_data;
    const Theme& m_theme;
    QFont m_title, m_name, m_small;
    QHash<QString, QStaticText> m_typeText;
    std::vector<std::uint32_t> m_items, m_segments;  ///< In the exposed window, in painting order.
};

}  // namespace hs::ui
