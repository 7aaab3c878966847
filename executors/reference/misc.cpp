// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "executors/reference/registry.h"
#include "executors/reference/values.h"

namespace hs::ref {
namespace {

Status emitTensor(Call& c, const Tensor& value) {
    HS_TRY(Tensor * y, c.out(0, value.dtype(), value.dims()));
    return convert(value, *y);
}

/// One value under one of the attribute's spellings.
Status constant(Call& c) {
    const Node& n = c.node();
    if (const auto* v = n.get<Tensor>("value")) return emitTensor(c, *v);
    if (const auto* v = n.get<float>("value_float")) return emitTensor(c, Tensor::scalar(*v));
    if (const auto* v = n.get<std::int64_t>("value_int")) return emitTensor(c, Tensor::scalar(*v));
    if (const auto* v = n.get<std::string>("value_string")) return emitTensor(c, Tensor::scalar(*v));
    if (const auto* v = n.get<std::vector<float>>("value_floats")) return emitTensor(c, Tensor::of<float>({static_cast<std::int64_t>(v->size())}, *v));
    if (const auto* v = n.get<std::vector<std::int64_t>>("value_ints"))
        return emitTensor(c, Tensor::of<std::int64_t>({static_cast<std::int64_t>(v->size())}, *v));
    if (const auto* v = n.get<std::vector<std::string>>("value_strings"))
        return emitTensor(c, Tensor::of<std::string>({static_cast<std::int64_t>(v->size())}, *v));
    return c.unsupported("a sparse or missing value is not supported");
}

Status constantOfShape(Call& c) {
    HS_TRY(const Dims dims, c.ints(0));
    if (!elementCount(dims)) return c.bad("shape {} is out of range", toString(dims));
    const auto* given = c.node().get<Tensor>("value");
    const Tensor value = given != nullptr ? *given : Tensor::scalar(0.0F);
    if (value.count() != 1) return c.bad("the value must be one element");
    HS_TRY(Tensor * y, c.out(0, value.dtype(), dims));
    if (dtypeBits(value.dtype()) < 8 && value.dtype() != DType::String) {
        HS_TRY(Tensor one, Tensor::allocate(DType::U8, {1}));
        HS_TRY(Tensor all, Tensor::allocate(DType::U8, dims));
        unpackRaw(value, one);
        std::ranges::fill(all.data<std::uint8_t>(), one.data<std::uint8_t>()[0]);
        packRaw(all, *y);
        return {};
    }
    const Mover mover(value, *y);
    for (std::int64_t i = 0; i < y->count(); ++i)
        mover.one(i, 0);
    return {};
}

Result<std::int64_t> rangeCount(const Call& c, double start, double limit, double delta) {
    const double count = std::ceil((limit - start) / delta);
    if (delta == 0 || !(std::fabs(count) <= static_cast<double>(kMaxElements)))
        return c.bad("a range from {} to {} by {} is out of range", start, limit, delta);
    return std::max<std::int64_t>(0, static_cast<std::int64_t>(count));
}

Status range(Call& c) {
    HS_CHECK(c.need(3));
    HS_TRY(const double start, c.number(0));
    HS_TRY(const double limit, c.number(1));
    HS_TRY(const double delta, c.number(2));
    HS_TRY(const std::int64_t count, rangeCount(c, start, limit, delta));
    if (isInteger(c.declared())) {
        HS_TRY(const std::vector<std::int64_t> first, c.ints(0));
        HS_TRY(const std::vector<std::int64_t> step, c.ints(2));
        HS_TRY(Tensor exact, Tensor::allocate(DType::I64, {count}));
        for (std::int64_t i = 0; i < count; ++i)
            exact.data<std::int64_t>()[static_cast<std::size_t>(i)] =
                static_cast<std::int64_t>(static_cast<std::uint64_t>(first[0]) + static_cast<std::uint64_t>(i) * static_cast<std::uint64_t>(step[0]));
        HS_TRY(Tensor * y, c.out(0, c.declared(), {count}));
        return convert(exact, *y);
    }
    Values out;
    out.reserve(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i)
        out.push_back(start + static_cast<double>(i) * delta);
    return emit(c, 0, c.declared(), {count}, out);
}

Status eyeLike(Call& c) {
    HS_CHECK(c.need(1));
    if (c.dims(0).size() != 2) return c.bad("the input must be a matrix");
    const DType type = dtypeFromOnnx(c.node().intOr("dtype", 0)).value_or(c.declared());
    const std::int64_t k = c.node().intOr("k", 0);
    Values out(static_cast<std::size_t>(c.in(0).count()), 0);
    const std::int64_t columns = c.dims(0)[1];
    for (std::int64_t row = 0; row < c.dims(0)[0]; ++row)
        if (k >= -row && k < columns - row) out[static_cast<std::size_t>(row * columns + row + k)] = 1;
    return emit(c, 0, type, c.dims(0), out);
}

/// Determinant by elimination with partial pivoting.
double determinant(double* a, std::int64_t n) {
    double det = 1;
    for (std::int64_t k = 0; k < n; ++k) {
        std::int64_t pivot = k;
        for (std::int64_t r = k + 1; r < n; ++r)
            if (std::fabs(a[r * n + k]) > std::fabs(a[pivot * n + k])) pivot = r;
        if (a[pivot * n + k] == 0) return 0;
        if (pivot != k) {
            std::swap_ranges(a + pivot * n, a + (pivot + 1) * n, a + k * n);
            det = -det;
        }
        det *= a[k * n + k];
        for (std::int64_t r = k + 1; r < n; ++r) {
            const double factor = a[r * n + k] / a[k * n + k];
            for (std::int64_t j = k; j < n; ++j)
                a[r * n + j] -= factor * a[k * n + j];
        }
    }
    return det;
}

Status det(Call& c) {
    HS_CHECK(c.need(1));
    const Dims& dims = c.dims(0);
    if (dims.size() < 2 || dims.back() != dims[dims.size() - 2]) return c.bad("the input {} holds no square matrices", toString(dims));
    HS_TRY(Values x, values(c, 0));
    const std::int64_t n = dims.back();
    Values out;
    for (std::int64_t i = 0; i < product(dims, 0, dims.size() - 2); ++i)
        out.push_back(determinant(x.data() + i * n * n, n));
    return emit(c, 0, c.declared(), Dims(dims.begin(), dims.end() - 2), out);
}

const Operator kOperators[] = {
    {"Constant", constant}, {"ConstantOfShape", constantOfShape, bit(DType::I64)}, {"Range", range, kNumbers}, {"EyeLike", eyeLike, kNumbers | kBool},
    {"Det", det, kFloats},
};

}  // namespace

std::span<const Operator> miscOperators() {
    return kOperators;
}

}  // namespace hs::ref
