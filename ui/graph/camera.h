// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>

#include "ui/graph/geometry.h"

namespace hs::ui {

/// Maps the graph's plane to the widget: screen = scene * scale + offset, in logical pixels.
class Camera {
public:
    static constexpr double kMinScale = 1e-4;
    static constexpr double kMaxScale = 4;

    double scale() const { return m_scale; }
    Vec2 offset() const { return m_offset; }
    Vec2 toScreen(Vec2 p) const { return {p.x * m_scale + m_offset.x, p.y * m_scale + m_offset.y}; }
    Vec2 toScene(Vec2 p) const { return {(p.x - m_offset.x) / m_scale, (p.y - m_offset.y) / m_scale}; }
    Box toScene(const Box& b) const { return Box::around(toScene(Vec2{b.x0, b.y0}), toScene(Vec2{b.x1, b.y1})); }
    Box toScreen(const Box& b) const { return Box::around(toScreen(Vec2{b.x0, b.y0}), toScreen(Vec2{b.x1, b.y1})); }

    void panBy(double dx, double dy) { setOffset({m_offset.x + dx, m_offset.y + dy}); }
    /// Keeps the scene point under `anchor` (screen) where it is.
    void zoomBy(double factor, Vec2 anchor) {
        const Vec2 fixed = toScene(anchor);
        m_scale = std::clamp(m_scale * factor, kMinScale, kMaxScale);
        setOffset({anchor.x - fixed.x * m_scale, anchor.y - fixed.y * m_scale});
    }
    /// Shows all of `box` with a margin, but never larger than `maxScale`.
    void fit(const Box& box, double width, double height, double margin = 24, double maxScale = 1) {
        if (box.empty()) return;
        const double sx = (width - 2 * margin) / std::max(1.0, box.width()), sy = (height - 2 * margin) / std::max(1.0, box.height());
        m_scale = std::clamp(std::min({sx, sy, maxScale}), kMinScale, kMaxScale);
        centerOn(box.center(), width, height);
    }
    void centerOn(Vec2 scenePoint, double width, double height) { setOffset({width / 2 - scenePoint.x * m_scale, height / 2 - scenePoint.y * m_scale}); }
    void setScale(double scale) { m_scale = std::clamp(scale, kMinScale, kMaxScale); }
    /// Offsets stay on whole device pixels, so that a pan can move finished pixels.
    void setPixelRatio(double ratio) { m_ratio = ratio; }
    void setOffset(Vec2 offset) { m_offset = {std::round(offset.x * m_ratio) / m_ratio, std::round(offset.y * m_ratio) / m_ratio}; }

private:
    double m_scale = 1;
    double m_ratio = 1;
    Vec2 m_offset;
};

}  // namespace hs::ui
