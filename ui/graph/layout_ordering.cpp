// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/graph/layout_layered.h"

namespace hs::ui {
namespace {

/// Depth first from the sources, so that a branch stands together in every layer that it crosses.
void firstOrder(LayeredGraph& g) {
    for (auto& row : g.layers)
        row.clear();
    std::vector<bool> seen(g.layer.size(), false);
    std::vector<std::uint32_t> stack;
    const auto visitFrom = [&](std::uint32_t root) {
        stack.push_back(root);
        while (!stack.empty()) {
            const std::uint32_t v = stack.back();
            stack.pop_back();
            if (seen[v]) continue;
            seen[v] = true;
            g.layers[g.layer[v]].push_back(v);
            const auto below = g.down.of(v);
            for (auto it = below.rbegin(); it != below.rend(); ++it)
                if (!seen[*it]) stack.push_back(*it);
        }
    };
    for (std::uint32_t v = 0; v < g.layer.size(); ++v)
        if (g.up.of(v).empty()) visitFrom(v);
    g.renumberAll();
}

/// Sorts the vertices of a layer that have neighbours there by the mean of their positions; the others keep their places.
void sweepLayer(LayeredGraph& g, std::uint32_t l, const Adjacency& side, bool reverseTies, std::vector<std::pair<double, std::uint32_t>>& keyed) {
    auto& row = g.layers[l];
    keyed.clear();
    for (const std::uint32_t v : row) {
        const auto near = side.of(v);
        if (near.empty()) continue;
        double sum = 0;
        for (const std::uint32_t n : near)
            sum += g.position[n];
        keyed.emplace_back(sum / static_cast<double>(near.size()), v);
    }
    const auto less = [](const auto& a, const auto& b) { return a.first < b.first; };
    if (reverseTies) std::reverse(keyed.begin(), keyed.end());
    if (std::is_sorted(keyed.begin(), keyed.end(), less) && !reverseTies) return;
    std::stable_sort(keyed.begin(), keyed.end(), less);
    std::size_t next = 0;
    for (std::uint32_t& slot : row)
        if (!side.of(slot).empty()) slot = keyed[next++].second;
    g.renumber(l);
}

std::uint64_t crossingsBelow(const LayeredGraph& g, std::uint32_t l, std::vector<std::uint32_t>& tree, std::vector<std::uint32_t>& ends) {
    ends.clear();
    for (const std::uint32_t v : g.layers[l]) {
        const std::size_t from = ends.size();
        for (const std::uint32_t n : g.down.of(v))
            ends.push_back(g.position[n]);
        std::sort(ends.begin() + static_cast<std::ptrdiff_t>(from), ends.end());
    }
    const std::size_t width = g.layers[l + 1].size();
    tree.assign(width + 1, 0);
    std::uint64_t crossings = 0, placed = 0;
    for (const std::uint32_t end : ends) {
        std::uint64_t notRight = 0;
        for (std::size_t i = end + 1; i > 0; i &= i - 1)
            notRight += tree[i];
        crossings += placed - notRight;
        for (std::size_t i = end + 1; i <= width; i += i & (~i + 1))
            ++tree[i];
        ++placed;
    }
    return crossings;
}

}  // namespace

std::uint64_t countCrossings(const LayeredGraph& g) {
    std::vector<std::uint32_t> tree, ends;
    std::uint64_t total = 0;
    for (std::uint32_t l = 0; l + 1 < g.layers.size(); ++l)
        total += crossingsBelow(g, l, tree, ends);
    return total;
}

void orderLayers(LayeredGraph& g, int sweeps, CancelFlag cancel) {
    firstOrder(g);
    if (g.layers.size() < 2) return;
    std::uint64_t best = countCrossings(g);
    auto bestOrder = g.layers;
    std::vector<std::pair<double, std::uint32_t>> keyed;
    int worse = 0;
    for (int sweep = 0; sweep < sweeps && best > 0 && worse < 4; ++sweep) {
        if (cancelled(cancel)) return;
        const auto last = static_cast<std::uint32_t>(g.layers.size() - 1);
        const bool reverseTies = sweep % 4 >= 2;
        if (sweep % 2 == 0)
            for (std::uint32_t l = 1; l <= last; ++l)
                sweepLayer(g, l, g.up, reverseTies, keyed);
        else
            for (std::uint32_t l = last; l-- > 0;)
                sweepLayer(g, l, g.down, reverseTies, keyed);
        const std::uint64_t now = countCrossings(g);
        ++worse;
        if (now >= best) continue;
        worse = 0;
        best = now;
        bestOrder = g.layers;
    }
    g.layers = std::move(bestOrder);
    g.renumberAll();
}

}  // namespace hs::ui
