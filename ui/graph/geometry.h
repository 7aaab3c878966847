// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace hs::ui {

/// A point of the graph's plane, in scene pixels (one pixel at zoom 1; y grows downwards).
struct Vec2 {
    double x = 0;
    double y = 0;
    bool operator==(const Vec2&) const = default;
};

/// An axis-parallel rectangle. A default one is empty and grows with unite().
struct Box {
    double x0 = std::numeric_limits<double>::max();
    double y0 = std::numeric_limits<double>::max();
    double x1 = std::numeric_limits<double>::lowest();
    double y1 = std::numeric_limits<double>::lowest();

    static Box around(Vec2 a, Vec2 b) { return {std::min(a.x, b.x), std::min(a.y, b.y), std::max(a.x, b.x), std::max(a.y, b.y)}; }
    bool empty() const { return x1 < x0 || y1 < y0; }
    double width() const { return empty() ? 0 : x1 - x0; }
    double height() const { return empty() ? 0 : y1 - y0; }
    Vec2 center() const { return {(x0 + x1) / 2, (y0 + y1) / 2}; }
    bool intersects(const Box& o) const { return x0 <= o.x1 && o.x0 <= x1 && y0 <= o.y1 && o.y0 <= y1; }
    bool contains(Vec2 p) const { return p.x >= x0 && p.x <= x1 && p.y >= y0 && p.y <= y1; }
    void unite(const Box& o) {
        x0 = std::min(x0, o.x0);
        y0 = std::min(y0, o.y0);
        x1 = std::max(x1, o.x1);
        y1 = std::max(y1, o.y1);
    }
    Box grown(double by) const { return {x0 - by, y0 - by, x1 + by, y1 + by}; }
    Box moved(Vec2 d) const { return {x0 + d.x, y0 + d.y, x1 + d.x, y1 + d.y}; }
    bool operator==(const Box&) const = default;
};

}  // namespace hs::ui
