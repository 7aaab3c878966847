// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/graph/layout.h"

#include <cmath>
#include <queue>

#include "ui/graph/layout_layered.h"

namespace hs::ui {
namespace {

struct LayerY {
    double top = 0, bottom = 0;
};

/// Layers from top to bottom. A gap that long slanted edges cross is wider, up to five times, so that they stay readable.
std::vector<LayerY> assignY(const LayeredGraph& g, const LayoutInput& input, const std::vector<double>& x, const LayoutOptions& options) {
    std::vector<LayerY> out(g.layers.size());
    double y = 0;
    for (std::uint32_t l = 0; l < g.layers.size(); ++l) {
        double height = 0, reach = 0;
        for (const std::uint32_t v : g.layers[l]) {
            if (!g.isBend(v)) height = std::max(height, input.nodes[v].height);
            for (const std::uint32_t n : g.down.of(v))
                reach = std::max(reach, std::abs(x[n] - x[v]));
        }
        out[l] = {y, y + height};
        y += height + std::clamp(options.layerGap + (reach - 400) * 0.03, options.layerGap, options.layerGap * 5);
    }
    return out;
}

/// Largest right end of the layers in a range, by doubling (sparse table).
class RightEnd {
public:
    RightEnd(const LayeredGraph& g, const std::vector<double>& x) {
        std::vector<double> ends(g.layers.size(), 0);
        for (std::size_t l = 0; l < g.layers.size(); ++l)
            for (const std::uint32_t v : g.layers[l])
                ends[l] = std::max(ends[l], x[v] + g.width[v] / 2);
        m_table.push_back(std::move(ends));
        for (std::size_t step = 1; 2 * step <= g.layers.size(); step *= 2) {
            const auto& last = m_table.back();
            std::vector<double> next(last.size() - step);
            for (std::size_t i = 0; i < next.size(); ++i)
                next[i] = std::max(last[i], last[i + step]);
            m_table.push_back(std::move(next));
        }
    }
    double over(std::uint32_t first, std::uint32_t last) const {
        std::size_t level = 0;
        while ((std::size_t{2} << level) <= last - first + 1)
            ++level;
        return std::max(m_table[level][first], m_table[level][last + 1 - (std::size_t{1} << level)]);
    }

private:
    std::vector<std::vector<double>> m_table;
};

class Router {
public:
    Router(const LayoutInput& input, const LayeredGraph& g, const std::vector<double>& x, const std::vector<LayerY>& y, const LayoutOptions& options)
        : m_input(input), m_g(g), m_x(x), m_y(y), m_options(options) {}

    void run(LayoutResult& out) {
        placeNodes(out);
        out.bends.reserve(m_g.layer.size() - m_g.realCount);
        for (std::uint32_t v = m_g.realCount; v < m_g.layer.size(); ++v)
            out.bends.push_back({m_x[v], m_y[m_g.layer[v]].top, m_y[m_g.layer[v]].bottom});
        out.paths.resize(m_input.edges.size());
        for (std::uint32_t e = 0; e < m_input.edges.size(); ++e) {
            const auto [from, to] = m_input.edges[e];
            auto& path = out.paths[e];
            path.from = {out.centers[from].x, out.centers[from].y + m_input.nodes[from].height / 2};
            path.to = {out.centers[to].x, out.centers[to].y - m_input.nodes[to].height / 2};
            path.firstBend = m_g.chains[e].bendCount > 0 ? m_g.chains[e].firstBend - m_g.realCount : 0;
            path.bendCount = m_g.chains[e].bendCount;
        }
        routeLanes(out);
        emitSegments(out);
        for (const Segment& s : out.segments)
            out.bounds.unite(Box::around(s.a, s.b));
    }

private:
    void placeNodes(LayoutResult& out) {
        out.centers.resize(m_g.realCount);
        for (std::uint32_t v = 0; v < m_g.realCount; ++v) {
            const LayerY& layer = m_y[m_g.layer[v]];
            const auto& size = m_input.nodes[v];
            const Vec2 c{m_x[v], (layer.top + layer.bottom) / 2};
            out.centers[v] = c;
            out.bounds.unite({c.x - size.width / 2, c.y - size.height / 2, c.x + size.width / 2, c.y + size.height / 2});
        }
    }

    /// Lanes are shared like tracks: one is free again below the edge that used it.
    void routeLanes(LayoutResult& out) {
        std::vector<std::uint32_t> edges;
        for (std::uint32_t e = 0; e < m_input.edges.size(); ++e)
            if (m_g.chains[e].lane) edges.push_back(e);
        if (edges.empty()) return;
        const auto firstLayer = [&](std::uint32_t e) { return m_g.layer[m_input.edges[e].from] + 1; };
        const auto lastLayer = [&](std::uint32_t e) { return m_g.layer[m_input.edges[e].to] - 1; };
        std::stable_sort(edges.begin(), edges.end(), [&](std::uint32_t a, std::uint32_t b) { return firstLayer(a) < firstLayer(b); });
        const RightEnd rightEnd(m_g, m_x);
        using Busy = std::pair<std::uint32_t, std::uint32_t>;  // last layer, lane
        std::priority_queue<Busy, std::vector<Busy>, std::greater<>> busy;
        std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> free;
        std::uint32_t laneCount = 0;
        for (const std::uint32_t e : edges) {
            while (!busy.empty() && busy.top().first < firstLayer(e)) {
                free.push(busy.top().second);
                busy.pop();
            }
            std::uint32_t lane = laneCount;
            if (free.empty()) {
                ++laneCount;
            } else {
                lane = free.top();
                free.pop();
            }
            busy.emplace(lastLayer(e), lane);
            const double x = rightEnd.over(firstLayer(e), lastLayer(e)) + m_options.nodeGap + lane * m_options.laneGap;
            out.paths[e].firstBend = static_cast<std::uint32_t>(out.bends.size());
            out.paths[e].bendCount = 1;
            out.bends.push_back({x, m_y[firstLayer(e)].top, m_y[lastLayer(e)].bottom});
        }
    }

    /// Curves between layers and, merged over as many layers as they are straight, the vertical runs through them.
    void emitSegments(LayoutResult& out) {
        std::vector<std::uint32_t> trunkDone(out.bends.size(), 0);
        std::vector<std::uint32_t> order(m_input.edges.size());
        for (std::uint32_t e = 0; e < order.size(); ++e)
            order[e] = e;
        std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return out.paths[a].bendCount > out.paths[b].bendCount; });
        for (const std::uint32_t e : order) {
            const auto& path = out.paths[e];
            if (path.bendCount > 0 && trunkDone[path.firstBend] == 0) {
                trunkDone[path.firstBend] = 1;
                emitTrunk(out, e);
            }
            const Vec2 start =
                path.bendCount == 0 ? path.from : Vec2{out.bends[path.firstBend + path.bendCount - 1].x, out.bends[path.firstBend + path.bendCount - 1].bottom};
            out.segments.push_back({start, path.to, e, true});
        }
    }

    void emitTrunk(LayoutResult& out, std::uint32_t e) {
        const auto& path = out.paths[e];
        Vec2 at = path.from;
        for (std::uint32_t i = 0; i < path.bendCount;) {
            const Bend& bend = out.bends[path.firstBend + i];
            out.segments.push_back({at, {bend.x, bend.top}, e, false});
            double bottom = bend.bottom;
            std::uint32_t k = i + 1;
            for (; k < path.bendCount && std::abs(out.bends[path.firstBend + k].x - bend.x) < 0.5; ++k)
                bottom = out.bends[path.firstBend + k].bottom;
            if (bottom > bend.top) out.segments.push_back({{bend.x, bend.top}, {bend.x, bottom}, e, false});
            at = {bend.x, bottom};
            i = k;
        }
    }

    const LayoutInput& m_input;
    const LayeredGraph& m_g;
    const std::vector<double>& m_x;
    const std::vector<LayerY>& m_y;
    const LayoutOptions& m_options;
};

}  // namespace

std::optional<LayoutResult> layoutGraph(const LayoutInput& input, const LayoutOptions& options, CancelFlag cancel) {
    LayoutResult out;
    if (input.nodes.empty()) return out;
    LayeredGraph g = makeLayered(input, options);
    if (cancelled(cancel)) return std::nullopt;
    orderLayers(g, options.sweeps, cancel);
    if (cancelled(cancel)) return std::nullopt;
    g.sortNeighbours();
    const auto x = assignX(g, options, cancel);
    if (cancelled(cancel)) return std::nullopt;
    const auto y = assignY(g, input, x, options);
    Router(input, g, x, y, options).run(out);
    out.layerCount = static_cast<std::uint32_t>(g.layers.size());
    return out;
}

}  // namespace hs::ui
