// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "core/graph/ops.h"
#include "core/graph/tracked.h"

namespace hs {
namespace {

/// Deeper nests are refused, so that a stranger's file cannot exhaust the stack.
constexpr int kMaxDepth = 64;

/// Bodies of loops are inferred until their types settle, so nested ones multiply; this bounds the whole effort.
constexpr std::size_t kMaxVisitsPerNode = 64;
constexpr std::size_t kMinVisits = 100'000;

/// A shape that no tensor may have: also single sizes are bounded, so that arithmetic on them cannot overflow.
bool tooLarge(const Shape& shape) {
    for (const Dim& dim : shape.dims())
        if (dim.known() && dim.value() > kMaxElements) return true;
    const auto dims = shape.concrete();
    return dims && !elementCount(*dims);
}

/// One pass over a model.
class Inference final : public BodyInference {
public:
    Inference(const Model& model, const InferOptions& options) : m_model(model), m_options(options), m_table(model.values().size()) {}

    Result<TypeTable> run();
    Status inferBody(GraphId body, const std::vector<InferredValue>& inputs, bool tolerant) override;
    bool overridden(ValueId value) const override { return m_options.inputs.contains(value); }

private:
    Status bindInputs();
    Status bindInput(const Value& input, const ValueType& given);
    Status bind(const Value& input, const Dim& declared, const Dim& given);
    ValueType bound(ValueType type) const;
    void placeInitializers();
    Status inferGraph(const Graph& graph);
    Status inferNode(const Node& node);
    Status checkArity(const Node& node, const OpSchema& schema) const;
    Status finish(const Node& node);
    void forget(const Node& node);

    const Model& m_model;
    const InferOptions& m_options;
    TypeTable m_table;
    DimBindings m_bindings;
    std::size_t m_visits = 0;
    int m_depth = 0;
    bool m_tolerant = false;
};

Status Inference::bind(const Value& input, const Dim& declared, const Dim& given) {
    if (!given.known()) return {};
    if (declared.known() && declared.value() != given.value())
        return fail(ErrorCode::BadInput, input.name, "input \"{}\" is declared with size {}, but {} was given: declared {}", input.name, declared.value(),
                    given.value(), input.type.text());
    if (!declared.symbolic()) return {};
    const auto [it, isNew] = m_bindings.emplace(declared.symbol(), given.value());
    if (!isNew && it->second != given.value())
        return fail(ErrorCode::BadInput, input.name, "input \"{}\" gives dimension \"{}\" the size {}, but it is {} elsewhere: feed equal sizes", input.name,
                    declared.symbol(), given.value(), it->second);
    return {};
}

Status Inference::bindInput(const Value& input, const ValueType& given) {
    const ValueType& declared = input.type;
    if (declared.dtype != DType::Undefined && given.dtype != DType::Undefined && declared.dtype != given.dtype)
        return fail(ErrorCode::BadInput, input.name, "input \"{}\" is declared as {}, but {} was given", input.name, declared.text(), given.text());
    if (!mayHold(declared.kind, given.kind))
        return fail(ErrorCode::BadInput, input.name, "input \"{}\" is declared as {}, but {} was given", input.name, declared.text(), given.text());
    if (!declared.shape.ranked() || !given.shape.ranked() || given.kind != TypeKind::Tensor) return {};
    if (declared.shape.rank() != given.shape.rank())
        return fail(ErrorCode::BadInput, input.name, "input \"{}\" is declared with rank {} ({}), but shape {} was given", input.name, declared.shape.rank(),
                    declared.shape.text(), given.shape.text());
    for (std::size_t i = 0; i < given.shape.rank(); ++i)
        HS_CHECK(bind(input, declared.shape[i], given.shape[i]));
    return {};
}

/// Sequences keep no declared shape: files declare shapes for them that their elements do not have.
ValueType Inference::bound(ValueType type) const {
    if (type.kind == TypeKind::Sequence || type.kind == TypeKind::OptionalSequence) type.shape = Shape();
    if (m_bindings.empty() || !type.shape.ranked()) return type;
    std::vector<Dim> dims = type.shape.dims();
    for (Dim& dim : dims) {
        if (!dim.symbolic()) continue;
        if (const auto it = m_bindings.find(dim.symbol()); it != m_bindings.end()) dim = Dim(it->second);
    }
    type.shape = Shape(std::move(dims));
    return type;
}

Status Inference::bindInputs() {
    for (const auto& [symbol, size] : m_options.dims) {
        if (size < 0 || size > kMaxElements) return fail(ErrorCode::BadInput, symbol, "dimension \"{}\" cannot have the size {}", symbol, size);
        m_bindings.emplace(symbol, size);
    }
    const auto& inputs = m_model.main().inputs;
    for (const auto& [id, type] : m_options.inputs) {
        if (std::find(inputs.begin(), inputs.end(), id) == inputs.end()) return fail(ErrorCode::BadInput, "", "a value that is not an input was given");
        HS_CHECK(bindInput(m_model.value(id), type));
    }
    for (const ValueId id : inputs) {
        const Value& input = m_model.value(id);
        const auto given = m_options.inputs.find(id);
        const bool useGiven = given != m_options.inputs.end() && input.type.kind == TypeKind::Tensor;
        ValueType type = bound(useGiven ? given->second : input.type);
        if (type.dtype == DType::Undefined) type.dtype = input.type.dtype;
        if (!type.shape.ranked()) type.shape = bound(input.type).shape;
        if (tooLarge(type.shape)) return fail(ErrorCode::BadInput, input.name, "input \"{}\" of shape {} is too large", input.name, type.shape.text());
        m_table.at(id).type = std::move(type);
    }
    for (const auto& [id, tensor] : m_options.inputTensors)
        if (m_table.type(id).isStaticTensor() || !m_table.type(id).shape.ranked()) trackTensor(tensor, m_table.at(id));
    return {};
}

void Inference::placeInitializers() {
    for (const Value& value : m_model.values()) {
        if (!value.initializer || overridden(value.id)) continue;
        InferredValue& known = m_table.at(value.id);
        known.type = value.initializer->type();
        trackTensor(*value.initializer, known);
    }
}

void Inference::forget(const Node& node) {
    for (const ValueId output : node.outputs)
        if (output) m_table.at(output) = {};
}

Status Inference::checkArity(const Node& node, const OpSchema& schema) const {
    const auto given = static_cast<int>(node.inputs.size());
    if (schema.maxInputs >= 0 && given > schema.maxInputs)
        return fail(ErrorCode::BadInput, node.name, "{} has {} inputs, at most {} are allowed", node.opType, given, schema.maxInputs);
    for (int i = 0; i < schema.minInputs; ++i)
        if (i >= given || !node.inputs[static_cast<std::size_t>(i)])
            return fail(ErrorCode::BadInput, node.name, "{} lacks its input {}: it needs at least {}", node.opType, i, schema.minInputs);
    const auto outputs = static_cast<int>(node.outputs.size());
    if (outputs < schema.minOutputs || (schema.maxOutputs >= 0 && outputs > schema.maxOutputs))
        return fail(ErrorCode::BadInput, node.name, "{} has {} outputs, {} to {} are allowed", node.opType, outputs, schema.minOutputs,
                    schema.maxOutputs < 0 ? std::string("any number") : std::to_string(schema.maxOutputs));
    if (schema.anyKind) return {};
    for (const ValueId input : node.inputs)
        if (input && m_table.type(input).kind != TypeKind::Tensor)
            return fail(ErrorCode::BadInput, node.name, "{} takes tensors, but \"{}\" is {}", node.opType, m_model.value(input).name,
                        m_table.type(input).text());
    return {};
}

/// Merges what the file declares into what was inferred, and checks the limits.
Status Inference::finish(const Node& node) {
    for (const ValueId output : node.outputs) {
        if (!output) continue;
        InferredValue& inferred = m_table.at(output);
        ValueType declared = bound(m_model.value(output).type);
        if (!m_options.trustDeclared) declared.shape = Shape();
        if (inferred.type.dtype == DType::Undefined && !inferred.type.shape.ranked()) inferred.type.kind = declared.kind;
        if (inferred.type.dtype == DType::Undefined) inferred.type.dtype = declared.dtype;
        if (declared.dtype != DType::Undefined && declared.dtype != inferred.type.dtype)
            return fail(ErrorCode::BadInput, node.name, "{} gives \"{}\" the type {}, but the model declares {}", node.opType, m_model.value(output).name,
                        dtypeName(inferred.type.dtype), dtypeName(declared.dtype));
        if (!inferred.type.shape.ranked()) {
            inferred.type.shape = declared.shape;
        } else if (declared.shape.ranked() && declared.shape.rank() == inferred.type.shape.rank()) {
            std::vector<Dim> dims = inferred.type.shape.dims();
            for (std::size_t i = 0; i < dims.size(); ++i)
                if (dims[i].unknown()) dims[i] = declared.shape[i];
            inferred.type.shape = Shape(std::move(dims));
        }
        const Shape& shape = inferred.type.shape;
        if (shape.rank() > static_cast<std::size_t>(kMaxRank))
            return fail(ErrorCode::BadInput, node.name, "{} gives rank {}, at most {} is supported", node.opType, shape.rank(), kMaxRank);
        if (tooLarge(shape)) return fail(ErrorCode::BadInput, node.name, "{} gives the shape {}, which is too large", node.opType, shape.text());
    }
    return {};
}

Status Inference::inferNode(const Node& node) {
    forget(node);
    if (++m_visits > std::max(kMinVisits, kMaxVisitsPerNode * m_model.nodes().size()))
        return fail(ErrorCode::BadInput, node.name, "the loops around this node are nested too deeply to infer their types");
    // A node that gives nothing, such as an If left behind by an optimiser, cannot matter: it is dropped as dead.
    if (std::none_of(node.outputs.begin(), node.outputs.end(), [](ValueId id) { return id.valid(); })) return {};
    const OpSchema* schema = OpRegistry::instance().find(node.domain, node.opType, node.opset);
    if (schema == nullptr)
        return fail(ErrorCode::Unsupported, node.name, "operator {} of domain {} (opset {}) is not known", node.opType,
                    node.domain.empty() ? "ai.onnx" : node.domain, node.opset);
    HS_CHECK(checkArity(node, *schema));
    InferContext context(m_model, node, m_table, this);
    HS_CHECK(schema->infer(context));
    ops::propagate(context);
    return finish(node);
}

Status Inference::inferGraph(const Graph& graph) {
    for (const NodeId id : graph.nodes) {
        const Node& node = m_model.node(id);
        const Status done = inferNode(node);
        if (done) continue;
        if (!m_tolerant) return done;
        for (const ValueId output : node.outputs)
            if (output) m_table.at(output) = {bound(m_model.value(output).type), {}, {}};
    }
    return {};
}

Status Inference::inferBody(GraphId body, const std::vector<InferredValue>& inputs, bool tolerant) {
    const Graph& graph = m_model.graph(body);
    const NodeId owner = graph.parent;
    const std::string where = owner ? m_model.node(owner).name : graph.name;
    if (m_depth >= kMaxDepth) return fail(ErrorCode::BadInput, where, "subgraphs are nested deeper than {}", kMaxDepth);
    if (graph.inputs.size() != inputs.size())
        return fail(ErrorCode::BadInput, where, "the body \"{}\" takes {} inputs, but {} are passed to it", graph.name, graph.inputs.size(), inputs.size());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const ValueType& declared = m_model.value(graph.inputs[i]).type;
        if (declared.dtype != DType::Undefined && inputs[i].type.dtype != DType::Undefined && declared.dtype != inputs[i].type.dtype)
            return fail(ErrorCode::BadInput, where, "the body's input \"{}\" is declared as {}, but {} is passed", m_model.value(graph.inputs[i]).name,
                        declared.text(), inputs[i].type.text());
        InferredValue& slot = m_table.at(graph.inputs[i]);
        slot = inputs[i];
        if (slot.type.dtype == DType::Undefined) {
            slot.type.dtype = declared.dtype;
            slot.type.kind = declared.kind;
        }
    }
    const bool wasTolerant = m_tolerant;
    m_tolerant = m_tolerant || tolerant;
    ++m_depth;
    Status done = inferGraph(graph);
    --m_depth;
    m_tolerant = wasTolerant;
    return done;
}

Result<TypeTable> Inference::run() {
    m_tolerant = m_options.lenient;
    HS_CHECK(bindInputs());
    placeInitializers();
    HS_CHECK(inferGraph(m_model.main()));
    return std::move(m_table);
}

}  // namespace

Result<TypeTable> inferTypes(const Model& model, const InferOptions& options) {
    return Inference(model, options).run();
}

std::vector<std::string> inputSymbols(const Model& model) {
    std::vector<std::string> out;
    for (const ValueId id : model.main().inputs)
        for (const Dim& dim : model.value(id).type.shape.dims())
            if (dim.symbolic() && std::find(out.begin(), out.end(), dim.symbol()) == out.end()) out.push_back(dim.symbol());
    return out;
}

}  // namespace hs
