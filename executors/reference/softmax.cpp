// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "executors/reference/registry.h"
#include "executors/reference/values.h"

namespace hs::ref {
namespace {

/// Before opset 13 the axes from `axis` on were one; from then on a single axis counts. Rows go to f(x, view, o, i).
template <class F>
Status alongAxis(Call& c, F f) {
    HS_CHECK(c.need(1));
    Dims dims = c.dims(0);
    const bool flattened = c.opset() < 13;
    if (dims.empty()) dims = {1};
    const auto rank = dims.size();
    const std::int64_t wanted = c.node().intOr("axis", flattened ? 1 : -1);
    std::size_t axis = rank;
    if (!(flattened && wanted == static_cast<std::int64_t>(rank))) {
        HS_TRY(axis, c.axis(wanted, rank));
    }
    if (flattened) {
        dims = {product(dims, 0, axis), product(dims, axis, rank)};
        axis = 1;
    }
    HS_TRY(Values x, values(c, 0));
    const AxisView view(dims, axis);
    for (std::int64_t o = 0; o < view.outer; ++o)
        for (std::int64_t i = 0; i < view.inner && view.size > 0; ++i)
            f(x, view, o, i);
    return emit(c, 0, c.declared(), c.dims(0), x);
}

double largest(const Values& x, const AxisView& view, std::int64_t o, std::int64_t i) {
    double best = x[view.at(o, 0, i)];
    for (std::int64_t k = 1; k < view.size; ++k)
        best = std::max(best, x[view.at(o, k, i)]);
    return best;
}

Status softmax(Call& c) {
    return alongAxis(c, [](Values& x, const AxisView& view, std::int64_t o, std::int64_t i) {
        const double top = largest(x, view, o, i);
        double sum = 0;
        for (std::int64_t k = 0; k < view.size; ++k) {
            double& v = x[view.at(o, k, i)];
            v = std::exp(v - top);
            sum += v;
        }
        for (std::int64_t k = 0; k < view.size; ++k)
            x[view.at(o, k, i)] /= sum;
    });
}

Status logSoftmax(Call& c) {
    return alongAxis(c, [](Values& x, const AxisView& view, std::int64_t o, std::int64_t i) {
        const double top = largest(x, view, o, i);
        double sum = 0;
        for (std::int64_t k = 0; k < view.size; ++k)
            sum += std::exp(x[view.at(o, k, i)] - top);
        for (std::int64_t k = 0; k < view.size; ++k)
            x[view.at(o, k, i)] -= top + std::log(sum);
    });
}

/// One at the first largest element, zero elsewhere.
Status hardmax(Call& c) {
    return alongAxis(c, [](Values& x, const AxisView& view, std::int64_t o, std::int64_t i) {
        std::int64_t best = 0;
        for (std::int64_t k = 1; k < view.size; ++k)
            if (x[view.at(o, k, i)] > x[view.at(o, best, i)]) best = k;
        for (std::int64_t k = 0; k < view.size; ++k)
            x[view.at(o, k, i)] = k == best ? 1 : 0;
    });
}

const Operator kOperators[] = {
    {"Softmax", softmax, kFloats},
    {"LogSoftmax", logSoftmax, kFloats},
    {"Hardmax", hardmax, kFloats},
};

}  // namespace

std::span<const Operator> softmaxOperators() {
    return kOperators;
}

}  // namespace hs::ref
