// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "ui/graph/geometry.h"

namespace hs::ui {

/// A static R-tree over boxes, packed along a Hilbert curve (I. Kamel, C. Faloutsos, "On Packing R-trees", CIKM 1993).
/// Building is O(n log n), a query touches what it returns. Results come in no particular order.
class SpatialIndex {
public:
    SpatialIndex() = default;
    explicit SpatialIndex(const std::vector<Box>& boxes);

    std::size_t size() const { return m_items.size(); }
    const Box& bounds() const { return m_bounds; }

    /// Calls visit(index) for every box that intersects the window.
    template <class Visit>
    void query(const Box& window, Visit&& visit) const {
        if (!m_items.empty() && m_bounds.intersects(window)) walk(m_levels.size() - 1, 0, window, visit);
    }
    /// Up to `limit` intersecting boxes (counting stops there).
    std::size_t count(const Box& window, std::size_t limit) const;

private:
    static constexpr std::size_t kFanOut = 16;

    template <class Visit>
    void walk(std::size_t level, std::size_t group, const Box& window, Visit&& visit) const {
        const auto& boxes = m_levels[level];
        const std::size_t end = std::min(boxes.size(), (group + 1) * kFanOut);
        for (std::size_t i = group * kFanOut; i < end; ++i) {
            if (!boxes[i].intersects(window)) continue;
            if (level == 0)
                visit(m_items[i]);
            else
                walk(level - 1, i, window, visit);
        }
    }
    bool countIn(std::size_t level, std::size_t group, const Box& window, std::size_t limit, std::size_t& found) const;

    Box m_bounds;
    std::vector<std::uint32_t> m_items;      ///< In curve order.
    std::vector<std::vector<Box>> m_levels;  ///< [0]: the items' boxes; each further level covers groups of the one below.
};

}  // namespace hs::ui
