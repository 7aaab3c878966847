// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numeric>

#include "executors/reference/registry.h"
#include "executors/reference/values.h"

namespace hs::ref {
namespace {

template <class T, class F>
void runningAs(const Tensor& x, Tensor& y, const AxisView& v, bool exclusive, bool reverse, T start, F f) {
    const auto from = x.data<T>();
    auto to = y.data<T>();
    for (std::int64_t o = 0; o < v.outer; ++o)
        for (std::int64_t i = 0; i < v.inner; ++i) {
            T total = start;
            for (std::int64_t n = 0; n < v.size; ++n) {
                const std::size_t at = v.at(o, reverse ? v.size - 1 - n : n, i);
                const T before = total;
                total = f(total, from[at]);
                to[at] = exclusive ? before : total;
            }
        }
}

/// CumSum and CumProd.
template <class F>
Status running(Call& c, int start, F f) {
    HS_CHECK(c.need(2));
    HS_TRY(const std::vector<std::int64_t> axis, c.ints(1));
    if (axis.size() != 1) return c.bad("the axis must be one integer");
    HS_TRY(const std::size_t at, c.axis(axis[0], c.dims(0).size()));
    const AxisView view(c.dims(0), at);
    const bool exclusive = c.node().intOr("exclusive", 0) != 0;
    const bool reverse = c.node().intOr("reverse", 0) != 0;
    HS_TRY(Tensor * y, c.outT(0, c.dims(0)));
    switch (c.in(0).dtype()) {
        case DType::F32: runningAs<float>(c.in(0), *y, view, exclusive, reverse, static_cast<float>(start), f); return {};
        case DType::F64: runningAs<double>(c.in(0), *y, view, exclusive, reverse, start, f); return {};
        case DType::I64:
        case DType::U64: runningAs<std::uint64_t>(c.in(0), *y, view, exclusive, reverse, static_cast<std::uint64_t>(start), f); return {};
        default: return c.noType(c.in(0).dtype());
    }
}

Status cumSum(Call& c) {
    return running(c, 0, [](auto a, auto b) { return a + b; });
}
Status cumProd(Call& c) {
    return running(c, 1, [](auto a, auto b) { return a * b; });
}

/// True when a comes before b; NaN counts as the greatest.
template <class T>
bool before(T a, T b, bool largest) {
    if constexpr (std::is_floating_point_v<T>) {
        if (std::isnan(a) || std::isnan(b)) return largest ? std::isnan(a) && !std::isnan(b) : !std::isnan(a) && std::isnan(b);
    }
    return largest ? a > b : a < b;
}

template <class T>
void argAs(const Tensor& x, const AxisView& v, bool largest, bool last, std::int64_t* to) {
    const auto from = x.data<T>();
    for (std::int64_t o = 0; o < v.outer; ++o)
        for (std::int64_t i = 0; i < v.inner; ++i) {
            std::int64_t best = 0;
            for (std::int64_t k = 1; k < v.size; ++k) {
                const T a = from[v.at(o, k, i)];
                const T b = from[v.at(o, best, i)];
                if (before(a, b, largest) || (last && !before(b, a, largest))) best = k;
            }
            to[o * v.inner + i] = best;
        }
}

Status argBest(Call& c, bool largest) {
    HS_CHECK(c.need(1));
    HS_TRY(const std::size_t axis, c.axis(c.node().intOr("axis", 0), c.dims(0).size()));
    const AxisView view(c.dims(0), axis);
    if (view.size == 0) return c.bad("axis {} is empty", axis);
    const bool last = c.node().intOr("select_last_index", 0) != 0;
    Dims dims = c.dims(0);
    dims[axis] = 1;
    if (c.node().intOr("keepdims", 1) == 0) dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(axis));
    HS_TRY(Tensor * y, c.out(0, DType::I64, dims));
    std::int64_t* to = y->data<std::int64_t>().data();
    switch (c.in(0).dtype()) {
        case DType::F32: argAs<float>(c.in(0), view, largest, last, to); return {};
        case DType::F64: argAs<double>(c.in(0), view, largest, last, to); return {};
        case DType::I64: argAs<std::int64_t>(c.in(0), view, largest, last, to); return {};
        case DType::U64: argAs<std::uint64_t>(c.in(0), view, largest, last, to); return {};
        default: return c.noType(c.in(0).dtype());
    }
}

Status argMax(Call& c) {
    return argBest(c, true);
}
Status argMin(Call& c) {
    return argBest(c, false);
}

template <class T>
void topKAs(const Tensor& x, const AxisView& v, std::int64_t k, bool largest, Tensor* top, Tensor* where) {
    const auto from = x.data<T>();
    std::vector<std::int64_t> order(static_cast<std::size_t>(v.size));
    for (std::int64_t o = 0; o < v.outer; ++o)
        for (std::int64_t i = 0; i < v.inner; ++i) {
            std::iota(order.begin(), order.end(), 0);
            const auto first = [&](std::int64_t a, std::int64_t b) {
                const T va = from[v.at(o, a, i)];
                const T vb = from[v.at(o, b, i)];
                return before(va, vb, largest) || (!before(vb, va, largest) && a < b);
            };
            std::partial_sort(order.begin(), order.begin() + k, order.end(), first);
            for (std::int64_t n = 0; n < k; ++n) {
                const auto at = static_cast<std::size_t>((o * k + n) * v.inner + i);
                const std::int64_t best = order[static_cast<std::size_t>(n)];
                if (top != nullptr) top->data<T>()[at] = from[v.at(o, best, i)];
                if (where != nullptr) where->data<std::int64_t>()[at] = best;
            }
        }
}

/// Ties go to the lower index; the result is sorted whether asked for or not.
Status topK(Call& c) {
    HS_CHECK(c.need(1));
    HS_TRY(const std::size_t axis, c.axis(c.node().intOr("axis", -1), c.dims(0).size()));
    std::int64_t k = c.node().intOr("k", 0);
    if (c.opset() >= 10) {
        HS_TRY(const std::vector<std::int64_t> given, c.ints(1));
        if (given.size() != 1) return c.bad("k must be one integer");
        k = given[0];
    }
    const AxisView view(c.dims(0), axis);
    if (k < 0 || k > view.size) return c.bad("k is {}, but axis {} has {} elements", k, axis, view.size);
    Dims dims = c.dims(0);
    dims[axis] = k;
    Tensor* top = nullptr;
    Tensor* where = nullptr;
    if (c.wants(0)) {
        HS_TRY(top, c.outT(0, dims));
    }
    if (c.wants(1)) {
        HS_TRY(where, c.out(1, DType::I64, dims));
    }
    const bool largest = c.node().intOr("largest", 1) != 0;
    switch (c.in(0).dtype()) {
        case DType::F32: topKAs<float>(c.in(0), view, k, largest, top, where); return {};
        case DType::F64: topKAs<double>(c.in(0), view, k, largest, top, where); return {};
        case DType::I64: topKAs<std::int64_t>(c.in(0), view, k, largest, top, where); return {};
        case DType::U64: topKAs<std::uint64_t>(c.in(0), view, k, largest, top, where); return {};
        default: return c.noType(c.in(0).dtype());
    }
}

const Operator kOperators[] = {
    {"CumSum", cumSum, kNumbers, Widen::Numbers}, {"CumProd", cumProd, kNumbers, Widen::Numbers}, {"ArgMax", argMax, kNumbers, Widen::Numbers},
    {"ArgMin", argMin, kNumbers, Widen::Numbers}, {"TopK", topK, kNumbers, Widen::Numbers},
};

}  // namespace

std::span<const Operator> scanOperators() {
    return kOperators;
}

}  // namespace hs::ref
