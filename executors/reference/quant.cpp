// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "executors/reference/conv_parts.h"
#include "executors/reference/gemm.h"
#include "executors/reference/registry.h"
#include "executors/reference/values.h"

namespace hs::ref {
namespace {

struct Bounds {
    double low, high;
};
Bounds boundsOf(DType type) {
    const int bits = dtypeBits(type);
    if (isUnsignedInteger(type)) return {0, std::ldexp(1.0, bits) - 1};
    return {-std::ldexp(1.0, bits - 1), std::ldexp(1.0, bits - 1) - 1};
}

/// Which scale belongs to an element: one for all, one per slice of the axis, or one per block along it.
class ScaleMap {
public:
    static Result<ScaleMap> make(const Call& c, const Dims& x, const Dims& scale) {
        ScaleMap m;
        const std::int64_t count = product(scale);
        const std::int64_t block = c.node().intOr("block_size", 0);
        if (scale.size() <= 1 && count == 1) return m;
        HS_TRY(const std::size_t axis, c.axis(c.node().intOr("axis", 1), x.size()));
        const AxisView view(x, axis);
        m.m_inner = view.inner;
        m.m_size = view.size;
        if (scale.size() == 1) {
            if (count != view.size) return c.bad("the scale has {} elements, axis {} has {}", count, axis, view.size);
            m.m_perAxis = true;
            return m;
        }
        Dims blocks = x;
        if (block < 1 || block > kMaxElements) return c.bad("a scale of rank {} needs block_size", scale.size());
        blocks[axis] = (x[axis] + block - 1) / block;
        if (scale != blocks) return c.bad("the scale {} does not fit input {} in blocks of {}", toString(scale), toString(x), block);
        m.m_block = block;
        m.m_blocks = blocks[axis];
        return m;
    }
    std::size_t at(std::size_t i) const {
        const auto flat = static_cast<std::int64_t>(i);
        if (m_perAxis) return static_cast<std::size_t>(flat / m_inner % m_size);
        if (m_block == 0) return 0;
        const std::int64_t k = flat / m_inner % m_size;
        return static_cast<std::size_t>((flat / m_inner / m_size * m_blocks + k / m_block) * m_inner + flat % m_inner);
    }

private:
    bool m_perAxis = false;
    std::int64_t m_inner = 1, m_size = 1, m_block = 0, m_blocks = 1;
};

Status emitQuantized(Call& c, std::size_t output, DType type, const Dims& dims, const Values& x, bool saturate) {
    HS_TRY(Tensor * y, c.out(output, type, dims));
    if (x.empty()) return {};
    if (y->bytes() != 0) fillZero(*y);
    ConvertOptions options;
    options.saturate = saturate;
    return convert(Tensor::borrow(DType::F64, dims, const_cast<double*>(x.data())), *y, options);
}

/// Rounds half to even, adds the zero point and saturates to an integer type.
double quantized(double scaled, double zero, const Bounds& bounds) {
    return std::isnan(scaled) ? zero : std::clamp(std::nearbyint(scaled) + zero, bounds.low, bounds.high);
}

Status quantizeLinear(Call& c) {
    HS_CHECK(c.need(2));
    DType type = dtypeFromOnnx(c.node().intOr("output_dtype", 0)).value_or(DType::U8);
    if (c.has(2)) type = c.in(2).dtype();
    HS_TRY(Values x, values(c, 0));
    HS_TRY(const Values scale, values(c, 1));
    HS_TRY(const Values zero, valuesOr(c, 2, c.in(1).count(), 0));
    HS_TRY(const ScaleMap map, ScaleMap::make(c, c.dims(0), c.dims(1)));
    // The quotient is rounded to the computing precision before it is rounded to an integer.
    const DType precision = dtypeFromOnnx(c.node().intOr("precision", 0)).value_or(c.in(1).dtype());
    for (std::size_t i = 0; i < x.size(); ++i) {
        const std::size_t s = map.at(i);
        x[i] /= scale[s];
        if (precision != DType::F64) x[i] = static_cast<double>(static_cast<float>(x[i]));
        if (isInteger(type)) x[i] = quantized(x[i], zero[s], boundsOf(type));
    }
    return emitQuantized(c, 0, type, c.dims(0), x, c.node().intOr("saturate", 1) != 0);
}

Status dequantizeLinear(Call& c) {
    HS_CHECK(c.need(2));
    HS_TRY(Values x, values(c, 0));
    HS_TRY(const Values scale, values(c, 1));
    HS_TRY(const Values zero, valuesOr(c, 2, c.in(1).count(), 0));
    HS_TRY(const ScaleMap map, ScaleMap::make(c, c.dims(0), c.dims(1)));
    for (std::size_t i = 0; i < x.size(); ++i)
        x[i] = (x[i] - zero[map.at(i)]) * scale[map.at(i)];
    return emit(c, 0, dtypeFromOnnx(c.node().intOr("output_dtype", 0)).value_or(c.in(1).dtype()), c.dims(0), x);
}

/// uint8 with a range that includes zero; every step in float32, as the operator's definition has it.
Status dynamicQuantizeLinear(Call& c) {
    HS_CHECK(c.need(1));
    HS_TRY(Values x, values(c, 0));
    float low = 0;
    float high = 0;
    for (const double v : x) {
        low = std::min(low, static_cast<float>(v));
        high = std::max(high, static_cast<float>(v));
    }
    const float scale = high == low ? 1.0F : (high - low) / 255.0F;
    const float zero = std::clamp(std::nearbyint(-low / scale), 0.0F, 255.0F);
    for (double& v : x)
        v = quantized(static_cast<double>(static_cast<float>(v) / scale), static_cast<double>(zero), {0, 255});
    HS_CHECK(emit(c, 0, DType::U8, c.dims(0), x));
    HS_CHECK(emit(c, 1, DType::F32, {}, {static_cast<double>(scale)}));
    return emit(c, 2, DType::U8, {}, {static_cast<double>(zero)});
}

/// Integers of an operand less its zero point. The zero point is one, or one per slice of `axis`.
Result<Tensor> centred(Call& c, std::size_t operand, std::size_t zeroPoint, std::size_t axis) {
    HS_TRY(Tensor wide, Tensor::allocate(DType::I64, c.dims(operand)));
    HS_CHECK(convert(c.in(operand), wide));
    if (!c.has(zeroPoint) || wide.count() == 0) return wide;
    HS_TRY(const std::vector<std::int64_t> zero, c.ints(zeroPoint));
    const AxisView view(c.dims(operand), axis);
    if (zero.size() != 1 && static_cast<std::int64_t>(zero.size()) != view.size) return c.bad("zero point {} has {} elements", zeroPoint, zero.size());
    auto x = wide.data<std::int64_t>();
    for (std::size_t i = 0; i < x.size(); ++i)
        x[i] -= zero[zero.size() == 1 ? 0 : i / static_cast<std::size_t>(view.inner) % static_cast<std::size_t>(view.size)];
    return wide;
}

Status convInteger(Call& c) {
    HS_CHECK(c.need(2));
    HS_TRY(const ConvShape s, ConvShape::make(c, c.dims(0), c.dims(1)));
    HS_TRY(const Tensor x, centred(c, 0, 2, 0));
    HS_TRY(const Tensor w, centred(c, 1, 3, 0));
    HS_TRY(Tensor wide, Tensor::allocate(DType::I64, s.result));
    convolve(s, x.data<std::int64_t>().data(), w.data<std::int64_t>().data(), wide.data<std::int64_t>().data());
    HS_TRY(Tensor * y, c.out(0, DType::I32, s.result));
    return convert(wide, *y);
}

/// Scales accumulators back into the quantized result type. `scaleW` has one entry or one per slice of `axis`.
Status requantize(Call& c, const Tensor& sums, std::size_t axis) {
    constexpr std::size_t scaleX = 1, scaleW = 4, scaleY = 6, zeroY = 7;
    HS_TRY(const double sx, c.number(scaleX));
    HS_TRY(const Values sw, values(c, scaleW));
    HS_TRY(const double sy, c.number(scaleY));
    double zero = 0;
    if (c.has(zeroY)) {
        HS_TRY(zero, c.number(zeroY));
    }
    const DType type = c.has(zeroY) ? c.in(zeroY).dtype() : DType::U8;
    Dims dims = sums.dims();
    if (dims.empty()) dims = {1};
    const AxisView view(dims, std::min(axis, dims.size() - 1));
    if (sw.size() != 1 && static_cast<std::int64_t>(sw.size()) != view.size) return c.bad("the scale of the weights has {} elements", sw.size());
    HS_TRY(Values out, toDoubles(sums));
    for (std::size_t i = 0; i < out.size(); ++i) {
        const std::size_t k = sw.size() == 1 ? 0 : i / static_cast<std::size_t>(view.inner) % static_cast<std::size_t>(view.size);
        out[i] = quantized(out[i] * sx * sw[k] / sy, zero, boundsOf(type));
    }
    return emit(c, 0, type, sums.dims(), out);
}

Status qLinearMatMul(Call& c) {
    HS_CHECK(c.need(8));
    HS_TRY(const MatMulShape shape, MatMulShape::make(c.dims(0), c.dims(3)));
    if (c.in(1).count() != 1) return c.unsupported("a scale per row of the left operand is not supported");
    HS_TRY(const Tensor a, centred(c, 0, 2, c.dims(0).size() < 2 ? 0 : c.dims(0).size() - 2));
    HS_TRY(const Tensor b, centred(c, 3, 5, c.dims(3).size() - 1));
    HS_TRY(Tensor sums, Tensor::allocate(DType::I64, shape.result));
    HS_CHECK(matmul(shape, a.data<std::int64_t>().data(), b.data<std::int64_t>().data(), sums.data<std::int64_t>().data()));
    return requantize(c, sums, shape.result.empty() ? 0 : shape.result.size() - 1);
}

Status qLinearConv(Call& c) {
    HS_CHECK(c.need(8));
    HS_TRY(const ConvShape s, ConvShape::make(c, c.dims(0), c.dims(3)));
    HS_TRY(const Tensor x, centred(c, 0, 2, 0));
    HS_TRY(const Tensor w, centred(c, 3, 5, 0));
    HS_TRY(Tensor sums, Tensor::allocate(DType::I64, s.result));
    convolve(s, x.data<std::int64_t>().data(), w.data<std::int64_t>().data(), sums.data<std::int64_t>().data());
    if (c.has(8)) {
        HS_TRY(const std::vector<std::int64_t> bias, c.ints(8));
        if (static_cast<std::int64_t>(bias.size()) != s.filters) return c.bad("the bias must have {} elements", s.filters);
        const AxisView view(s.result, 1);
        auto out = sums.data<std::int64_t>();
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] += bias[i / static_cast<std::size_t>(view.inner) % bias.size()];
    }
    return requantize(c, sums, 1);
}

constexpr TypeSet kBytes = bit(DType::I8) | bit(DType::U8);

const Operator kOperators[] = {
    {"QuantizeLinear", quantizeLinear, kFloats | bit(DType::I32)},
    {"DequantizeLinear", dequantizeLinear, kInts | kPacked | kFloat8},
    {"DynamicQuantizeLinear", dynamicQuantizeLinear, bit(DType::F32)},
    {"ConvInteger", convInteger, kBytes},
    {"QLinearMatMul", qLinearMatMul, kBytes},
    {"QLinearConv", qLinearConv, kBytes},
};

}  // namespace

std::span<const Operator> quantOperators() {
    return kOperators;
}

}  // namespace hs::ref
