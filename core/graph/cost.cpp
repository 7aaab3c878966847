// SPDX-License-Identifier: Apache-2.0
#include "core/graph/cost.h"

#include <algorithm>
#include <set>

namespace hs {
namespace ops {
namespace {

const ValueType& typeOf(const Node& node, const TypeTable& types, std::size_t i) {
    static const ValueType kNone;
    return i < node.inputs.size() && node.inputs[i] ? types.type(node.inputs[i]) : kNone;
}

double outputElements(const Node& node, const TypeTable& types) {
    return node.outputs.empty() || !node.outputs[0] ? 0 : elements(types.type(node.outputs[0]));
}

double size(const Shape& shape, std::size_t axis) {
    return shape.ranked() && axis < shape.rank() && shape[axis].known() ? static_cast<double>(shape[axis].value()) : 0;
}

}  // namespace

double elements(const ValueType& type) {
    const auto dims = type.shape.concrete();
    return dims && type.kind == TypeKind::Tensor ? static_cast<double>(elementCount(*dims).value_or(0)) : 0;
}

double inputElements(const Model&, const Node& node, const TypeTable& types) {
    return elements(typeOf(node, types, 0));
}

double convFlops(const Model&, const Node& node, const TypeTable& types) {
    const bool quantised = node.opType == "QLinearConv";
    const Shape& weight = typeOf(node, types, quantised ? 3 : 1).shape;
    if (!weight.isStatic() || weight.rank() < 2 || size(weight, 0) == 0) return 0;
    const double perOutput = elements(typeOf(node, types, quantised ? 3 : 1)) / size(weight, 0);
    const bool bias = (node.opType == "Conv" || node.opType == "CausalConvWithState") && node.inputs.size() > 2 && node.inputs[2];
    return outputElements(node, types) * (2 * perOutput + (bias ? 1 : 0));
}

double convTransposeFlops(const Model&, const Node& node, const TypeTable& types) {
    const Shape& weight = typeOf(node, types, 1).shape;
    if (!weight.isStatic() || weight.rank() < 2 || size(weight, 0) == 0) return 0;
    const bool bias = node.inputs.size() > 2 && node.inputs[2];
    return 2 * elements(typeOf(node, types, 0)) * (elements(typeOf(node, types, 1)) / size(weight, 0)) + (bias ? outputElements(node, types) : 0);
}

double poolFlops(const Model&, const Node& node, const TypeTable& types) {
    double area = 1;
    for (const std::int64_t k : node.intsOr("kernel_shape"))
        area *= static_cast<double>(k);
    return outputElements(node, types) * area;
}

double matMulFlops(const Model&, const Node& node, const TypeTable& types) {
    const Shape& left = typeOf(node, types, 0).shape;
    if (!left.isStatic() || left.rank() == 0) return 0;
    return 2 * outputElements(node, types) * size(left, left.rank() - 1);
}

double gemmFlops(const Model&, const Node& node, const TypeTable& types) {
    const double out = outputElements(node, types);
    const double inner = size(typeOf(node, types, 0).shape, node.intOr("transA", 0) != 0 ? 0 : 1);
    return 2 * out * inner + (node.inputs.size() > 2 && node.inputs[2] ? out : 0);
}

double einsumFlops(const Model&, const Node& node, const TypeTable& types) {
    const std::string equation = node.stringOr("equation", "");
    std::set<char> seen;
    double product = 2;
    std::size_t input = 0;
    std::size_t axis = 0;
    for (const char letter : equation.substr(0, equation.find("->"))) {
        if (letter == ',') {
            ++input;
            axis = 0;
        } else if (letter == '.') {  // Sizes under an ellipsis: counted through the output.
            return 2 * outputElements(node, types);
        } else if (letter != ' ') {
            if (!typeOf(node, types, input).shape.isStatic()) return 0;
            if (seen.insert(letter).second) product *= size(typeOf(node, types, input).shape, axis);
            ++axis;
        }
    }
    return product;
}

double recurrentFlops(const Model&, const Node& node, const TypeTable& types) {
    const Shape& x = typeOf(node, types, 0).shape;
    const Shape& r = typeOf(node, types, 2).shape;
    if (!x.isStatic() || !r.isStatic() || x.rank() != 3 || r.rank() != 3) return 0;
    // R is [directions, gates * hidden, hidden].
    return size(x, 0) * size(x, 1) * size(r, 0) * size(r, 1) * 2 * (size(x, 2) + size(r, 2));
}

double attentionFlops(const Model&, const Node& node, const TypeTable& types) {
    const Shape& q = typeOf(node, types, 0).shape;
    const Shape& k = typeOf(node, types, 1).shape;
    const Shape& v = typeOf(node, types, 2).shape;
    if (!q.isStatic() || !k.isStatic() || !v.isStatic() || (q.rank() != 3 && q.rank() != 4)) return 0;
    double keys = size(k, k.rank() - 2);
    if (node.inputs.size() > 4 && node.inputs[4]) {
        const Shape& past = typeOf(node, types, 4).shape;
        keys += past.ranked() && past.rank() == 4 ? size(past, 2) : 0;
    }
    const double queryWidth = q.rank() == 4 ? size(q, 1) * size(q, 3) : size(q, 2);
    const double heads = q.rank() == 4 ? size(q, 1) : static_cast<double>(std::max<std::int64_t>(node.intOr("q_num_heads", 1), 1));
    const double kvHeads = q.rank() == 4 ? size(v, 1) : static_cast<double>(std::max<std::int64_t>(node.intOr("kv_num_heads", 1), 1));
    const double valueWidth = v.rank() == 4 ? size(v, 3) : kvHeads == 0 ? 0 : size(v, 2) / kvHeads;
    const double queries = size(q, q.rank() - 2);
    return size(q, 0) * queries * keys * (2 * queryWidth + heads * (2 * valueWidth + 5));
}

}  // namespace ops

NodeCost nodeCost(const Model& model, const Node& node, const TypeTable& types) {
    NodeCost cost;
    for (const ValueId id : std::set<ValueId>(node.inputs.begin(), node.inputs.end()))
        if (id) cost.bytes += static_cast<double>(types.type(id).byteSize().value_or(0));
    for (const ValueId id : node.outputs)
        if (id) cost.bytes += static_cast<double>(types.type(id).byteSize().value_or(0));
    const OpSchema* schema = OpRegistry::instance().find(node.domain, node.opType, node.opset);
    if (schema != nullptr) cost.flops = schema->flops != nullptr ? schema->flops(model, node, types) : ops::perOutput<1>(model, node, types);
    return cost;
}

}  // namespace hs
