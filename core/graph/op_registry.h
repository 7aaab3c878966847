// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/element.h"
#include "core/graph/model.h"

namespace hs {

/// What shape inference knows of one value: its type and, for small integer tensors, its elements (each known,
/// symbolic or unknown), so that Shape → Gather → Concat → Reshape chains resolve.
struct InferredValue {
    ValueType type;
    std::optional<std::vector<Element>> data;   ///< Integers and bools, at most kMaxTracked, row-major; needs a static shape.
    std::optional<std::vector<double>> floats;  ///< Likewise for small float tensors, when every element is known.
};

/// Largest tensor whose elements inference follows.
inline constexpr std::size_t kMaxTracked = 1024;

/// Inference results of a whole model, indexed by ValueId.
class TypeTable {
public:
    explicit TypeTable(std::size_t valueCount = 0) : m_values(valueCount) {}
    const InferredValue& at(ValueId id) const { return m_values[id.index()]; }
    InferredValue& at(ValueId id) { return m_values[id.index()]; }
    const ValueType& type(ValueId id) const { return m_values[id.index()].type; }
    std::size_t size() const { return m_values.size(); }

private:
    std::vector<InferredValue> m_values;
};

/// How an operator with subgraphs gets its bodies inferred.
class BodyInference {
public:
    virtual ~BodyInference() = default;
    /// Infers a body for these inputs; its results are then in the table. `tolerant`: contradictions inside leave values unknown.
    virtual Status inferBody(GraphId body, const std::vector<InferredValue>& inputs, bool tolerant) = 0;
    /// Does the run feed this value, so that its default does not count?
    virtual bool overridden(ValueId value) const = 0;
};

/// A node under inference: reads its inputs, writes its outputs.
class InferContext {
public:
    /// `bodies` may be null for nodes without subgraphs.
    InferContext(const Model& model, const Node& node, TypeTable& table, BodyInference* bodies = nullptr)
        : m_model(model), m_node(node), m_table(table), m_bodies(bodies) {}

    const Model& model() const { return m_model; }
    const Node& node() const { return m_node; }
    std::size_t inputCount() const { return m_node.inputs.size(); }
    std::size_t outputCount() const { return m_node.outputs.size(); }
    bool hasInput(std::size_t i) const { return i < m_node.inputs.size() && m_node.inputs[i].valid(); }
    const ValueType& inputType(std::size_t i) const;  ///< An unknown type when absent.
    /// Elements of a small integer input as far as known.
    const std::vector<Element>* inputData(std::size_t i) const;
    /// Elements of an input when every one of them is known.
    std::optional<std::vector<std::int64_t>> inputInts(std::size_t i) const;
    /// Elements of a small float input when every one of them is known.
    std::optional<std::vector<double>> inputFloats(std::size_t i) const;
    /// The constant tensor of an input that is an initializer (or a default that is not overridden) or a Constant node's value.
    const Tensor* inputTensor(std::size_t i) const;

    void setOutput(std::size_t i, ValueType type);
    void setOutput(std::size_t i, DType type, Shape shape) { setOutput(i, ValueType{TypeKind::Tensor, type, std::move(shape)}); }
    void setOutputData(std::size_t i, std::vector<Element> data);
    void setOutputFloats(std::size_t i, std::vector<double> values);
    const InferredValue& inferred(ValueId id) const { return m_table.at(id); }
    /// What is known of input i; an empty one when absent.
    const InferredValue& input(std::size_t i) const;
    BodyInference* bodies() const { return m_bodies; }

private:
    const Model& m_model;
    const Node& m_node;
    TypeTable& m_table;
    BodyInference* m_bodies;
};

/// Work of one node with known shapes: floating-point operations (two for a multiply-add) and bytes that must move.
struct NodeCost {
    double flops = 0;
    double bytes = 0;
};

/// Facts about an operator since one opset version.
struct OpSchema {
    std::string domain;
    std::string name;
    int since = 1;
    int minInputs = 0;
    int maxInputs = 0;  ///< -1: any number.
    int minOutputs = 1;
    int maxOutputs = 1;  ///< -1: any number.
    /// Sets the outputs' types. BadInput when the node contradicts itself (rank, dtype, sizes).
    Status (*infer)(InferContext&) = nullptr;
    /// FLOPs per the formula of the operator; null: one per output element.
    double (*flops)(const Model&, const Node&, const TypeTable&) = nullptr;
    bool randomOutput = false;
    bool anyKind = false;  ///< Takes sequences or optionals too; others take tensors only.
};

/// Every operator that Heteroscope knows by schema.
class OpRegistry {
public:
    static const OpRegistry& instance();
    /// The schema in force at `opset`, or null.
    const OpSchema* find(std::string_view domain, std::string_view name, int opset) const;
    std::span<const OpSchema> all() const { return m_schemas; }
    void add(OpSchema schema);

private:
    OpRegistry();
    std::vector<OpSchema> m_schemas;
    std::map<std::pair<std::string, std::string>, std::vector<std::size_t>> m_byName;
};

/// Sizes for symbolic dimensions, by symbol.
using DimBindings = std::map<std::string, std::int64_t>;

/// Concrete types of the main graph's inputs, when a run feeds them; overrides the declared ones. BadInput when they
/// contradict the declaration or bind one symbol to two sizes.
struct InferOptions {
    DimBindings dims;
    std::map<ValueId, ValueType> inputs;
    std::map<ValueId, Tensor> inputTensors;  ///< Values of small integer inputs (shapes fed as data), when known.
    /// Tolerate nodes without a schema or with contradictions (outputs stay unknown) instead of failing.
    bool lenient = false;
    /// Fill in what inference does not find out from the types that the file declares for its values.
    bool trustDeclared = true;
};

/// Propagates types, shapes and small integer data through the model and its subgraphs, in topological order.
/// Errors (BadInput) name the node.
Result<TypeTable> inferTypes(const Model& model, const InferOptions& options = {});

/// Cost of a node; zero where shapes are not known. Bytes: inputs read once, outputs written once.
NodeCost nodeCost(const Model& model, const Node& node, const TypeTable& types);

/// Symbols among the main graph's input shapes, in order of appearance.
std::vector<std::string> inputSymbols(const Model& model);

}  // namespace hs
