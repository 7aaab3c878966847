// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "executors/reference/contrib_parts.h"
#include "executors/reference/gemm.h"

namespace hs::ref {
namespace {

/// The axes of an operand in the order in which the product wants them. `batch`: the first axis goes behind the batch
/// axes; `matrix`: the last two axes are swapped after that.
Values arranged(const Values& x, Dims& dims, bool batch, bool matrix) {
    const std::size_t rank = dims.size();
    if (rank < 2 || (!batch && !matrix)) return x;
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < rank; ++i)
        order.push_back(i);
    if (batch) std::rotate(order.begin(), order.begin() + 1, order.end() - 1);
    if (matrix) std::swap(order[rank - 1], order[rank - 2]);
    const Dims own = stridesOf(dims);
    Dims result;
    for (const std::size_t axis : order)
        result.push_back(dims[axis]);
    Values out(x.size());
    Dims index(rank, 0);
    for (double& v : out) {
        std::int64_t at = 0;
        for (std::size_t d = 0; d < rank; ++d)
            at += index[d] * own[order[d]];
        v = x[static_cast<std::size_t>(at)];
        advance(index, result);
    }
    dims = result;
    return out;
}

Result<Values> fusedProduct(Call& c, Dims& dims) {
    HS_CHECK(c.need(2));
    HS_TRY(Values a, values(c, 0));
    HS_TRY(Values b, values(c, 1));
    Dims aDims = c.dims(0);
    Dims bDims = c.dims(1);
    a = arranged(a, aDims, c.node().intOr("transBatchA", 0) != 0, c.node().intOr("transA", 0) != 0);
    b = arranged(b, bDims, c.node().intOr("transBatchB", 0) != 0, c.node().intOr("transB", 0) != 0);
    HS_TRY(Values y, productOf(a, aDims, b, bDims, dims));
    const double alpha = c.node().floatOr("alpha", 1.0F);
    for (double& v : y)
        v *= alpha;
    return y;
}

Status fusedMatMul(Call& c) {
    Dims dims;
    HS_TRY(const Values y, fusedProduct(c, dims));
    return emit(c, 0, c.declared(), dims, y);
}

/// Applies the node's activation with the parameters activation_alpha, _beta and _gamma.
void activate(const Call& c, Values& y) {
    const std::string name = c.node().stringOr("activation", "");
    const FusedActivation f = fusedActivation(name);
    if (f == nullptr) return;
    std::array<double, 3> parameters = fusedDefaults(name);
    const char* const names[] = {"activation_alpha", "activation_beta", "activation_gamma"};
    for (std::size_t i = 0; i < 3; ++i)
        if (const float* given = c.node().get<float>(names[i])) parameters[i] = static_cast<double>(*given);
    for (double& v : y)
        v = f(v, parameters);
}

Status fusedMatMulActivation(Call& c) {
    Dims dims;
    HS_TRY(Values y, fusedProduct(c, dims));
    activate(c, y);
    return emit(c, 0, c.declared(), dims, y);
}

/// Adds `factor` times an input that broadcasts to `dims`.
Status addScaled(Call& c, std::size_t input, double factor, const Dims& dims, Values& y) {
    if (!c.has(input) || y.empty()) return {};
    const std::array<const Dims*, 2> both = {&dims, &c.dims(input)};
    HS_TRY(const Broadcast broadcast, Broadcast::make(both));
    if (broadcast.dims() != dims) return c.bad("the bias {} does not broadcast to {}", toString(c.dims(input)), toString(dims));
    HS_TRY(const Values bias, values(c, input));
    broadcast.rows([&](std::int64_t at, const std::int64_t* from, std::int64_t n) {
        for (std::int64_t i = 0; i < n; ++i)
            y[static_cast<std::size_t>(at + i)] += factor * bias[static_cast<std::size_t>(from[1] + i * broadcast.step(1))];
    });
    return {};
}

Status fusedGemm(Call& c) {
    HS_CHECK(c.need(2));
    if (c.dims(0).size() != 2 || c.dims(1).size() != 2) return c.bad("both operands must be matrices");
    Dims dims;
    HS_TRY(Values y, fusedProduct(c, dims));
    HS_CHECK(addScaled(c, 2, c.node().floatOr("beta", 1.0F), dims, y));
    activate(c, y);
    return emit(c, 0, c.declared(), dims, y);
}

/// Integers less a zero point, which is one number or one per column.
Result<Values> centred(Call& c, std::size_t operand, std::size_t zeroPoint, bool perColumn) {
    HS_TRY(Values x, values(c, operand));
    if (!c.has(zeroPoint)) return x;
    HS_TRY(const Values zero, values(c, zeroPoint));
    const auto columns = static_cast<std::size_t>(c.dims(operand).empty() ? 1 : c.dims(operand).back());
    if (zero.size() != 1 && (!perColumn || zero.size() != columns))
        return c.unsupported("a zero point of shape {} is not supported", toString(c.dims(zeroPoint)));
    for (std::size_t i = 0; i < x.size(); ++i)
        x[i] -= zero[zero.size() == 1 ? 0 : i % columns];
    return x;
}

/// y = product · scaleA · scaleB (one or per column) + bias
Status scaleColumns(Call& c, Values& y, double scaleA, std::size_t scaleB, std::size_t bias, std::int64_t columns) {
    HS_TRY(const Values scales, values(c, scaleB));
    if (scales.size() != 1 && static_cast<std::int64_t>(scales.size()) != columns)
        return c.unsupported("a scale of shape {} for {} columns is not supported", toString(c.dims(scaleB)), columns);
    HS_TRY(const Values add, valuesOr(c, bias, columns, 0));
    for (std::size_t i = 0; i < y.size(); ++i) {
        const std::size_t column = i % static_cast<std::size_t>(columns);
        y[i] = y[i] * scaleA * scales[scales.size() == 1 ? 0 : column] + add[column];
    }
    return {};
}

/// Inputs: A, B, scale of A, scale of B, zero point of A, zero point of B, bias.
Status matMulIntegerToFloat(Call& c) {
    HS_CHECK(c.need(4));
    if (c.in(2).count() != 1) return c.unsupported("a scale per column of the left operand is not supported");
    HS_TRY(const double scaleA, c.number(2));
    HS_TRY(const Values a, centred(c, 0, 4, false));
    HS_TRY(const Values b, centred(c, 1, 5, true));
    Dims dims;
    HS_TRY(Values y, productOf(a, c.dims(0), b, c.dims(1), dims));
    HS_CHECK(scaleColumns(c, y, scaleA, 3, 6, c.dims(1).back()));
    return emit(c, 0, c.declared(3), dims, y);
}

/// A is quantised to uint8 as DynamicQuantizeLinear does it. Inputs: A, B, scale of B, zero point of B, bias.
Status dynamicQuantizeMatMul(Call& c) {
    HS_CHECK(c.need(3));
    HS_TRY(Values a, values(c, 0));
    float low = 0;
    float high = 0;
    for (const double v : a) {
        low = std::min(low, static_cast<float>(v));
        high = std::max(high, static_cast<float>(v));
    }
    const float scale = high == low ? 1.0F : (high - low) / 255.0F;
    const float zero = std::clamp(std::nearbyint(-low / scale), 0.0F, 255.0F);
    for (double& v : a)
        v = static_cast<double>(std::clamp(std::nearbyint(static_cast<float>(v) / scale) + zero, 0.0F, 255.0F) - zero);
    HS_TRY(const Values b, centred(c, 1, 3, true));
    Dims dims;
    HS_TRY(Values y, productOf(a, c.dims(0), b, c.dims(1), dims));
    HS_CHECK(scaleColumns(c, y, static_cast<double>(scale), 2, 4, c.dims(1).back()));
    return emit(c, 0, c.declared(), dims, y);
}

/// 32-bit sums that wrap.
Status matMulInteger16(Call& c) {
    HS_CHECK(c.need(2));
    HS_TRY(const MatMulShape shape, MatMulShape::make(c.dims(0), c.dims(1)));
    const bool isUnsigned = c.in(0).dtype() == DType::U16 && c.in(1).dtype() == DType::U16;
    std::array<Tensor, 2> wide;
    for (std::size_t i = 0; i < 2; ++i) {
        if (c.in(i).dtype() != DType::U16 && c.in(i).dtype() != DType::I16) return c.noType(c.in(i).dtype());
        HS_TRY(wide[i], Tensor::allocate(DType::I64, c.dims(i)));
        HS_CHECK(convert(c.in(i), wide[i]));
    }
    HS_TRY(Tensor sums, Tensor::allocate(DType::I64, shape.result));
    HS_CHECK(matmul(shape, wide[0].data<std::int64_t>().data(), wide[1].data<std::int64_t>().data(), sums.data<std::int64_t>().data()));
    HS_TRY(Tensor * y, c.out(0, isUnsigned ? DType::U32 : DType::I32, shape.result));
    return convert(sums, *y);
}

/// Number i of a run of `bits`-wide ones, the first in the lowest bits.
unsigned packedAt(std::span<const std::uint8_t> bytes, std::int64_t i, int bits) {
    const std::int64_t bit = i * bits;
    return (static_cast<unsigned>(bytes[static_cast<std::size_t>(bit / 8)]) >> (bit % 8)) & ((1U << bits) - 1);
}

/// Zero points of every block: given in the type of A, packed like the weights, or the middle of the range.
Result<Values> blockZeros(Call& c, std::int64_t n, std::int64_t blocks, int bits) {
    Values out(static_cast<std::size_t>(n * blocks), std::ldexp(1.0, bits - 1));
    if (!c.has(3)) return out;
    if (c.in(3).dtype() != DType::U8) return valuesOr(c, 3, n * blocks, 0);
    const std::int64_t rowBytes = (blocks * bits + 7) / 8;
    if (c.in(3).count() != n * rowBytes) return c.bad("zero points {} must hold {} rows of {} bytes", toString(c.dims(3)), n, rowBytes);
    const auto bytes = c.in(3).data<std::uint8_t>();
    for (std::int64_t row = 0; row < n; ++row)
        for (std::int64_t b = 0; b < blocks; ++b)
            out[static_cast<std::size_t>(row * blocks + b)] =
                packedAt(bytes.subspan(static_cast<std::size_t>(row * rowBytes), static_cast<std::size_t>(rowBytes)), b, bits);
    return out;
}

/// y = A · dequantised(B)ᵀ. B is [N, blocks of K, packed bytes]; scales and zero points are per block.
Status matMulNBits(Call& c) {
    HS_CHECK(c.need(3));
    const std::int64_t k = c.node().intOr("K", 0);
    const std::int64_t n = c.node().intOr("N", 0);
    const std::int64_t block = c.node().intOr("block_size", 0);
    const auto bits = static_cast<int>(c.node().intOr("bits", 4));
    const Dims& a = c.dims(0);
    if (k < 1 || n < 1 || block < 1 || k > kMaxElements || n > kMaxElements || block > (1 << 20) || a.empty() || a.back() != k)
        return c.bad("input {} with K {}, N {} and block_size {} is out of range", toString(a), k, n, block);
    const std::int64_t blocks = (k + block - 1) / block;
    const std::int64_t blob = block * bits / 8;
    if (c.in(1).dtype() != DType::U8 || c.in(1).count() % n != 0 || c.in(1).count() / n % blocks != 0 || c.in(1).count() / n / blocks != blob)
        return c.bad("weights {} must be {} rows of {} blocks of {} bytes", toString(c.dims(1)), n, blocks, blob);
    HS_TRY(const Values scales, valuesOr(c, 2, n * blocks, 1));
    HS_TRY(const Values zeros, blockZeros(c, n, blocks, bits));
    const auto packed = c.in(1).data<std::uint8_t>();
    Values weights(static_cast<std::size_t>(k * n));  // [K, N]
    for (std::int64_t row = 0; row < n; ++row)
        for (std::int64_t i = 0; i < k; ++i) {
            const std::int64_t b = row * blocks + i / block;
            const unsigned q = packedAt(packed.subspan(static_cast<std::size_t>(b * blob), static_cast<std::size_t>(blob)), i % block, bits);
            weights[static_cast<std::size_t>(i * n + row)] = (q - zeros[static_cast<std::size_t>(b)]) * scales[static_cast<std::size_t>(b)];
        }
    HS_TRY(const Values x, values(c, 0));
    Dims dims;
    HS_TRY(Values y, productOf(x, a, weights, {k, n}, dims));
    if (c.has(5) && !y.empty()) {
        HS_TRY(const Values bias, valuesOr(c, 5, n, 0));
        HS_CHECK(addRow(c, y, bias));
    }
    return emit(c, 0, c.declared(), dims, y);
}

std::string refusesNBits(const Node& node) {
    if (const std::int64_t bits = node.intOr("bits", 4); bits != 2 && bits != 4 && bits != 8) return settingText("bits", bits);
    if (const std::int64_t packed = node.intOr("weight_prepacked", 0); packed != 0) return settingText("weight_prepacked", packed);
    return nodeHas(node, 4) ? "g_idx" : "";
}

constexpr TypeSet kBytes = bit(DType::I8) | bit(DType::U8);
constexpr TypeSet kShorts = bit(DType::I16) | bit(DType::U16);

const Operator kOperators[] = {
    contrib("FusedMatMul", fusedMatMul, kFloats),
    contrib("TransposeMatMul", fusedMatMul, kFloats),
    contrib("FusedMatMulActivation", fusedMatMulActivation, kFloats, Widen::None, 0, refusesActivation),
    contrib("FusedGemm", fusedGemm, kFloats, Widen::None, 0, refusesActivation),
    contrib("MatMulIntegerToFloat", matMulIntegerToFloat, kBytes),
    contrib("DynamicQuantizeMatMul", dynamicQuantizeMatMul, bit(DType::F32)),
    contrib("MatMulInteger16", matMulInteger16, kShorts),
    contrib("MatMulNBits", matMulNBits, kFloats, Widen::None, 0, refusesNBits),
};

}  // namespace

std::span<const Operator> contribMatmulOperators() {
    return kOperators;
}

}  // namespace hs::ref
