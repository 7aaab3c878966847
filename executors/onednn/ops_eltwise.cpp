// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cfloat>
#include <cmath>
#include <optional>

#include "executors/onednn/op_table.h"

namespace hs::dnn {
namespace {

using dnnl::algorithm;

struct Function {
    algorithm kind;
    float alpha = 0;
    float beta = 0;
};

/// A constant scalar of any numeric type that a parameter may have.
std::optional<float> scalarOf(const Tensor* tensor) {
    if (tensor == nullptr || tensor->count() != 1) return std::nullopt;
    switch (tensor->dtype()) {
        case DType::F32: return tensor->data<float>()[0];
        case DType::F64: return static_cast<float>(tensor->data<double>()[0]);
        default: break;
    }
    const auto ints = toInt64s(*tensor);
    return ints.empty() ? std::nullopt : std::optional(static_cast<float>(ints.front()));
}

/// Operators that are one oneDNN function with the node's attributes as parameters. Absent, because oneDNN 2.6's are off by
/// more than 1e-5 of the value and 1e-7: Log (1e-6 at 1), Softplus (8e-6 for very negative values), Mish, Gelu with erf.
std::optional<Function> functionOf(const Node& node) {
    const std::string& op = node.opType;
    if (op == "Elu") return Function{algorithm::eltwise_elu, node.floatOr("alpha", 1.0F)};
    if (op == "Sigmoid") return Function{algorithm::eltwise_logistic};
    if (op == "Tanh") return Function{algorithm::eltwise_tanh};
    if (op == "Sqrt") return Function{algorithm::eltwise_sqrt};
    if (op == "Abs") return Function{algorithm::eltwise_abs};
    if (op == "Neg") return Function{algorithm::eltwise_linear, -1.0F};
    if (op == "Reciprocal") return Function{algorithm::eltwise_pow, 1.0F, -1.0F};
    if (op == "Round") return Function{algorithm::eltwise_round};
    return std::nullopt;
}

Desc flat(const Build& b) {
    return plain({*elementCount(b.inDims(0))});
}

std::size_t elements(const Build& b) {
    return static_cast<std::size_t>(*elementCount(b.inDims(0)));
}

Result<std::unique_ptr<Program>> oneFunction(const Build& b, const Function& f) {
    auto program = b.program("eltwise");
    const Desc data = flat(b);
    program->add(eltwise(program->engine(), f.kind, data, f.alpha, f.beta, Program::attributes()),
                 {{DNNL_ARG_SRC, program->input(0, data)}, {DNNL_ARG_DST, b.result(*program, data)}});
    return program;
}

Result<std::unique_ptr<Program>> buildFunction(const Build& b) {
    const auto function = functionOf(b.node());
    if (!function) return b.unsupported("no such function");
    return oneFunction(b, *function);
}

/// oneDNN's relu and clip give a number for NaN.
Result<std::unique_ptr<Program>> clipped(const Build& b, float low, float high) {
    auto program = b.program("eltwise");
    const Desc data = flat(b);
    program->addLoop("clip", clipLoop(low, high), program->input(0, data), b.result(*program, data), elements(b));
    return program;
}

Result<std::unique_ptr<Program>> buildRelu(const Build& b) {
    return clipped(b, 0, INFINITY);
}

Result<std::unique_ptr<Program>> buildLeakyRelu(const Build& b) {
    const float slope = b.node().floatOr("alpha", 0.01F);
    return slope == 0.0F ? buildRelu(b) : oneFunction(b, {algorithm::eltwise_relu, slope});
}

Result<std::unique_ptr<Program>> buildExp(const Build& b) {
    HS_TRY(auto program, oneFunction(b, {algorithm::eltwise_exp}));
    const Desc data = flat(b);
    program->addLoop("nan", keepNanLoop(), program->input(0, data), b.result(*program, data), elements(b));
    return program;
}

Support supportsGelu(const Asked& asked) {
    return asked.node().stringOr("approximate", "none") == "tanh" ? Support::yes() : asked.noAttribute("approximate=none (oneDNN's erf is not exact enough)");
}

/// x/2·(1 + tanh(u)) = x·sigmoid(2u) with u = √(2/π)·(x + 0.044715·x³). Written so, it does not cancel for negative x as
/// oneDNN's own does.
Result<std::unique_ptr<Program>> buildGelu(const Build& b) {
    constexpr float kTwoSqrt2OverPi = 1.5957691216057308F;
    auto program = b.program("eltwise");
    const Desc data = flat(b);
    const Slot x = program->input(0, data);
    dnnl::post_ops after;
    appendEltwise(after, algorithm::eltwise_linear, kTwoSqrt2OverPi * 0.044715F, kTwoSqrt2OverPi);
    appendBinary(after, algorithm::binary_mul, data);
    appendEltwise(after, algorithm::eltwise_logistic, 0, 0);
    appendBinary(after, algorithm::binary_mul, data);
    dnnl::primitive_attr attr = Program::attributes();
    attr.set_post_ops(after);
    program->add(binary(program->engine(), algorithm::binary_mul, data, data, data, attr), {{DNNL_ARG_SRC_0, x},
                                                                                            {DNNL_ARG_SRC_1, x},
                                                                                            {DNNL_ARG_DST, b.result(*program, data)},
                                                                                            {DNNL_ARG_ATTR_MULTIPLE_POST_OP(1) | DNNL_ARG_SRC_1, x},
                                                                                            {DNNL_ARG_ATTR_MULTIPLE_POST_OP(3) | DNNL_ARG_SRC_1, x}});
    return program;
}

Result<std::unique_ptr<Program>> buildHardSwish(const Build& b) {
    auto program = b.program("eltwise");
    const Desc data = flat(b);
    program->add(hardSwish(program->engine(), data, Program::attributes()),
                 {{DNNL_ARG_SRC, program->input(0, data)}, {DNNL_ARG_DST, b.result(*program, data)}});
    return program;
}

/// max(0, min(1, alpha·x + beta)) in two passes: oneDNN 2 has no single one.
Result<std::unique_ptr<Program>> buildHardSigmoid(const Build& b) {
    auto program = b.program("eltwise");
    const Desc data = flat(b);
    const Slot y = b.result(*program, data);
    program->add(
        eltwise(program->engine(), algorithm::eltwise_linear, data, b.node().floatOr("alpha", 0.2F), b.node().floatOr("beta", 0.5F), Program::attributes()),
        {{DNNL_ARG_SRC, program->input(0, data)}, {DNNL_ARG_DST, y}});
    program->addLoop("clip", clipLoop(0, 1), y, y, elements(b));
    return program;
}

/// Bounds are attributes before opset 11 and constant inputs since.
Support supportsClip(const Asked& asked) {
    for (std::size_t i = 1; i < 3; ++i)
        if (asked.hasInput(i) && !scalarOf(asked.constant(i))) return asked.noAttribute("bounds that are not constant");
    return Support::yes();
}

Result<std::unique_ptr<Program>> buildClip(const Build& b) {
    std::array<float, 2> bounds = {b.node().floatOr("min", -FLT_MAX), b.node().floatOr("max", FLT_MAX)};
    for (std::size_t i = 0; i < 2; ++i) {
        if (!b.hasInput(i + 1)) continue;
        const auto known = scalarOf(b.constant(i + 1));
        if (!known) return b.unsupported("a bound is not constant");
        bounds[i] = *known;
    }
    return clipped(b, bounds[0], bounds[1]);
}

Support supportsPow(const Asked& asked) {
    const auto value = asked.hasInput(1) ? scalarOf(asked.constant(1)) : std::nullopt;
    if (!value) return asked.noAttribute("an exponent that is not a constant scalar");
    if (*value == 0.5F) return asked.noAttribute("exponent 0.5 (oneDNN's square root gives NaN for -inf)");
    if (const Tensor* exponent = asked.constant(1); exponent->rank() > asked.in(0).shape.rank()) return asked.noShape("an exponent of higher rank");
    return Support::yes();
}

Result<std::unique_ptr<Program>> buildPow(const Build& b) {
    const auto exponent = scalarOf(b.constant(1));
    if (!exponent) return b.unsupported("the exponent is not a constant scalar");
    if (*exponent == 2.0F) return oneFunction(b, {algorithm::eltwise_square});
    return oneFunction(b, {algorithm::eltwise_pow, 1.0F, *exponent});
}

/// The slope spreads over the data from the right; its sizes are 1 or the data's.
Support supportsPRelu(const Asked& asked) {
    if (!asked.hasInput(1)) return asked.noShape("there is no slope");
    const std::size_t rank = asked.in(0).shape.rank();
    if (rank == 0 || rank > 5) return asked.noShape("only rank 1 to 5");
    if (asked.in(1).shape.rank() > rank) return asked.noShape("a slope of higher rank than the data");
    return Support::yes();
}

Result<std::unique_ptr<Program>> buildPRelu(const Build& b) {
    const Desc data = plain(b.inDims(0));
    MemoryDims slope = b.inDims(1);
    slope.insert(slope.begin(), b.inDims(0).size() - slope.size(), 1);
    const Desc weights = plain(slope);
    auto program = b.program("prelu");
    const Primitive primitive = prelu(program->engine(), data, weights, Program::attributes());
    program->add(primitive,
                 {{DNNL_ARG_SRC, program->input(0, data)}, {DNNL_ARG_WEIGHTS, program->input(1, weights)}, {DNNL_ARG_DST, b.result(*program, data)}});
    return program;
}

constexpr std::array kOps = {
    OpEntry{"Relu", nullptr, buildRelu},           OpEntry{"LeakyRelu", nullptr, buildLeakyRelu},
    OpEntry{"Elu", nullptr, buildFunction},        OpEntry{"Sigmoid", nullptr, buildFunction},
    OpEntry{"Tanh", nullptr, buildFunction},       OpEntry{"Exp", nullptr, buildExp},
    OpEntry{"Sqrt", nullptr, buildFunction},       OpEntry{"Abs", nullptr, buildFunction},
    OpEntry{"Neg", nullptr, buildFunction},        OpEntry{"Reciprocal", nullptr, buildFunction},
    OpEntry{"Round", nullptr, buildFunction},      OpEntry{"Gelu", supportsGelu, buildGelu},
    OpEntry{"HardSwish", nullptr, buildHardSwish}, OpEntry{"HardSigmoid", nullptr, buildHardSigmoid},
    OpEntry{"Clip", supportsClip, buildClip, 1},   OpEntry{"Pow", supportsPow, buildPow, 1},
    OpEntry{"PRelu", supportsPRelu, buildPRelu},
};

}  // namespace

std::span<const OpEntry> eltwiseOps() {
    return kOps;
}

}  // namespace hs::dnn
