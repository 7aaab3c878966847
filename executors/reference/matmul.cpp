// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "executors/reference/convert.h"
#include "executors/reference/gemm.h"
#include "executors/reference/registry.h"
#include "executors/reference/walk.h"

namespace hs::ref {
namespace {

template <class T>
Status matmulAs(Call& c, const MatMulShape& shape, Tensor& y) {
    return matmul(shape, static_cast<const T*>(c.in(0).raw()), static_cast<const T*>(c.in(1).raw()), static_cast<T*>(y.raw()));
}

Status matMul(Call& c) {
    HS_CHECK(c.need(2));
    if (c.in(0).dtype() != c.in(1).dtype()) return c.bad("both operands must have one type");
    HS_TRY(const MatMulShape shape, MatMulShape::make(c.dims(0), c.dims(1)));
    HS_TRY(Tensor * y, c.outT(0, shape.result));
    switch (c.in(0).dtype()) {
        case DType::F32: return matmulAs<float>(c, shape, *y);
        case DType::F64: return matmulAs<double>(c, shape, *y);
        case DType::I64:
        case DType::U64: return matmulAs<std::int64_t>(c, shape, *y);
        default: return c.noType(c.in(0).dtype());
    }
}

/// y = alpha·product + beta·c, the bias broadcast to the result (unidirectionally).
template <class T>
Status gemmAs(Call& c, std::int64_t m, std::int64_t n, std::int64_t k, bool transA, bool transB, Tensor& y) {
    const T* a = c.in(0).data<T>().data();
    const T* b = c.in(1).data<T>().data();
    std::vector<T> aCopy;
    std::vector<T> bCopy;
    if (transA) {
        aCopy = transposed(a, k, m);
        a = aCopy.data();
    }
    if (transB) {
        bCopy = transposed(b, n, k);
        b = bCopy.data();
    }
    T* out = y.data<T>().data();
    multiply(a, k, b, n, out, n, m, n, k);
    const auto alpha = static_cast<T>(c.node().floatOr("alpha", 1.0F));
    const auto beta = static_cast<T>(c.node().floatOr("beta", 1.0F));
    for (std::int64_t i = 0; alpha != T{1} && i < m * n; ++i)
        out[i] *= alpha;
    if (!c.has(2) || m * n == 0) return {};
    const std::array<const Dims*, 2> both = {&y.dims(), &c.dims(2)};
    HS_TRY(const Broadcast broadcast, Broadcast::make(both));
    if (broadcast.dims() != y.dims()) return c.bad("the bias {} does not broadcast to {}", toString(c.dims(2)), toString(y.dims()));
    const T* bias = c.in(2).data<T>().data();
    broadcast.rows([&](std::int64_t at, const std::int64_t* from, std::int64_t count) {
        for (std::int64_t i = 0; i < count; ++i)
            out[at + i] += beta * bias[from[1] + i * broadcast.step(1)];
    });
    return {};
}

Status gemm(Call& c) {
    HS_CHECK(c.need(2));
    if (c.dims(0).size() != 2 || c.dims(1).size() != 2) return c.bad("both operands must be matrices");
    const bool transA = c.node().intOr("transA", 0) != 0;
    const bool transB = c.node().intOr("transB", 0) != 0;
    const std::int64_t m = c.dims(0)[transA ? 1 : 0];
    const std::int64_t k = c.dims(0)[transA ? 0 : 1];
    const std::int64_t n = c.dims(1)[transB ? 0 : 1];
    if (c.dims(1)[transB ? 1 : 0] != k) return c.bad("the inner sizes of {} and {} differ", toString(c.dims(0)), toString(c.dims(1)));
    for (std::size_t i = 1; i < c.inputCount(); ++i)
        if (c.has(i) && c.in(i).dtype() != c.in(0).dtype()) return c.bad("all operands must have one type");
    HS_TRY(Tensor * y, c.outT(0, {m, n}));
    switch (c.in(0).dtype()) {
        case DType::F32: return gemmAs<float>(c, m, n, k, transA, transB, *y);
        case DType::F64: return gemmAs<double>(c, m, n, k, transA, transB, *y);
        case DType::I64:
        case DType::U64: return gemmAs<std::int64_t>(c, m, n, k, transA, transB, *y);
        default: return c.noType(c.in(0).dtype());
    }
}

/// An integer operand less its zero point, as int64. A vector zero point belongs to the rows (a) or the columns (b).
Result<Tensor> centred(Call& c, std::size_t operand, std::size_t zeroPoint, bool perRow) {
    HS_TRY(Tensor wide, Tensor::allocate(DType::I64, c.dims(operand)));
    HS_CHECK(convert(c.in(operand), wide));
    if (!c.has(zeroPoint)) return wide;
    HS_TRY(const std::vector<std::int64_t> zero, c.ints(zeroPoint));
    auto values = wide.data<std::int64_t>();
    if (values.empty()) return wide;
    const Dims& dims = c.dims(operand);
    const auto columns = static_cast<std::size_t>(dims.empty() ? 1 : dims.back());
    const auto rows = dims.size() < 2 ? std::size_t{1} : static_cast<std::size_t>(dims[dims.size() - 2]);
    const std::size_t wanted = perRow ? rows : columns;
    if (zero.size() != 1 && zero.size() != wanted) return c.bad("zero point {} has {} elements, not 1 or {}", zeroPoint, zero.size(), wanted);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] -= zero[zero.size() == 1 ? 0 : perRow ? i / columns % rows : i % columns];
    return wide;
}

Status matMulInteger(Call& c) {
    HS_CHECK(c.need(2));
    HS_TRY(const MatMulShape shape, MatMulShape::make(c.dims(0), c.dims(1)));
    HS_TRY(const Tensor a, centred(c, 0, 2, true));
    HS_TRY(const Tensor b, centred(c, 1, 3, false));
    HS_TRY(Tensor wide, Tensor::allocate(DType::I64, shape.result));
    HS_CHECK(matmul(shape, a.data<std::int64_t>().data(), b.data<std::int64_t>().data(), wide.data<std::int64_t>().data()));
    HS_TRY(Tensor * y, c.out(0, DType::I32, shape.result));
    return convert(wide, *y);
}

const Operator kOperators[] = {
    {"MatMul", matMul, kNumbers, Widen::Numbers},
    {"Gemm", gemm, kNumbers, Widen::Numbers},
    {"MatMulInteger", matMulInteger, bit(DType::I8) | bit(DType::U8)},
};

}  // namespace

std::span<const Operator> matmulOperators() {
    return kOperators;
}

}  // namespace hs::ref
