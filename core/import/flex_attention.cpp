// SPDX-License-Identifier: Apache-2.0
#include "core/import/flex_attention.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "core/graph/dtype.h"
#include "core/import/attribute_type.h"

namespace hs {
namespace {

using Nodes = google::protobuf::RepeatedPtrField<wire::NodeProto>;
using Names = std::map<std::string, std::string, std::less<>>;

constexpr auto kFloat = static_cast<int>(DType::F32);
constexpr auto kDouble = static_cast<int>(DType::F64);
constexpr auto kInt64 = static_cast<int>(DType::I64);

wire::AttributeProto& addAttribute(wire::NodeProto& node, const char* name, AttributeType type) {
    wire::AttributeProto& out = *node.add_attribute();
    out.set_name(name);
    out.set_type(static_cast<int>(type));
    return out;
}

void setInt(wire::NodeProto& node, const char* name, std::int64_t value) {
    addAttribute(node, name, AttributeType::Int).set_i(value);
}

const wire::AttributeProto* find(const wire::NodeProto& node, std::string_view name) {
    const auto it = std::find_if(node.attribute().begin(), node.attribute().end(), [&](const auto& a) { return a.name() == name; });
    return it == node.attribute().end() ? nullptr : &*it;
}

/// Renames what a body's node reads, in bodies inside it too.
void renameInputs(wire::NodeProto& node, const Names& names) {
    for (auto& input : *node.mutable_input())
        if (const auto it = names.find(input); it != names.end()) input = it->second;
    for (auto& attribute : *node.mutable_attribute()) {
        if (!attribute.has_g()) continue;
        for (auto& inner : *attribute.mutable_g()->mutable_node())
            renameInputs(inner, names);
        for (auto& output : *attribute.mutable_g()->mutable_output())
            if (const auto it = names.find(output.name()); it != names.end()) output.set_name(it->second);
    }
}

/// Writes the operators for one call.
class Expansion {
public:
    Expansion(wire::GraphProto& graph, const wire::NodeProto& call, Nodes& nodes)
        : m_graph(graph), m_call(call), m_nodes(nodes), m_prefix((call.name().empty() ? call.output(0) : call.name()) + "/") {}

    void write() {
        const std::string& q = m_call.input(0);
        m_batch = size(q, 0);
        m_heads = size(q, 1);
        const std::string scale = op("CastLike", {op("Sqrt", {scaleOf(q)}), q});
        const std::string keys = op("Mul", {aligned(m_call.input(1)), scale});
        const std::string turned = op("Transpose", {keys});
        auto& perm = addAttribute(*m_last, "perm", AttributeType::Ints);
        for (const int axis : {0, 1, 3, 2})
            perm.add_ints(axis);
        std::string scores = op("MatMul", {op("Mul", {q, scale}), turned});
        const int precision = precisionOf(q);
        scores = op(precision != 0 ? "Cast" : "CastLike", precision != 0 ? std::vector<std::string>{scores} : std::vector<std::string>{scores, q});
        if (precision != 0) setInt(*m_last, "to", precision);
        scores = op("Softmax", {throughBody("score_mod", scores)});
        setInt(*m_last, "axis", 3);
        scores = op("CastLike", {throughBody("prob_mod", scores), q});
        const std::string values = aligned(m_call.input(2));
        op("MatMul", {scores, values});
        m_last->set_output(0, m_call.output(0));
    }

private:
    std::string op(const char* type, const std::vector<std::string>& inputs) {
        m_last = m_nodes.Add();
        m_last->set_op_type(type);
        m_last->set_name(m_prefix + type);
        for (const auto& input : inputs)
            m_last->add_input(input);
        m_last->add_output(m_prefix + std::to_string(m_count++));
        return m_last->output(0);
    }

    wire::TensorProto& constant(std::string& name, int type) {
        name = op("Constant", {});
        wire::TensorProto& out = *addAttribute(*m_last, "value", AttributeType::Tensor).mutable_t();
        out.set_data_type(type);
        return out;
    }

    std::string floatConstant(float value) {
        std::string name;
        constant(name, kFloat).add_float_data(value);
        return name;
    }

    /// One size of a value, as a vector of one element.
    std::string size(const std::string& of, int axis) {
        std::string out = op("Shape", {of});
        setInt(*m_last, "start", axis);
        setInt(*m_last, "end", axis + 1);
        return out;
    }

    std::string concat(const std::vector<std::string>& parts) {
        std::string out = op("Concat", parts);
        setInt(*m_last, "axis", 0);
        return out;
    }

    /// The given factor, or one over the root of the head size.
    std::string scaleOf(const std::string& q) {
        if (const auto* scale = find(m_call, "scale"); scale != nullptr && scale->has_f()) return floatConstant(scale->f());
        const std::string count = op("Cast", {size(q, 3)});
        setInt(*m_last, "to", kFloat);
        const std::string root = op("Sqrt", {count});
        return op("Div", {floatConstant(1), root});
    }

    /// Keys or values with each head repeated for the heads of Q that share it.
    std::string aligned(const std::string& x) {
        const std::string heads = size(x, 1);
        const std::string length = size(x, 2);
        const std::string width = size(x, 3);
        const std::string repeat = op("Div", {m_heads, heads});
        std::string axis;
        wire::TensorProto& two = constant(axis, kInt64);
        two.add_dims(1);
        two.add_int64_data(2);
        const std::string apart = op("Unsqueeze", {x, axis});
        const std::string wide = op("Expand", {apart, concat({m_batch, heads, repeat, length, width})});
        return op("Reshape", {wide, concat({m_batch, m_heads, length, width})});
    }

    /// The element type of scores and probabilities: asked for, or that of a body's input, or float for what is narrower; 0: as Q.
    int precisionOf(const std::string& q) const {
        if (const auto* asked = find(m_call, "softmax_precision"); asked != nullptr && asked->i() != 0) return static_cast<int>(asked->i());
        for (const char* name : {"score_mod", "prob_mod"})
            if (const auto* body = find(m_call, name); body != nullptr && body->g().input_size() == 1)
                if (const int type = body->g().input(0).type().tensor_type().elem_type(); type != 0) return type;
        for (const auto* list : {&m_graph.input(), &m_graph.value_info()})
            for (const auto& info : *list)
                if (info.name() == q) return info.type().tensor_type().elem_type() == kDouble ? kDouble : kFloat;
        return 0;
    }

    /// The nodes of a body of one input and one output, under names of their own.
    std::string throughBody(const char* attribute, const std::string& value) {
        const auto* found = find(m_call, attribute);
        if (found == nullptr || !found->has_g() || found->g().input_size() != 1 || found->g().output_size() != 1) return value;
        const wire::GraphProto& body = found->g();
        const std::string prefix = m_prefix + attribute + "/";
        Names names = {{body.input(0).name(), value}};
        for (const auto& initializer : body.initializer()) {
            names[initializer.name()] = prefix + initializer.name();
            *m_graph.add_initializer() = initializer;
            m_graph.mutable_initializer(m_graph.initializer_size() - 1)->set_name(prefix + initializer.name());
        }
        for (const auto& node : body.node())
            for (const auto& output : node.output())
                if (!output.empty()) names[output] = prefix + output;
        for (const auto& node : body.node()) {
            wire::NodeProto& copy = *m_nodes.Add();
            copy = node;
            if (!copy.name().empty()) copy.set_name(prefix + copy.name());
            renameInputs(copy, names);
            for (auto& output : *copy.mutable_output())
                if (!output.empty()) output = names.at(output);
        }
        const auto out = names.find(body.output(0).name());
        return out != names.end() ? out->second : body.output(0).name();
    }

    wire::GraphProto& m_graph;
    const wire::NodeProto& m_call;
    Nodes& m_nodes;
    wire::NodeProto* m_last = nullptr;
    std::string m_prefix, m_batch, m_heads;
    int m_count = 0;
};

bool isPlainCall(const wire::NodeProto& node) {
    if (node.op_type() != "FlexAttention" || node.domain() != "ai.onnx.preview" || node.output_size() != 1 || node.output(0).empty()) return false;
    return node.input_size() == 3 && std::none_of(node.input().begin(), node.input().end(), [](const auto& input) { return input.empty(); });
}

}  // namespace

void expandFlexAttention(wire::GraphProto& graph) {
    if (std::none_of(graph.node().begin(), graph.node().end(), isPlainCall)) return;
    Nodes old;
    old.Swap(graph.mutable_node());
    Nodes nodes;
    for (auto& node : old) {
        if (isPlainCall(node)) {
            Expansion(graph, node, nodes).write();
        } else {
            *nodes.Add() = std::move(node);
        }
    }
    nodes.Swap(graph.mutable_node());
}

}  // namespace hs
