// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <queue>
#include <set>
#include <unordered_map>

#include "core/graph/model.h"

namespace hs {
namespace {

/// A node waits for the producers of its inputs and of everything that its bodies capture, within its own graph.
std::vector<NodeId> dependencies(const Model& model, const Node& node) {
    std::vector<NodeId> out;
    const auto need = [&](ValueId id) {
        if (!id) return;
        const Value& value = model.value(id);
        if (value.producer && value.graph == node.graph) out.push_back(value.producer);
    };
    for (const ValueId id : node.inputs)
        need(id);
    for (const GraphId body : node.subgraphs())
        for (const ValueId id : model.captures(body))
            need(id);
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

/// Kahn's algorithm, smallest id first, so that an already sorted file keeps its order.
Result<std::vector<NodeId>> sorted(const Model& model, const Graph& graph) {
    std::unordered_map<NodeId, std::size_t> waiting;
    std::unordered_map<NodeId, std::vector<NodeId>> unlocks;
    std::priority_queue<NodeId, std::vector<NodeId>, std::greater<>> ready;
    for (const NodeId id : graph.nodes) {
        const auto needs = dependencies(model, model.node(id));
        waiting[id] = needs.size();
        for (const NodeId need : needs)
            unlocks[need].push_back(id);
        if (needs.empty()) ready.push(id);
    }
    std::vector<NodeId> out;
    while (!ready.empty()) {
        const NodeId id = ready.top();
        ready.pop();
        out.push_back(id);
        for (const NodeId next : unlocks[id])
            if (--waiting[next] == 0) ready.push(next);
    }
    if (out.size() != graph.nodes.size()) {
        const auto stuck = std::find_if(graph.nodes.begin(), graph.nodes.end(), [&](NodeId id) { return waiting[id] != 0; });
        return fail(ErrorCode::BadInput, model.node(*stuck).name, "the graph has a cycle through this node: it is not a valid ONNX model");
    }
    return out;
}

}  // namespace

ModelBuilder::ModelBuilder() {
    addGraph("main");
}

GraphId ModelBuilder::addGraph(std::string name) {
    const GraphId id(m_model.m_graphs.size());
    Graph graph;
    graph.id = id;
    graph.name = std::move(name);
    m_model.m_graphs.push_back(std::move(graph));
    return id;
}

ValueId ModelBuilder::addValue(GraphId graph, std::string name, ValueType type) {
    const ValueId id(m_model.m_values.size());
    Value value;
    value.id = id;
    value.name = std::move(name);
    value.type = std::move(type);
    value.graph = graph;
    m_model.m_values.push_back(std::move(value));
    return id;
}

ValueId ModelBuilder::addInput(GraphId graph, std::string name, ValueType type) {
    const ValueId id = addValue(graph, std::move(name), std::move(type));
    m_model.m_values[id.index()].role = ValueRole::GraphInput;
    m_model.m_graphs[graph.index()].inputs.push_back(id);
    return id;
}

ValueId ModelBuilder::addInitializer(GraphId graph, std::string name, Tensor tensor) {
    const ValueId id = addValue(graph, std::move(name), tensor.type());
    Value& value = m_model.m_values[id.index()];
    value.role = ValueRole::Initializer;
    value.initializer = std::move(tensor);
    m_model.m_graphs[graph.index()].initializers.push_back(id);
    return id;
}

void ModelBuilder::setDefault(ValueId input, Tensor tensor) {
    m_model.m_values[input.index()].initializer = std::move(tensor);
}

NodeId ModelBuilder::addNode(GraphId graph, Node node) {
    const NodeId id(m_model.m_nodes.size());
    node.id = id;
    node.graph = graph;
    for (const ValueId output : node.outputs)
        if (output) m_model.m_values[output.index()].producer = id;
    m_model.m_nodes.push_back(std::move(node));
    m_model.m_graphs[graph.index()].nodes.push_back(id);
    return id;
}

void ModelBuilder::addOutput(GraphId graph, ValueId value) {
    m_model.m_graphs[graph.index()].outputs.push_back(value);
}

void ModelBuilder::setType(ValueId value, ValueType type) {
    m_model.m_values[value.index()].type = std::move(type);
}

Result<ModelPtr> ModelBuilder::build() {
    for (const Node& node : m_model.m_nodes) {
        for (const ValueId input : node.inputs) {
            if (!input) continue;
            Value& value = m_model.m_values[input.index()];
            if (value.role == ValueRole::NodeOutput && !value.producer)
                return fail(ErrorCode::BadInput, node.name.empty() ? node.opType : node.name, "input \"{}\" is produced by no node, input or initializer",
                            value.name);
            if (value.consumers.empty() || value.consumers.back() != node.id) value.consumers.push_back(node.id);
        }
        for (const GraphId body : node.subgraphs())
            m_model.m_graphs[body.index()].parent = node.id;
    }
    for (Graph& graph : m_model.m_graphs) {
        for (const ValueId output : graph.outputs) {
            const Value& value = m_model.value(output);
            if (value.role == ValueRole::NodeOutput && !value.producer)
                return fail(ErrorCode::BadInput, graph.name, "graph output \"{}\" is produced by no node", value.name);
        }
        HS_TRY(graph.nodes, sorted(m_model, graph));
    }
    std::unordered_map<std::string, int> perType;
    for (Node& node : m_model.m_nodes) {
        const int ordinal = perType[node.opType]++;
        if (node.name.empty()) node.name = node.opType + "_" + std::to_string(ordinal);
        const std::string wanted = node.name;
        for (int i = 1; m_model.m_byName.contains(node.name); ++i)
            node.name = wanted + "#" + std::to_string(i);
        m_model.m_byName.emplace(node.name, node.id);
    }
    return std::make_shared<const Model>(std::move(m_model));
}

}  // namespace hs
