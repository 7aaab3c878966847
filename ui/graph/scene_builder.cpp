// SPDX-License-Identifier: GPL-3.0-or-later
#include <unordered_map>

#include "ui/graph/graph_scene.h"

namespace hs::ui {
namespace {

bool isConstant(const Node& node) {
    return node.opType == "Constant" && node.domain.empty();
}

/// The picture of one graph or body with its own origin.
struct Block {
    std::vector<SceneItem> items;
    std::vector<SceneEdge> edges;
    std::vector<Bend> bends;
    std::vector<Segment> segments;
    Box bounds;
};

void append(Block& to, Block&& from, Vec2 shift, std::uint32_t parent) {
    const auto firstItem = static_cast<std::uint32_t>(to.items.size()), firstEdge = static_cast<std::uint32_t>(to.edges.size()),
               firstBend = static_cast<std::uint32_t>(to.bends.size());
    for (SceneItem& item : from.items) {
        item.parent = item.parent == kNoItem ? parent : item.parent + firstItem;
        item.box = item.box.moved(shift);
        to.items.push_back(item);
    }
    const auto moved = [&](Vec2 p) { return Vec2{p.x + shift.x, p.y + shift.y}; };
    for (SceneEdge& e : from.edges) {
        e.from += firstItem;
        e.to += firstItem;
        e.path.from = moved(e.path.from);
        e.path.to = moved(e.path.to);
        e.path.firstBend += firstBend;
        to.edges.push_back(e);
    }
    for (const Bend& b : from.bends)
        to.bends.push_back({b.x + shift.x, b.top + shift.y, b.bottom + shift.y});
    for (const Segment& s : from.segments)
        to.segments.push_back({moved(s.a), moved(s.b), s.edge + firstEdge, s.last});
}

class Builder {
public:
    Builder(const Model& model, const SceneOptions& options, const std::atomic<bool>* cancel) : m_model(model), m_options(options), m_cancel(cancel) {}

    std::optional<Block> graph(GraphId id, int depth) {
        Block block;
        Sources sources;
        addItems(id, block, sources);
        addEdges(id, block, sources);
        std::vector<std::vector<Block>> bodies(block.items.size());
        LayoutInput input;
        for (std::size_t i = 0; i < block.items.size(); ++i) {
            if (block.items[i].expanded && depth < kMaxDepth && !buildBodies(block.items[i], bodies[i], depth)) return std::nullopt;
            input.nodes.push_back(sizeOf(block.items[i], bodies[i]));
        }
        for (const SceneEdge& e : block.edges)
            input.edges.push_back({e.from, e.to});
        LayoutOptions layout;
        layout.sweeps = m_options.sweeps;
        layout.balanced = m_options.balanced;
        auto placed = layoutGraph(input, layout, m_cancel);
        if (!placed) return std::nullopt;
        take(block, input, *placed);
        for (std::uint32_t i = 0; i < bodies.size(); ++i)
            placeBodies(block, i, std::move(bodies[i]));
        return block;
    }

private:
    static constexpr int kMaxDepth = 64;
    using Sources = std::unordered_map<std::uint32_t, std::uint32_t>;  ///< Value to the item that shows where it comes from.

    std::uint32_t addTerminal(Block& block, ItemKind kind, ValueId value) {
        SceneItem item;
        item.kind = kind;
        item.value = value;
        block.items.push_back(item);
        return static_cast<std::uint32_t>(block.items.size() - 1);
    }

    void addItems(GraphId id, Block& block, Sources& sources) {
        const Graph& g = m_model.graph(id);
        block.items.reserve(g.nodes.size() + g.inputs.size() + g.outputs.size());
        for (const ValueId input : g.inputs)
            if (!m_model.value(input).initializer) sources[input.index()] = addTerminal(block, ItemKind::Input, input);
        for (const NodeId nodeId : g.nodes) {
            const Node& node = m_model.node(nodeId);
            if (isConstant(node) && !m_options.showConstants) continue;
            SceneItem item;
            item.node = nodeId;
            item.expandable = !node.subgraphs().empty();
            item.expanded = item.expandable && m_options.expanded.contains(nodeId);
            const auto index = static_cast<std::uint32_t>(block.items.size());
            for (const ValueId output : node.outputs)
                if (output) sources[output.index()] = index;
            block.items.push_back(item);
        }
    }

    /// The item that a value comes from; one for a captured value is made when first asked for. kNoItem: weights, hidden constants.
    std::uint32_t sourceOf(ValueId id, GraphId graph, Block& block, Sources& sources) {
        if (const auto it = sources.find(id.index()); it != sources.end()) return it->second;
        const Value& value = m_model.value(id);
        if (value.graph == graph || value.role == ValueRole::Initializer || value.initializer) return kNoItem;
        if (value.producer && isConstant(m_model.node(value.producer)) && !m_options.showConstants) return kNoItem;
        return sources[id.index()] = addTerminal(block, ItemKind::Capture, id);
    }

    void addEdges(GraphId id, Block& block, Sources& sources) {
        std::vector<SceneEdge> found;
        const auto link = [&](ValueId value, std::uint32_t to) {
            const std::uint32_t from = sourceOf(value, id, block, sources);
            if (from != kNoItem && from != to) found.push_back({from, to, value, 1, {}});
        };
        const std::size_t ownItems = block.items.size();
        for (std::uint32_t i = 0; i < ownItems; ++i) {
            if (block.items[i].kind != ItemKind::Operator) continue;
            const Node& node = m_model.node(block.items[i].node);
            for (const ValueId input : node.inputs)
                if (input) link(input, i);
            for (const GraphId body : node.subgraphs())
                for (const ValueId captured : m_model.captures(body))
                    link(captured, i);
        }
        for (const ValueId output : m_model.graph(id).outputs) {
            if (!output) continue;
            const std::uint32_t to = addTerminal(block, ItemKind::Output, output);
            link(output, to);
        }
        std::stable_sort(found.begin(), found.end(), [](const SceneEdge& a, const SceneEdge& b) { return a.from != b.from ? a.from < b.from : a.to < b.to; });
        for (const SceneEdge& e : found) {
            const bool parallel = !block.edges.empty() && block.edges.back().from == e.from && block.edges.back().to == e.to;
            if (!parallel)
                block.edges.push_back(e);
            else if (block.edges.back().value != e.value)
                ++block.edges.back().values;
        }
    }

    bool buildBodies(const SceneItem& item, std::vector<Block>& bodies, int depth) {
        for (const GraphId body : m_model.node(item.node).subgraphs()) {
            auto block = graph(body, depth + 1);
            if (!block) return false;
            bodies.push_back(std::move(*block));
        }
        return true;
    }

    static double bodyWidth(const Block& body) { return std::max(body.bounds.width(), 120.0) + 2 * GraphScene::kPadding; }
    static double bodyHeight(const Block& body) { return body.bounds.height() + 2 * GraphScene::kPadding + GraphScene::kHeader; }

    static LayoutInput::Node sizeOf(const SceneItem& item, const std::vector<Block>& bodies) {
        if (item.kind != ItemKind::Operator) return {GraphScene::kTerminalWidth, GraphScene::kTerminalHeight};
        if (bodies.empty()) return {GraphScene::kNodeWidth, GraphScene::kNodeHeight};
        double width = GraphScene::kPadding, height = 0;
        for (const Block& body : bodies) {
            width += bodyWidth(body) + GraphScene::kPadding;
            height = std::max(height, bodyHeight(body));
        }
        return {std::max(width, GraphScene::kNodeWidth), height + GraphScene::kNodeHeight + GraphScene::kPadding};
    }

    static void take(Block& block, const LayoutInput& input, LayoutResult& placed) {
        for (std::size_t i = 0; i < block.items.size(); ++i) {
            const Vec2 c = placed.centers[i];
            const double w = input.nodes[i].width / 2, h = input.nodes[i].height / 2;
            block.items[i].box = {c.x - w, c.y - h, c.x + w, c.y + h};
        }
        for (std::size_t e = 0; e < block.edges.size(); ++e)
            block.edges[e].path = placed.paths[e];
        block.bends = std::move(placed.bends);
        block.segments = std::move(placed.segments);
        block.bounds = placed.bounds;
    }

    void placeBodies(Block& block, std::uint32_t owner, std::vector<Block>&& bodies) {
        const Box frame = block.items[owner].box;
        const NodeId node = block.items[owner].node;
        const auto graphs = bodies.empty() ? std::vector<GraphId>{} : m_model.node(node).subgraphs();
        double x = frame.x0 + GraphScene::kPadding;
        for (std::size_t k = 0; k < bodies.size(); ++k) {
            SceneItem item;
            item.kind = ItemKind::Body;
            item.node = node;
            item.graph = graphs[k];
            item.parent = owner;
            const double y = frame.y0 + GraphScene::kNodeHeight;
            item.box = {x, y, x + bodyWidth(bodies[k]), frame.y1 - GraphScene::kPadding};
            block.items.push_back(item);
            const Box inside = bodies[k].bounds;
            const double slack = (bodyWidth(bodies[k]) - inside.width()) / 2;
            if (!inside.empty())
                append(block, std::move(bodies[k]), {x + slack - inside.x0, y + GraphScene::kHeader + GraphScene::kPadding - inside.y0},
                       static_cast<std::uint32_t>(block.items.size() - 1));
            x = item.box.x1 + GraphScene::kPadding;
        }
    }

    const Model& m_model;
    const SceneOptions& m_options;
    const std::atomic<bool>* m_cancel;
};

}  // namespace

std::shared_ptr<const GraphScene> buildScene(const Model& model, const SceneOptions& options, const std::atomic<bool>* cancel) {
    auto block = Builder(model, options, cancel).graph(GraphId(0), 0);
    if (!block) return nullptr;
    auto scene = std::make_shared<GraphScene>();
    scene->items = std::move(block->items);
    scene->edges = std::move(block->edges);
    scene->bends = std::move(block->bends);
    scene->segments = std::move(block->segments);
    scene->itemOfNode.assign(model.nodes().size(), kNoItem);
    scene->finish();
    return scene;
}

std::size_t hiddenConstants(const Model& model) {
    return static_cast<std::size_t>(std::count_if(model.nodes().begin(), model.nodes().end(), isConstant));
}

}  // namespace hs::ui
