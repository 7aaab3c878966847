// SPDX-License-Identifier: Apache-2.0
// Operators that work element by element. FLOPs: one per output element, except casts and selections, which move data.
#include "core/graph/ops.h"

namespace hs::ops {
namespace {

Status inferBool(InferContext& c) {
    c.setOutput(0, DType::Bool, shapeOf(c, 0));
    return {};
}

Status inferNot(InferContext& c) {
    if (dtypeOf(c, 0) != DType::Undefined && dtypeOf(c, 0) != DType::Bool) return bad(c, "input is {}, bool is needed", dtypeName(dtypeOf(c, 0)));
    return inferBool(c);
}

Status inferComparison(InferContext& c) {
    HS_CHECK(inferBroadcastBinary(c));
    if (!c.node().outputs.empty() && c.node().outputs[0]) c.setOutput(0, DType::Bool, c.inferred(c.node().outputs[0]).type.shape);
    return {};
}

Status inferLogic(InferContext& c) {
    for (const std::size_t i : {std::size_t{0}, std::size_t{1}})
        if (dtypeOf(c, i) != DType::Undefined && dtypeOf(c, i) != DType::Bool) return bad(c, "input {} is {}, bool is needed", i, dtypeName(dtypeOf(c, i)));
    return inferComparison(c);
}

/// The exponent may have another type; the result has the base's.
Status inferPow(InferContext& c) {
    HS_TRY(Shape out, broadcast(c, shapeOf(c, 0), shapeOf(c, 1)));
    c.setOutput(0, dtypeOf(c, 0), std::move(out));
    return {};
}

Status inferPRelu(InferContext& c) {
    HS_CHECK(wantSameDType(c, {0, 1}));
    // Opset 6 and before gave one slope a channel as a vector, without broadcasting rules.
    if (c.node().opset >= 7) HS_CHECK(wantBroadcastsTo(c, shapeOf(c, 1), shapeOf(c, 0)));
    return inferSame(c);
}

Status inferVariadic(InferContext& c) {
    Shape out = shapeOf(c, 0);
    DType type = dtypeOf(c, 0);
    for (std::size_t i = 1; i < c.inputCount(); ++i) {
        HS_CHECK(wantSameDType(c, {0, i}));
        HS_TRY(out, broadcast(c, out, shapeOf(c, i)));
        if (type == DType::Undefined) type = dtypeOf(c, i);
    }
    c.setOutput(0, type, std::move(out));
    return {};
}

double variadicFlops(const Model&, const Node& node, const TypeTable& types) {
    const auto dims = types.type(node.outputs[0]).shape.concrete();
    return dims ? static_cast<double>(elementCount(*dims).value_or(0)) * static_cast<double>(node.inputs.size() > 1 ? node.inputs.size() - 1 : 0) : 0;
}

Status inferWhere(InferContext& c) {
    if (dtypeOf(c, 0) != DType::Undefined && dtypeOf(c, 0) != DType::Bool) return bad(c, "the condition is {}, bool is needed", dtypeName(dtypeOf(c, 0)));
    HS_CHECK(wantSameDType(c, {1, 2}));
    HS_TRY(const Shape values, broadcast(c, shapeOf(c, 1), shapeOf(c, 2)));
    HS_TRY(Shape out, broadcast(c, shapeOf(c, 0), values));
    c.setOutput(0, dtypeOf(c, 1) != DType::Undefined ? dtypeOf(c, 1) : dtypeOf(c, 2), std::move(out));
    return {};
}

/// `to` names the type: a number since opset 6, a name before.
Status inferCast(InferContext& c) {
    std::optional<DType> to;
    if (const auto* number = c.node().get<std::int64_t>("to")) to = dtypeFromOnnx(*number);
    if (const auto* name = c.node().get<std::string>("to")) {
        std::string lower = *name;
        for (char& letter : lower)
            letter = static_cast<char>(letter >= 'A' && letter <= 'Z' ? letter - 'A' + 'a' : letter);
        to = dtypeFromName(lower == "float" ? "float32" : lower == "double" ? "float64" : lower);
    }
    if (!to || *to == DType::Undefined) return bad(c, "attribute \"to\" names no known element type");
    c.setOutput(0, *to, shapeOf(c, 0));
    return {};
}

Status inferCastLike(InferContext& c) {
    c.setOutput(0, dtypeOf(c, 1), shapeOf(c, 0));
    return {};
}

/// Same bits, same shape: the widths must agree.
Status inferBitCast(InferContext& c) {
    const auto to = dtypeFromOnnx(c.node().intOr("to", 0));
    if (!to || *to == DType::Undefined) return bad(c, "attribute \"to\" names no known element type");
    if (dtypeOf(c, 0) != DType::Undefined && dtypeBits(dtypeOf(c, 0)) != dtypeBits(*to))
        return bad(c, "{} and {} differ in width", dtypeName(dtypeOf(c, 0)), dtypeName(*to));
    c.setOutput(0, *to, shapeOf(c, 0));
    return {};
}

Status inferClip(InferContext& c) {
    HS_CHECK(wantSameDType(c, {0, 1, 2}));
    return inferSame(c);
}

/// Gate and value of one shape, without broadcasting.
Status inferSwiGlu(InferContext& c) {
    HS_CHECK(wantSameDType(c, {0, 1}));
    HS_CHECK(wantBroadcastsTo(c, shapeOf(c, 1), shapeOf(c, 0)));
    return inferSame(c);
}

}  // namespace

void registerElementwise(OpRegistry& r) {
    for (const auto* name : {"Acos",    "Acosh", "Asin", "Asinh",       "Atan",      "Atanh",     "Ceil",  "Celu", "Cos",        "Cosh",           "Elu",
                             "Exp",     "Floor", "Gelu", "HardSigmoid", "HardSwish", "LeakyRelu", "Log",   "Mish", "Reciprocal", "Round",          "Selu",
                             "Sigmoid", "Sin",   "Sinh", "Softplus",    "Softsign",  "Sqrt",      "Swish", "Tan",  "Tanh",       "ThresholdedRelu"})
        define(r, name, {1, 1}, inferSameFloat);
    for (const auto* name : {"Abs", "BitwiseNot", "Erf", "Neg", "Relu", "Shrink", "Sign"})
        define(r, name, {1, 1}, inferSame);
    for (const auto* name : {"Add", "BitShift", "BitwiseAnd", "BitwiseOr", "BitwiseXor", "Div", "Mod", "Mul", "Sub"})
        define(r, name, {2, 2}, inferBroadcastBinary);
    for (const auto* name : {"Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual"})
        define(r, name, {2, 2}, inferComparison);
    for (const auto* name : {"And", "Or", "Xor"})
        define(r, name, {2, 2}, inferLogic);
    for (const auto* name : {"Max", "Mean", "Min", "Sum"})
        define(r, name, {1, kMany}, inferVariadic, variadicFlops);
    define(r, "IsInf", {1, 1}, inferBool);
    define(r, "IsNaN", {1, 1}, inferBool);
    define(r, "Not", {1, 1}, inferNot);
    define(r, "Pow", {2, 2}, inferPow);
    define(r, "PRelu", {2, 2}, inferPRelu);
    define(r, "Clip", {1, 3}, inferClip);
    define(r, "Where", {3, 3}, inferWhere, noFlops);
    define(r, "Cast", {1, 1}, inferCast, noFlops);
    define(r, "CastLike", {2, 2}, inferCastLike, noFlops);
    define(r, "BitCast", {1, 1}, inferBitCast, noFlops);
    define(r, "SwiGLU", {2, 2}, inferSwiGlu);
}

}  // namespace hs::ops
