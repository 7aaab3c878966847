// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>
#include <numeric>

#include "ui/graph/layout_layered.h"

namespace hs::ui {
namespace {

constexpr double kUnset = std::numeric_limits<double>::lowest();

/// Type-1 conflicts (Brandes-Köpf, algorithm 1): an edge that crosses an inner piece of a long edge must not be straightened.
/// One flag per entry of g.up.
std::vector<bool> findConflicts(const LayeredGraph& g) {
    std::vector<bool> conflict(g.up.size(), false);
    const auto innerAbove = [&](std::uint32_t v) { return g.isBend(v) && !g.up.of(v).empty() && g.isBend(g.up.of(v)[0]); };
    for (std::uint32_t l = 1; l < g.layers.size(); ++l) {
        const auto& row = g.layers[l];
        std::uint32_t left = 0;
        std::size_t scan = 0;
        for (std::size_t i = 0; i < row.size(); ++i) {
            const bool inner = innerAbove(row[i]);
            if (!inner && i + 1 < row.size()) continue;
            const auto right = inner ? g.position[g.up.of(row[i])[0]] : static_cast<std::uint32_t>(g.layers[l - 1].size());
            for (; scan <= i; ++scan) {
                const std::uint32_t v = row[scan];
                if (innerAbove(v)) continue;
                const auto above = g.up.of(v);
                for (std::uint32_t k = 0; k < above.size(); ++k)
                    if (g.position[above[k]] < left || g.position[above[k]] > right) conflict[g.up.firstIndex(v) + k] = true;
            }
            left = right;
        }
    }
    return conflict;
}

/// One of the four extreme assignments: aligned with the upper or lower medians, packed to the left or the right.
class Assignment {
public:
    Assignment(const LayeredGraph& g, const std::vector<bool>& conflict, double gap, bool upper, bool leftward)
        : m_g(g), m_conflict(conflict), m_gap(gap), m_upper(upper), m_left(leftward), m_root(g.layer.size()), m_align(g.layer.size()) {
        std::iota(m_root.begin(), m_root.end(), 0U);
        std::iota(m_align.begin(), m_align.end(), 0U);
    }

    std::vector<double> run() {
        alignBlocks();
        return compact();
    }

private:
    bool conflicting(std::uint32_t v, std::size_t k, std::uint32_t other) const {
        if (m_upper) return m_conflict[m_g.up.firstIndex(v) + k];
        const auto above = m_g.up.of(other);
        const auto it = std::lower_bound(above.begin(), above.end(), v, [&](std::uint32_t a, std::uint32_t b) { return m_g.position[a] < m_g.position[b]; });
        return it != above.end() && *it == v && m_conflict[m_g.up.firstIndex(other) + static_cast<std::uint32_t>(it - above.begin())];
    }

    void alignBlocks() {
        const auto layerCount = m_g.layers.size();
        for (std::size_t step = 0; step < layerCount; ++step) {
            const auto& row = m_g.layers[m_upper ? step : layerCount - 1 - step];
            std::int64_t taken = m_left ? -1 : std::numeric_limits<std::int64_t>::max();
            for (std::size_t i = 0; i < row.size(); ++i)
                alignVertex(row[m_left ? i : row.size() - 1 - i], taken);
        }
    }

    void alignVertex(std::uint32_t v, std::int64_t& taken) {
        const auto near = m_upper ? m_g.up.of(v) : m_g.down.of(v);
        if (near.empty()) return;
        const std::size_t low = (near.size() - 1) / 2, high = near.size() / 2;
        for (const std::size_t k : m_left ? std::array{low, high} : std::array{high, low}) {
            if (m_align[v] != v) break;
            const std::uint32_t u = near[k];
            const std::int64_t at = m_g.position[u];
            if (conflicting(v, k, u) || (m_left ? at <= taken : at >= taken)) continue;
            m_align[u] = v;
            m_root[v] = m_root[u];
            m_align[v] = m_root[v];
            taken = at;
        }
    }

    double separation(std::uint32_t a, std::uint32_t b) const {
        const double gap = m_g.isBend(a) && m_g.isBend(b) ? 0 : m_g.isBend(a) || m_g.isBend(b) ? m_gap * 0.6 : m_gap;
        return (m_g.width[a] + m_g.width[b]) / 2 + gap;
    }

    /// Longest paths over the graph of blocks, then every block moves back towards its right neighbours.
    std::vector<double> compact() {
        struct Link {
            std::uint32_t from, to;
            double length;
        };
        std::vector<Link> links;
        links.reserve(m_g.layer.size());
        std::vector<std::uint32_t> waiting(m_g.layer.size(), 0), first(m_g.layer.size() + 1, 0);
        for (const auto& row : m_g.layers)
            for (std::size_t i = 0; i + 1 < row.size(); ++i) {
                const std::uint32_t a = m_left ? row[i] : row[row.size() - 1 - i], b = m_left ? row[i + 1] : row[row.size() - 2 - i];
                links.push_back({m_root[a], m_root[b], separation(a, b)});
                ++waiting[m_root[b]];
                ++first[m_root[a] + 1];
            }
        std::partial_sum(first.begin(), first.end(), first.begin());
        std::vector<std::uint32_t> next(first.begin(), first.end() - 1), sorted(links.size()), order;
        for (std::uint32_t i = 0; i < links.size(); ++i)
            sorted[next[links[i].from]++] = i;
        std::vector<double> x(m_g.layer.size(), 0);
        for (std::uint32_t v = 0; v < m_g.layer.size(); ++v)
            if (m_root[v] == v && waiting[v] == 0) order.push_back(v);
        for (std::size_t i = 0; i < order.size(); ++i)
            for (std::uint32_t k = first[order[i]]; k < first[order[i] + 1]; ++k) {
                const Link& link = links[sorted[k]];
                x[link.to] = std::max(x[link.to], x[link.from] + link.length);
                if (--waiting[link.to] == 0) order.push_back(link.to);
            }
        for (auto it = order.rbegin(); it != order.rend(); ++it) {
            double room = std::numeric_limits<double>::max();
            for (std::uint32_t k = first[*it]; k < first[*it + 1]; ++k)
                room = std::min(room, x[links[sorted[k]].to] - links[sorted[k]].length);
            if (first[*it] != first[*it + 1]) x[*it] = std::max(x[*it], room);
        }
        for (std::uint32_t v = 0; v < m_g.layer.size(); ++v)
            if (m_root[v] != v) x[v] = x[m_root[v]];
        if (!m_left)
            for (double& value : x)
                value = -value;
        return x;
    }

    const LayeredGraph& m_g;
    const std::vector<bool>& m_conflict;
    double m_gap;
    bool m_upper, m_left;
    std::vector<std::uint32_t> m_root, m_align;
};

/// Lines the four up with the narrowest and takes the mean of the two middle ones (Brandes-Köpf, section 4.3).
std::vector<double> balance(std::array<std::vector<double>, 4>& all, const LayeredGraph& g) {
    std::array<double, 4> low{}, high{};
    std::size_t narrowest = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        low[i] = std::numeric_limits<double>::max();
        high[i] = kUnset;
        for (std::uint32_t v = 0; v < g.layer.size(); ++v) {
            low[i] = std::min(low[i], all[i][v] - g.width[v] / 2);
            high[i] = std::max(high[i], all[i][v] + g.width[v] / 2);
        }
        if (high[i] - low[i] < high[narrowest] - low[narrowest]) narrowest = i;
    }
    std::vector<double> x(g.layer.size());
    std::array<double, 4> shift{};
    for (std::size_t i = 0; i < 4; ++i)
        shift[i] = i % 2 == 0 ? low[narrowest] - low[i] : high[narrowest] - high[i];
    for (std::uint32_t v = 0; v < g.layer.size(); ++v) {
        std::array<double, 4> values{};
        for (std::size_t i = 0; i < 4; ++i)
            values[i] = all[i][v] + shift[i];
        std::sort(values.begin(), values.end());
        x[v] = (values[1] + values[2]) / 2;
    }
    return x;
}

}  // namespace

std::vector<double> assignX(const LayeredGraph& g, const LayoutOptions& options, CancelFlag cancel) {
    const auto conflict = findConflicts(g);
    if (!options.balanced) return Assignment(g, conflict, options.nodeGap, true, true).run();
    std::array<std::vector<double>, 4> all;
    for (std::size_t i = 0; i < 4; ++i) {
        if (cancelled(cancel)) return std::vector<double>(g.layer.size(), 0);
        all[i] = Assignment(g, conflict, options.nodeGap, i < 2, i % 2 == 0).run();
    }
    return balance(all, g);
}

}  // namespace hs::ui
