// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "executors/reference/call.h"
#include "executors/reference/convert.h"
#include "executors/reference/walk.h"

namespace hs::ref {

/// Elements in double: what most float operators compute in, so that each result is rounded to its type just once.
using Values = std::vector<double>;

/// Input i as doubles.
inline Result<Values> values(const Call& call, std::size_t i) {
    if (!call.has(i)) return call.bad("input {} is missing", i);
    return toDoubles(call.in(i));
}
/// Input i as doubles, or `count` times a fallback when it is absent. BadInput when its count differs.
inline Result<Values> valuesOr(const Call& call, std::size_t i, std::int64_t count, double fallback) {
    if (!call.has(i)) return Values(static_cast<std::size_t>(count), fallback);
    if (call.in(i).count() != count) return call.bad("input {} must have {} elements, not {}", i, count, call.in(i).count());
    return toDoubles(call.in(i));
}

/// Writes output i, unless nobody wants it. `values` must have the elements of `dims`.
inline Status emit(Call& call, std::size_t i, DType type, const Dims& dims, const Values& values) {
    if (!call.wants(i)) return {};
    HS_TRY(Tensor * out, call.out(i, type, dims));
    if (values.empty()) return {};
    const Tensor view = Tensor::borrow(DType::F64, dims, const_cast<double*>(values.data()));
    return convert(view, *out);
}

/// A tensor seen as outer × size × inner around one axis.
struct AxisView {
    std::int64_t outer = 1, size = 1, inner = 1;
    AxisView(const Dims& dims, std::size_t axis) : outer(product(dims, 0, axis)), size(dims[axis]), inner(product(dims, axis + 1, dims.size())) {}
    std::size_t at(std::int64_t o, std::int64_t k, std::int64_t i) const { return static_cast<std::size_t>((o * size + k) * inner + i); }
};

}  // namespace hs::ref
