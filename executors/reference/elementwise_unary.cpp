// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <numbers>

#include "executors/reference/registry.h"

namespace hs::ref {
namespace {

/// y = f(x), evaluated in double and rounded once.
template <class F>
Status floats(Call& call, F f) {
    HS_CHECK(call.need(1));
    const Tensor& x = call.in(0);
    HS_TRY(Tensor * y, call.outT(0, x.dims()));
    const auto apply = [&]<class T>(T) {
        const auto from = x.data<T>();
        auto to = y->data<T>();
        for (std::size_t i = 0; i < from.size(); ++i)
            to[i] = static_cast<T>(f(static_cast<double>(from[i])));
        return Status{};
    };
    if (x.dtype() == DType::F32) return apply(float{});
    if (x.dtype() == DType::F64) return apply(double{});
    return call.noType(x.dtype());
}

/// The same for types that may also be integers; `whole` maps int64 (wrapping).
template <class F, class G>
Status numbers(Call& call, F f, G whole) {
    HS_CHECK(call.need(1));
    const Tensor& x = call.in(0);
    if (x.dtype() != DType::I64 && x.dtype() != DType::U64) return floats(call, f);
    HS_TRY(Tensor * y, call.outT(0, x.dims()));
    const bool isUnsigned = x.dtype() == DType::U64;
    const auto from = x.data<std::int64_t>();
    auto to = y->data<std::int64_t>();
    for (std::size_t i = 0; i < from.size(); ++i)
        to[i] = isUnsigned ? from[i] : whole(from[i]);
    return {};
}

std::int64_t negated(std::int64_t v) {
    return static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(v));
}

double sigmoid(double v) {
    return v >= 0 ? 1 / (1 + std::exp(-v)) : std::exp(v) / (1 + std::exp(v));
}
double softplus(double v) {
    return v > 0 ? v + std::log1p(std::exp(-v)) : std::log1p(std::exp(v));
}
double clamp(double v, double low, double high) {
    return v < low ? low : v > high ? high : v;
}

Status abs(Call& c) {
    return numbers(
        c, [](double v) { return std::fabs(v); }, [](std::int64_t v) { return v < 0 ? negated(v) : v; });
}
Status neg(Call& c) {
    return numbers(
        c, [](double v) { return -v; }, negated);
}
Status relu(Call& c) {
    return numbers(
        c, [](double v) { return v < 0 ? 0.0 : v; }, [](std::int64_t v) { return v < 0 ? 0 : v; });
}
Status sign(Call& c) {
    HS_CHECK(c.need(1));
    if (c.in(0).dtype() == DType::U64) {
        HS_TRY(Tensor * y, c.outT(0, c.dims(0)));
        for (std::size_t i = 0; i < y->data<std::uint64_t>().size(); ++i)
            y->data<std::uint64_t>()[i] = c.in(0).data<std::uint64_t>()[i] != 0 ? 1 : 0;
        return {};
    }
    return numbers(
        c, [](double v) { return v > 0   ? 1.0
                                 : v < 0 ? -1.0
                                         : v; }, [](std::int64_t v) { return std::int64_t{v > 0} - std::int64_t{v < 0}; });
}

Status elu(Call& c) {
    const double alpha = c.node().floatOr("alpha", 1.0F);
    return floats(c, [=](double v) { return v < 0 ? alpha * std::expm1(v) : v; });
}
Status celu(Call& c) {
    const double alpha = c.node().floatOr("alpha", 1.0F);
    if (alpha == 0) return c.bad("alpha must not be zero");
    return floats(c, [=](double v) { return (v > 0 ? v : 0) + (v < 0 ? alpha * std::expm1(v / alpha) : 0); });
}
Status selu(Call& c) {
    const double alpha = c.node().floatOr("alpha", 1.67326319217681884765625F);
    const double gamma = c.node().floatOr("gamma", 1.05070102214813232421875F);
    return floats(c, [=](double v) { return v > 0 ? gamma * v : gamma * alpha * std::expm1(v); });
}
Status leakyRelu(Call& c) {
    const double alpha = c.node().floatOr("alpha", 0.01F);
    return floats(c, [=](double v) { return v < 0 ? alpha * v : v; });
}
Status thresholdedRelu(Call& c) {
    const double alpha = c.node().floatOr("alpha", 1.0F);
    return floats(c, [=](double v) { return v > alpha ? v : 0.0; });
}
Status hardSigmoid(Call& c) {
    const double alpha = c.node().floatOr("alpha", 0.2F);
    const double beta = c.node().floatOr("beta", 0.5F);
    return floats(c, [=](double v) { return clamp(alpha * v + beta, 0, 1); });
}
Status hardSwish(Call& c) {
    return floats(c, [](double v) { return v * clamp(v / 6 + 0.5, 0, 1); });
}
Status shrink(Call& c) {
    const double bias = c.node().floatOr("bias", 0.0F);
    const double lambda = c.node().floatOr("lambd", 0.5F);
    return floats(c, [=](double v) { return v < -lambda ? v + bias : v > lambda ? v - bias : 0.0; });
}
Status gelu(Call& c) {
    const std::string approximate = c.node().stringOr("approximate", "none");
    if (approximate == "tanh") {
        const double k = std::sqrt(2 / std::numbers::pi);
        return floats(c, [=](double v) { return 0.5 * v * (1 + std::tanh(k * (v + 0.044715 * v * v * v))); });
    }
    if (approximate != "none") return c.bad("approximate must be \"none\" or \"tanh\", not \"{}\"", approximate);
    return floats(c, [](double v) { return 0.5 * v * (1 + std::erf(v / std::numbers::sqrt2)); });
}
Status swish(Call& c) {
    const double alpha = c.node().floatOr("alpha", 1.0F);
    return floats(c, [=](double v) { return v * sigmoid(alpha * v); });
}
Status mish(Call& c) {
    return floats(c, [](double v) { return v * std::tanh(softplus(v)); });
}

// Ties to even, in the default rounding mode.
Status round(Call& c) {
    return floats(c, [](double v) { return std::nearbyint(v); });
}

template <double (*kFunction)(double)>
Status plain(Call& c) {
    return floats(c, kFunction);
}
double reciprocal(double v) {
    return 1 / v;
}
double softsign(double v) {
    return v / (1 + std::fabs(v));
}

constexpr Widen kF = Widen::Floats;

const Operator kOperators[] = {
    {"Abs", abs, kNumbers, Widen::Numbers},
    {"Neg", neg, kNumbers, Widen::Numbers},
    {"Relu", relu, kNumbers, Widen::Numbers},
    {"Sign", sign, kNumbers, Widen::Numbers},
    {"Acos", plain<std::acos>, kFloats, kF},
    {"Acosh", plain<std::acosh>, kFloats, kF},
    {"Asin", plain<std::asin>, kFloats, kF},
    {"Asinh", plain<std::asinh>, kFloats, kF},
    {"Atan", plain<std::atan>, kFloats, kF},
    {"Atanh", plain<std::atanh>, kFloats, kF},
    {"Ceil", plain<std::ceil>, kFloats, kF},
    {"Celu", celu, kFloats, kF},
    {"Cos", plain<std::cos>, kFloats, kF},
    {"Cosh", plain<std::cosh>, kFloats, kF},
    {"Elu", elu, kFloats, kF},
    {"Erf", plain<std::erf>, kFloats, kF},
    {"Exp", plain<std::exp>, kFloats, kF},
    {"Floor", plain<std::floor>, kFloats, kF},
    {"Gelu", gelu, kFloats, kF},
    {"HardSigmoid", hardSigmoid, kFloats, kF},
    {"HardSwish", hardSwish, kFloats, kF},
    {"LeakyRelu", leakyRelu, kFloats, kF},
    {"Log", plain<std::log>, kFloats, kF},
    {"Mish", mish, kFloats, kF},
    {"Reciprocal", plain<reciprocal>, kFloats, kF},
    {"Round", round, kFloats, kF},
    {"Selu", selu, kFloats, kF},
    {"Shrink", shrink, kFloats, kF},
    {"Sigmoid", plain<sigmoid>, kFloats, kF},
    {"Sin", plain<std::sin>, kFloats, kF},
    {"Sinh", plain<std::sinh>, kFloats, kF},
    {"Softplus", plain<softplus>, kFloats, kF},
    {"Softsign", plain<softsign>, kFloats, kF},
    {"Sqrt", plain<std::sqrt>, kFloats, kF},
    {"Swish", swish, kFloats, kF},
    {"Tan", plain<std::tan>, kFloats, kF},
    {"Tanh", plain<std::tanh>, kFloats, kF},
    {"ThresholdedRelu", thresholdedRelu, kFloats, kF},
};

}  // namespace

std::span<const Operator> unaryOperators() {
    return kOperators;
}

}  // namespace hs::ref
