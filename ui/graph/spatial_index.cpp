// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/graph/spatial_index.h"

#include <numeric>

namespace hs::ui {
namespace {

/// Position of a cell of a 65536 × 65536 grid along the Hilbert curve.
std::uint32_t hilbert(std::uint32_t x, std::uint32_t y) {
    std::uint32_t d = 0;
    for (std::uint32_t s = 1U << 15U; s > 0; s >>= 1U) {
        const std::uint32_t rx = (x & s) != 0 ? 1 : 0, ry = (y & s) != 0 ? 1 : 0;
        d += s * s * ((3 * rx) ^ ry);
        if (ry != 0) continue;
        if (rx == 1) {
            x = 0xFFFFU - x;
            y = 0xFFFFU - y;
        }
        std::swap(x, y);
    }
    return d;
}

}  // namespace

SpatialIndex::SpatialIndex(const std::vector<Box>& boxes) : m_items(boxes.size()) {
    if (boxes.empty()) return;
    for (const Box& b : boxes)
        m_bounds.unite(b);
    const double sx = 65535.0 / std::max(1e-9, m_bounds.width()), sy = 65535.0 / std::max(1e-9, m_bounds.height());
    std::vector<std::uint32_t> key(boxes.size());
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        const Vec2 c = boxes[i].center();
        key[i] = hilbert(static_cast<std::uint32_t>((c.x - m_bounds.x0) * sx), static_cast<std::uint32_t>((c.y - m_bounds.y0) * sy));
    }
    std::iota(m_items.begin(), m_items.end(), 0U);
    std::sort(m_items.begin(), m_items.end(), [&](std::uint32_t a, std::uint32_t b) { return key[a] != key[b] ? key[a] < key[b] : a < b; });
    std::vector<Box> level(boxes.size());
    for (std::size_t i = 0; i < boxes.size(); ++i)
        level[i] = boxes[m_items[i]];
    m_levels.push_back(std::move(level));
    while (m_levels.back().size() > kFanOut) {
        const auto& below = m_levels.back();
        std::vector<Box> above((below.size() + kFanOut - 1) / kFanOut);
        for (std::size_t i = 0; i < below.size(); ++i)
            above[i / kFanOut].unite(below[i]);
        m_levels.push_back(std::move(above));
    }
}

bool SpatialIndex::countIn(std::size_t level, std::size_t group, const Box& window, std::size_t limit, std::size_t& found) const {
    const auto& boxes = m_levels[level];
    const std::size_t end = std::min(boxes.size(), (group + 1) * kFanOut);
    for (std::size_t i = group * kFanOut; i < end; ++i) {
        if (!boxes[i].intersects(window)) continue;
        if (level == 0 ? ++found >= limit : !countIn(level - 1, i, window, limit, found)) return false;
    }
    return true;
}

std::size_t SpatialIndex::count(const Box& window, std::size_t limit) const {
    std::size_t found = 0;
    if (!m_items.empty() && m_bounds.intersects(window)) countIn(m_levels.size() - 1, 0, window, limit, found);
    return std::min(found, limit);
}

}  // namespace hs::ui
