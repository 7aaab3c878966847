// SPDX-License-Identifier: Apache-2.0
#include "executors/reference/scatter_parts.h"

#include <algorithm>

#include "executors/reference/convert.h"

namespace hs::ref {
namespace {

template <class T, class F>
Status combineAs(Tensor& y, const Tensor& updates, const std::vector<std::int64_t>& targets, std::int64_t run, F f) {
    HS_TRY(Tensor sums, Tensor::allocate(DTypeOf<T>::value, y.dims()));
    HS_TRY(Tensor terms, Tensor::allocate(DTypeOf<T>::value, updates.dims()));
    HS_CHECK(convert(y, sums));
    HS_CHECK(convert(updates, terms));
    T* to = sums.data<T>().data();
    const T* from = terms.data<T>().data();
    for (const std::int64_t target : targets)
        for (std::int64_t k = 0; k < run; ++k, ++from)
            to[target + k] = f(to[target + k], *from);
    return convert(sums, y);
}

template <class T>
Status combineNumbers(const Call& c, Tensor& y, const Tensor& updates, const std::vector<std::int64_t>& targets, std::int64_t run,
                      const std::string& reduction) {
    using Wrapping = std::conditional_t<std::is_integral_v<T>, std::uint64_t, T>;
    if (reduction == "add")
        return combineAs<T>(y, updates, targets, run, [](T a, T b) { return static_cast<T>(static_cast<Wrapping>(a) + static_cast<Wrapping>(b)); });
    if (reduction == "mul")
        return combineAs<T>(y, updates, targets, run, [](T a, T b) { return static_cast<T>(static_cast<Wrapping>(a) * static_cast<Wrapping>(b)); });
    if (reduction == "max") return combineAs<T>(y, updates, targets, run, [](T a, T b) { return std::max(a, b); });
    if (reduction == "min") return combineAs<T>(y, updates, targets, run, [](T a, T b) { return std::min(a, b); });
    return c.bad("reduction \"{}\" is not known", reduction);
}

}  // namespace

Status checkIndexShape(const Call& c, const Dims& data, const Dims& indices, std::size_t axis) {
    if (indices.size() != data.size()) return c.bad("indices {} must have the rank of the data {}", toString(indices), toString(data));
    for (std::size_t d = 0; d < data.size(); ++d)
        if (d != axis && indices[d] > data[d]) return c.bad("indices {} reach outside of the data {}", toString(indices), toString(data));
    return {};
}

Status combine(const Call& c, Tensor& y, const Tensor& updates, const std::vector<std::int64_t>& targets, std::int64_t run, const std::string& reduction) {
    if (isFloat(y.dtype())) return combineNumbers<double>(c, y, updates, targets, run, reduction);
    if (y.dtype() == DType::U64) return combineNumbers<std::uint64_t>(c, y, updates, targets, run, reduction);
    if (isInteger(y.dtype()) || y.dtype() == DType::Bool) return combineNumbers<std::int64_t>(c, y, updates, targets, run, reduction);
    return c.noType(y.dtype());
}

}  // namespace hs::ref
