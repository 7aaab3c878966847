// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>

#include "executors/reference/operands.h"
#include "executors/reference/registry.h"

namespace hs::ref {
namespace {

struct Larger {
    template <class T>
    T operator()(T a, T b) const {
        if constexpr (std::is_floating_point_v<T>)
            if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<T>::quiet_NaN();
        return a < b ? b : a;
    }
};
struct Smaller {
    template <class T>
    T operator()(T a, T b) const {
        if constexpr (std::is_floating_point_v<T>)
            if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<T>::quiet_NaN();
        return b < a ? b : a;
    }
};
struct Plus {
    template <class T>
    T operator()(T a, T b) const {
        return a + b;
    }
};

/// Folds inputs 0 … n-1 into the output, from the left; `divisor` scales the result at the end.
template <class T, class Op>
Status fold(Call& c, const Broadcast& broadcast, Tensor& y, T divisor) {
    auto* out = static_cast<T*>(y.raw());
    std::vector<const T*> from;
    for (std::size_t k = 0; k < c.inputCount(); ++k)
        from.push_back(static_cast<const T*>(c.in(k).raw()));
    broadcast.rows([&](std::int64_t at, const std::int64_t* offsets, std::int64_t n) {
        for (std::int64_t i = 0; i < n; ++i) {
            T value = from[0][offsets[0] + i * broadcast.step(0)];
            for (std::size_t k = 1; k < from.size(); ++k)
                value = Op{}(value, from[k][offsets[k] + i * broadcast.step(k)]);
            out[at + i] = value / divisor;
        }
    });
    return {};
}

template <class Op>
Status variadic(Call& c, bool mean = false) {
    HS_CHECK(c.need(std::max<std::size_t>(c.inputCount(), 1)));
    std::vector<const Dims*> dims;
    for (std::size_t k = 0; k < c.inputCount(); ++k) {
        if (c.in(k).dtype() != c.in(0).dtype()) return c.bad("all inputs must have one type");
        dims.push_back(&c.dims(k));
    }
    HS_TRY(const Broadcast broadcast, Broadcast::make(dims));
    HS_TRY(Tensor * y, c.outT(0, broadcast.dims()));
    const auto count = mean ? static_cast<double>(c.inputCount()) : 1.0;
    switch (c.in(0).dtype()) {
        case DType::F32: return fold<float, Op>(c, broadcast, *y, static_cast<float>(count));
        case DType::F64: return fold<double, Op>(c, broadcast, *y, count);
        case DType::I64:
            if constexpr (!std::is_same_v<Op, Plus>) return fold<std::int64_t, Op>(c, broadcast, *y, 1);
            break;
        case DType::U64:
            if constexpr (!std::is_same_v<Op, Plus>) return fold<std::uint64_t, Op>(c, broadcast, *y, 1);
            break;
        default: break;
    }
    return c.noType(c.in(0).dtype());
}

Status max(Call& c) {
    return variadic<Larger>(c);
}
Status min(Call& c) {
    return variadic<Smaller>(c);
}
Status sum(Call& c) {
    return variadic<Plus>(c);
}
Status mean(Call& c) {
    return variadic<Plus>(c, true);
}

/// max(low, min(x, high)), where NaN of x stays. Bounds are attributes before opset 11 and inputs from then on.
template <class T>
Status clipAs(Call& c, T low, T high) {
    if (c.opset() >= 11) {
        for (const std::size_t i : {std::size_t{1}, std::size_t{2}})
            if (c.has(i) && (c.in(i).count() != 1 || c.in(i).dtype() != c.in(0).dtype()))
                return c.bad("input {} must be one element of the type of input 0", i);
        if (c.has(1)) low = c.in(1).data<T>()[0];
        if (c.has(2)) high = c.in(2).data<T>()[0];
    }
    HS_TRY(Tensor * y, c.outT(0, c.dims(0)));
    const auto from = c.in(0).data<T>();
    auto to = y->data<T>();
    for (std::size_t i = 0; i < from.size(); ++i) {
        const T above = from[i] < low ? low : from[i];
        to[i] = above > high ? high : above;
    }
    return {};
}

template <class T>
Status clipFloats(Call& c) {
    const bool attributes = c.opset() < 11;
    const float low = attributes ? c.node().floatOr("min", std::numeric_limits<float>::lowest()) : -std::numeric_limits<float>::infinity();
    const float high = attributes ? c.node().floatOr("max", std::numeric_limits<float>::max()) : std::numeric_limits<float>::infinity();
    return clipAs<T>(c, static_cast<T>(low), static_cast<T>(high));
}

Status clip(Call& c) {
    HS_CHECK(c.need(1));
    switch (c.in(0).dtype()) {
        case DType::F32: return clipFloats<float>(c);
        case DType::F64: return clipFloats<double>(c);
        case DType::I64: return clipAs<std::int64_t>(c, std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max());
        case DType::U64: return clipAs<std::uint64_t>(c, 0, std::numeric_limits<std::uint64_t>::max());
        default: return c.noType(c.in(0).dtype());
    }
}

const Operator kOperators[] = {
    {"Max", max, kNumbers, Widen::Numbers}, {"Min", min, kNumbers, Widen::Numbers},   {"Sum", sum, kFloats, Widen::Floats},
    {"Mean", mean, kFloats, Widen::Floats}, {"Clip", clip, kNumbers, Widen::Numbers},
};

}  // namespace

std::span<const Operator> variadicOperators() {
    return kOperators;
}

}  // namespace hs::ref
