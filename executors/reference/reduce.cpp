// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>

#include "executors/reference/registry.h"
#include "executors/reference/values.h"

namespace hs::ref {
namespace {

/// Which dimensions go away, and how the rest looks.
struct Plan {
    Dims kept;     ///< Input rank, reduced dimensions are 1.
    Dims result;   ///< As the node wants it (keepdims).
    Dims strides;  ///< Of the result, per input dimension; 0 along a reduced one.
    bool nothing = false;
};

/// Axes are an attribute until opset 17 (ReduceSum: 12) and an input after it; none means all, unless noop_with_empty_axes.
Result<Plan> makePlan(Call& c) {
    HS_CHECK(c.need(1));
    const Dims& dims = c.dims(0);
    Plan plan;
    HS_TRY(const std::vector<std::int64_t> given, c.axesFrom(1));
    HS_TRY(std::vector<std::size_t> axes, c.axes(given, dims.size()));
    plan.nothing = given.empty() && c.node().intOr("noop_with_empty_axes", 0) != 0;
    if (given.empty() && !plan.nothing)
        for (std::size_t d = 0; d < dims.size(); ++d)
            axes.push_back(d);
    plan.kept = dims;
    for (const std::size_t a : axes)
        plan.kept[a] = 1;
    plan.strides = stridesOf(plan.kept);
    for (const std::size_t a : axes)
        plan.strides[a] = 0;
    const bool keep = c.node().intOr("keepdims", 1) != 0;
    for (std::size_t d = 0; d < dims.size(); ++d)
        if (keep || std::find(axes.begin(), axes.end(), d) == axes.end()) plan.result.push_back(plan.kept[d]);
    return plan;
}

/// Calls f(group, value) for every input element, in order.
template <class T, class F>
void eachElement(const Plan& plan, const Dims& dims, const std::vector<T>& x, F&& f) {
    if (x.empty()) return;
    Dims index(dims.size(), 0);
    for (const T& v : x) {
        std::int64_t group = 0;
        for (std::size_t d = 0; d < dims.size(); ++d)
            group += index[d] * plan.strides[d];
        f(static_cast<std::size_t>(group), v);
        advance(index, dims);
    }
}

template <class T>
Result<std::vector<T>> elements(const Tensor& tensor) {
    std::vector<T> out(static_cast<std::size_t>(tensor.count()));
    if (out.empty()) return out;
    Tensor view = Tensor::borrow(DTypeOf<T>::value, tensor.dims(), out.data());
    HS_CHECK(convert(tensor, view));
    return out;
}

template <class T, class Fold>
Status foldAs(Call& c, const Plan& plan, T start, Fold fold) {
    HS_TRY(const std::vector<T> x, elements<T>(c.in(0)));
    std::vector<T> sums(static_cast<std::size_t>(product(plan.kept)), start);
    eachElement(plan, c.dims(0), x, [&](std::size_t g, T v) { sums[g] = fold(sums[g], v); });
    HS_TRY(Tensor * y, c.out(0, c.declared(), plan.result));
    if (sums.empty()) return {};
    return convert(Tensor::borrow(DTypeOf<T>::value, plan.result, sums.data()), *y);
}

bool isWhole(DType type) {
    return isInteger(type) || type == DType::Bool;
}

std::int64_t wrap(std::uint64_t v) {
    return static_cast<std::int64_t>(v);
}

Status reduceSum(Call& c) {
    HS_TRY(const Plan plan, makePlan(c));
    if (isWhole(c.declared()))
        return foldAs<std::int64_t>(c, plan, 0,
                                    [](std::int64_t s, std::int64_t v) { return wrap(static_cast<std::uint64_t>(s) + static_cast<std::uint64_t>(v)); });
    return foldAs<double>(c, plan, 0, [](double s, double v) { return s + v; });
}

Status reduceProd(Call& c) {
    HS_TRY(const Plan plan, makePlan(c));
    if (isWhole(c.declared()))
        return foldAs<std::int64_t>(c, plan, 1,
                                    [](std::int64_t s, std::int64_t v) { return wrap(static_cast<std::uint64_t>(s) * static_cast<std::uint64_t>(v)); });
    return foldAs<double>(c, plan, 1, [](double s, double v) { return s * v; });
}

Status reduceL1(Call& c) {
    HS_TRY(const Plan plan, makePlan(c));
    if (isWhole(c.declared())) {
        return foldAs<std::int64_t>(c, plan, 0, [](std::int64_t s, std::int64_t v) {
            return wrap(static_cast<std::uint64_t>(s) + (v < 0 ? 0 - static_cast<std::uint64_t>(v) : static_cast<std::uint64_t>(v)));
        });
    }
    return foldAs<double>(c, plan, 0, [](double s, double v) { return s + std::fabs(v); });
}

Status reduceSumSquare(Call& c) {
    HS_TRY(const Plan plan, makePlan(c));
    if (isWhole(c.declared())) {
        return foldAs<std::int64_t>(c, plan, 0, [](std::int64_t s, std::int64_t v) {
            return wrap(static_cast<std::uint64_t>(s) + static_cast<std::uint64_t>(v) * static_cast<std::uint64_t>(v));
        });
    }
    return foldAs<double>(c, plan, 0, [](double s, double v) { return s + v * v; });
}

double nanMax(double a, double b) {
    return std::isnan(a) || a > b ? a : b;
}
double nanMin(double a, double b) {
    return std::isnan(a) || a < b ? a : b;
}

/// Least or greatest value of an integer type (as int64 bits), for the reduction of an empty set.
std::int64_t extreme(DType type, bool greatest) {
    const int bits = dtypeBits(type);
    if (type == DType::Bool) return greatest ? 1 : 0;
    if (isUnsignedInteger(type)) return !greatest ? 0 : bits == 64 ? -1 : (std::int64_t{1} << bits) - 1;
    const std::int64_t least = std::numeric_limits<std::int64_t>::min() >> (64 - bits);
    return greatest ? ~least : least;
}

template <bool kMax>
Status reduceExtreme(Call& c) {
    HS_TRY(const Plan plan, makePlan(c));
    const DType type = c.declared();
    if (type == DType::U64) {
        return foldAs<std::uint64_t>(c, plan, static_cast<std::uint64_t>(extreme(type, !kMax)),
                                     [](std::uint64_t a, std::uint64_t b) { return kMax ? std::max(a, b) : std::min(a, b); });
    }
    if (isWhole(type))
        return foldAs<std::int64_t>(c, plan, extreme(type, !kMax), [](std::int64_t a, std::int64_t b) { return kMax ? std::max(a, b) : std::min(a, b); });
    const double start = std::numeric_limits<double>::infinity();
    return foldAs<double>(c, plan, kMax ? -start : start, [](double a, double b) { return kMax ? nanMax(a, b) : nanMin(a, b); });
}

/// Reduces in double and finishes each group with f(sum, count).
template <class Map, class F>
Status viaDouble(Call& c, Map map, F f) {
    HS_TRY(const Plan plan, makePlan(c));
    HS_TRY(const Values x, values(c, 0));
    Values sums(static_cast<std::size_t>(product(plan.kept)), 0);
    eachElement(plan, c.dims(0), x, [&](std::size_t g, double v) { sums[g] += map(v); });
    const double count = sums.empty() ? 0 : static_cast<double>(x.size()) / static_cast<double>(sums.size());
    for (double& v : sums)
        v = f(v, count);
    return emit(c, 0, c.declared(), plan.result, sums);
}

Status reduceMean(Call& c) {
    return viaDouble(
        c, [](double v) { return v; }, [](double s, double n) { return s / n; });
}
Status reduceL2(Call& c) {
    return viaDouble(
        c, [](double v) { return v * v; }, [](double s, double) { return std::sqrt(s); });
}
Status reduceLogSum(Call& c) {
    return viaDouble(
        c, [](double v) { return v; }, [](double s, double) { return std::log(s); });
}

/// Shifted by the largest element of each group, so that exp cannot overflow.
Status reduceLogSumExp(Call& c) {
    HS_TRY(const Plan plan, makePlan(c));
    HS_TRY(const Values x, values(c, 0));
    const auto groups = static_cast<std::size_t>(product(plan.kept));
    Values top(groups, -std::numeric_limits<double>::infinity());
    eachElement(plan, c.dims(0), x, [&](std::size_t g, double v) { top[g] = nanMax(top[g], v); });
    Values sums(groups, 0);
    const auto shift = [&](std::size_t g) { return std::isfinite(top[g]) ? top[g] : 0; };
    eachElement(plan, c.dims(0), x, [&](std::size_t g, double v) { sums[g] += std::exp(v - shift(g)); });
    for (std::size_t g = 0; g < groups; ++g)
        sums[g] = std::log(sums[g]) + shift(g);
    return emit(c, 0, c.declared(), plan.result, sums);
}

const Operator kOperators[] = {
    {"ReduceSum", reduceSum, kNumbers},
    {"ReduceMean", reduceMean, kNumbers},
    {"ReduceMax", reduceExtreme<true>, kNumbers | kBool},
    {"ReduceMin", reduceExtreme<false>, kNumbers | kBool},
    {"ReduceProd", reduceProd, kNumbers},
    {"ReduceL1", reduceL1, kNumbers},
    {"ReduceL2", reduceL2, kNumbers},
    {"ReduceLogSum", reduceLogSum, kNumbers},
    {"ReduceLogSumExp", reduceLogSumExp, kNumbers},
    {"ReduceSumSquare", reduceSumSquare, kNumbers},
};

}  // namespace

std::span<const Operator> reduceOperators() {
    return kOperators;
}

}  // namespace hs::ref
