// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/graph/shape.h"
#include "core/graph/tensor.h"

namespace hs {

/// Value of a node's attribute. A GraphId names a subgraph body of the same model.
using AttributeValue = std::variant<std::int64_t, float, std::string, std::vector<std::int64_t>, std::vector<float>, std::vector<std::string>, Tensor,
                                    std::vector<Tensor>, GraphId, std::vector<GraphId>, ValueType>;

struct Attribute {
    std::string name;
    AttributeValue value;
};

/// One operator call of the model.
struct Node {
    NodeId id;
    std::string name;              ///< The model's own; a stable made-up one ("Conv_17") where the model has none. Unique in the model.
    std::string opType;            ///< "Conv"
    std::string domain;            ///< "" is ai.onnx.
    int opset = 0;                 ///< Version of the domain that the model imports: decides the operator's meaning.
    std::vector<ValueId> inputs;   ///< An invalid id is an absent optional input.
    std::vector<ValueId> outputs;  ///< An invalid id is an output that nobody wants.
    std::vector<Attribute> attributes;
    GraphId graph;             ///< The graph that it stands in.
    std::string functionPath;  ///< Calls of model-local functions that it was expanded from, "outer/inner"; empty if none.

    const AttributeValue* find(std::string_view attribute) const;
    template <class T>
    const T* get(std::string_view attribute) const {
        const AttributeValue* value = find(attribute);
        return value != nullptr ? std::get_if<T>(value) : nullptr;
    }
    template <class T>
    T getOr(std::string_view attribute, T fallback) const {
        const T* value = get<T>(attribute);
        return value != nullptr ? *value : fallback;
    }
    std::int64_t intOr(std::string_view attribute, std::int64_t fallback) const { return getOr<std::int64_t>(attribute, fallback); }
    float floatOr(std::string_view attribute, float fallback) const { return getOr<float>(attribute, fallback); }
    std::string stringOr(std::string_view attribute, std::string fallback) const { return getOr<std::string>(attribute, std::move(fallback)); }
    std::vector<std::int64_t> intsOr(std::string_view attribute, std::vector<std::int64_t> fallback = {}) const {
        return getOr<std::vector<std::int64_t>>(attribute, std::move(fallback));
    }
    /// Subgraph bodies among the attributes, in their order.
    std::vector<GraphId> subgraphs() const;
};

enum class ValueRole : std::uint8_t { GraphInput, Initializer, NodeOutput };

/// One edge of the model. Names may repeat between graphs; ids do not. A subgraph refers to an outer value by its id.
struct Value {
    ValueId id;
    std::string name;
    ValueType type;  ///< As declared by the file; inference results live in TypeTable.
    ValueRole role = ValueRole::NodeOutput;
    GraphId graph;
    NodeId producer;                    ///< Invalid for graph inputs and initializers.
    std::vector<NodeId> consumers;      ///< Also those in subgraphs that capture it; each once.
    std::optional<Tensor> initializer;  ///< Set for initializers; a graph input with one has a default that a run may override.
};

/// The main graph or a subgraph body.
struct Graph {
    GraphId id;
    std::string name;
    NodeId parent;  ///< The If, Loop or Scan that owns the body; invalid for the main graph.
    std::vector<ValueId> inputs;
    std::vector<ValueId> outputs;
    std::vector<ValueId> initializers;
    std::vector<NodeId> nodes;  ///< In a topological order.
};

struct ModelInfo {
    std::string path;
    std::string name;    ///< Of the main graph, or the file's stem.
    std::string sha256;  ///< Of the model file's bytes, hexadecimal; empty when it was made in memory.
    std::string producer;
    std::int64_t irVersion = 0;
    std::map<std::string, std::int64_t> opsets;  ///< Domain ("ai.onnx" for the default one) to version.
    std::map<std::string, std::string> metadata;
};

/// A whole model: immutable once built, safe to read from any thread. Graph 0 is the main graph.
class Model {
public:
    const ModelInfo& info() const { return m_info; }
    std::span<const Node> nodes() const { return m_nodes; }
    std::span<const Value> values() const { return m_values; }
    std::span<const Graph> graphs() const { return m_graphs; }
    const Node& node(NodeId id) const { return m_nodes[id.index()]; }
    const Value& value(ValueId id) const { return m_values[id.index()]; }
    const Graph& graph(GraphId id) const { return m_graphs[id.index()]; }
    const Graph& main() const { return m_graphs.front(); }
    /// The main graph's inputs that a run must feed: those without an initializer.
    std::vector<ValueId> requiredInputs() const;
    /// Values of enclosing graphs that the nodes of `graph` (and of bodies inside it) read.
    std::vector<ValueId> captures(GraphId graph) const;
    NodeId findNode(std::string_view name) const;

private:
    friend class ModelBuilder;
    ModelInfo m_info;
    std::vector<Node> m_nodes;
    std::vector<Value> m_values;
    std::vector<Graph> m_graphs;
    std::map<std::string, NodeId, std::less<>> m_byName;
};

using ModelPtr = std::shared_ptr<const Model>;

/// Makes a Model. Used by the importer, the tests and passes that derive a model.
class ModelBuilder {
public:
    ModelBuilder();  ///< Starts with an empty main graph (GraphId 0).
    ModelInfo& info() { return m_model.m_info; }

    GraphId addGraph(std::string name);
    ValueId addInput(GraphId graph, std::string name, ValueType type);
    ValueId addInitializer(GraphId graph, std::string name, Tensor tensor);
    /// Gives an existing graph input a default.
    void setDefault(ValueId input, Tensor tensor);
    ValueId addValue(GraphId graph, std::string name, ValueType type = {});
    /// Adds a node; `node.id` is set here. Outputs must be values added with addValue. An empty name is made up.
    NodeId addNode(GraphId graph, Node node);
    void addOutput(GraphId graph, ValueId value);
    void setType(ValueId value, ValueType type);
    void rename(ValueId value, std::string name) { m_model.m_values[value.index()].name = std::move(name); }
    const Value& value(ValueId id) const { return m_model.m_values[id.index()]; }
    Node& node(NodeId id) { return m_model.m_nodes[id.index()]; }

    /// Sorts every graph topologically, links producers, consumers and subgraph parents, makes names unique.
    /// Errors (BadInput): a cycle (names a node in it), a value that no node produces.
    Result<ModelPtr> build();

private:
    Model m_model;
};

}  // namespace hs
