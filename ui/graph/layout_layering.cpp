// SPDX-License-Identifier: GPL-3.0-or-later
#include <numeric>

#include "ui/graph/layout_layered.h"

namespace hs::ui {
namespace {

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// Kahn's order; vertices on a cycle (never in a valid model) follow at the end in index order.
std::vector<std::uint32_t> topologicalOrder(std::size_t count, const Adjacency& out, const Adjacency& in) {
    std::vector<std::uint32_t> waiting(count), order;
    order.reserve(count);
    for (std::uint32_t v = 0; v < count; ++v) {
        waiting[v] = static_cast<std::uint32_t>(in.of(v).size());
        if (waiting[v] == 0) order.push_back(v);
    }
    for (std::size_t i = 0; i < order.size(); ++i)
        for (const std::uint32_t next : out.of(order[i]))
            if (--waiting[next] == 0) order.push_back(next);
    for (std::uint32_t v = 0; order.size() < count && v < count; ++v)
        if (waiting[v] != 0) order.push_back(v);
    return order;
}

/// Longest trunk per source, in layers, over the edges that go down.
struct Trunk {
    std::uint32_t firstBend = 0;
    std::uint32_t length = 0;
};

/// The longest trunk that is still split at every layer, so that all of them together stay within the budget.
std::uint32_t trunkLimit(const std::vector<Trunk>& trunks, std::size_t budget) {
    std::uint32_t longest = 0;
    for (const Trunk& t : trunks)
        longest = std::max(longest, t.length);
    std::vector<std::size_t> howMany(longest + 1, 0);
    for (const Trunk& t : trunks)
        ++howMany[t.length];
    std::size_t total = 0;
    for (std::uint32_t length = 1; length <= longest; ++length) {
        total += howMany[length] * length;
        if (total > budget) return length - 1;
    }
    return longest;
}

}  // namespace

Adjacency::Adjacency(std::size_t vertexCount, const Pairs& pairs) : m_first(vertexCount + 1, 0), m_items(pairs.size()) {
    for (const auto& [from, to] : pairs)
        ++m_first[from + 1];
    std::partial_sum(m_first.begin(), m_first.end(), m_first.begin());
    std::vector<std::uint32_t> next(m_first.begin(), m_first.end() - 1);
    for (const auto& [from, to] : pairs)
        m_items[next[from]++] = to;
}

void LayeredGraph::renumber(std::uint32_t layerIndex) {
    const auto& row = layers[layerIndex];
    for (std::uint32_t i = 0; i < row.size(); ++i)
        position[row[i]] = i;
}

void LayeredGraph::renumberAll() {
    for (std::uint32_t l = 0; l < layers.size(); ++l)
        renumber(l);
}

void LayeredGraph::sortNeighbours() {
    const auto byPosition = [&](std::uint32_t a, std::uint32_t b) { return position[a] < position[b]; };
    for (std::uint32_t v = 0; v < layer.size(); ++v) {
        const auto above = up.of(v);
        const auto below = down.of(v);
        if (above.size() > 1) std::sort(above.begin(), above.end(), byPosition);
        if (below.size() > 1) std::sort(below.begin(), below.end(), byPosition);
    }
}

std::vector<std::uint32_t> assignLayers(const LayoutInput& input) {
    const std::size_t count = input.nodes.size();
    Pairs forward, backward;
    forward.reserve(input.edges.size());
    backward.reserve(input.edges.size());
    for (const auto& [from, to] : input.edges) {
        if (from == to) continue;
        forward.emplace_back(from, to);
        backward.emplace_back(to, from);
    }
    const Adjacency out(count, forward), in(count, backward);
    const auto order = topologicalOrder(count, out, in);
    std::vector<std::uint32_t> rank(count), layer(count, 0);
    for (std::uint32_t i = 0; i < count; ++i)
        rank[order[i]] = i;
    for (const std::uint32_t v : order)
        for (const std::uint32_t next : out.of(v))
            if (rank[next] > rank[v]) layer[next] = std::max(layer[next], layer[v] + 1);
    // Side chains that start from nothing (unpacked weights, shape arithmetic) hang close to where they are used.
    std::vector<bool> loose(count, false);
    for (const std::uint32_t v : order) {
        const auto above = in.of(v);
        loose[v] = out.of(v).size() == 1 && std::all_of(above.begin(), above.end(), [&](std::uint32_t u) { return loose[u]; });
    }
    for (auto it = order.rbegin(); it != order.rend(); ++it) {
        const auto next = out.of(*it);
        if (next.empty() || (in.of(*it).size() >= next.size() && !loose[*it])) continue;
        std::uint32_t nearest = std::numeric_limits<std::uint32_t>::max();
        for (const std::uint32_t n : next)
            nearest = std::min(nearest, layer[n]);
        if (nearest != std::numeric_limits<std::uint32_t>::max() && nearest > layer[*it] + 1) layer[*it] = nearest - 1;
    }
    return layer;
}

LayeredGraph makeLayered(const LayoutInput& input, const LayoutOptions& options) {
    LayeredGraph g;
    g.realCount = static_cast<std::uint32_t>(input.nodes.size());
    g.layer = assignLayers(input);
    g.width.reserve(input.nodes.size());
    for (const auto& node : input.nodes)
        g.width.push_back(node.width);

    std::vector<Trunk> trunks(g.realCount);
    for (const auto& [from, to] : input.edges)
        if (g.layer[to] > g.layer[from] + 1) trunks[from].length = std::max(trunks[from].length, g.layer[to] - g.layer[from] - 1);
    const std::uint32_t limit = trunkLimit(trunks, std::max<std::size_t>(40'000, 3 * input.nodes.size()));
    Pairs pairs;
    const auto join = [&](std::uint32_t a, std::uint32_t b) { pairs.emplace_back(a, b); };
    for (std::uint32_t v = 0; v < g.realCount; ++v) {
        if (trunks[v].length == 0 || trunks[v].length > limit) continue;
        trunks[v].firstBend = static_cast<std::uint32_t>(g.layer.size());
        for (std::uint32_t i = 0; i < trunks[v].length; ++i) {
            join(i == 0 ? v : trunks[v].firstBend + i - 1, trunks[v].firstBend + i);
            g.layer.push_back(g.layer[v] + 1 + i);
            g.width.push_back(options.laneGap);
        }
    }
    g.chains.resize(input.edges.size());
    for (std::size_t e = 0; e < input.edges.size(); ++e) {
        const auto [from, to] = input.edges[e];
        if (g.layer[to] <= g.layer[from]) continue;  // only on a cycle: drawn straight, not ordered by
        const std::uint32_t bends = g.layer[to] - g.layer[from] - 1;
        auto& chain = g.chains[e];
        chain.lane = bends > 0 && trunks[from].length > limit;
        if (chain.lane) continue;
        chain.bendCount = bends;
        chain.firstBend = trunks[from].firstBend;
        join(bends == 0 ? from : chain.firstBend + bends - 1, to);
    }
    g.position.resize(g.layer.size());
    g.down = Adjacency(g.layer.size(), pairs);
    for (auto& [a, b] : pairs)
        std::swap(a, b);
    g.up = Adjacency(g.layer.size(), pairs);
    const auto deepest = g.layer.empty() ? 0 : *std::max_element(g.layer.begin(), g.layer.end()) + 1;
    g.layers.resize(deepest);
    return g;
}

}  // namespace hs::ui
