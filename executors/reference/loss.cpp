// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "executors/reference/registry.h"
#include "executors/reference/values.h"

namespace hs::ref {
namespace {

/// Weighted negative log likelihood of [batch, classes, …]: the targets choose a class per position. The mean divides by
/// the weights that took part.
Status nll(Call& c, const Values& logProbability, const Dims& dims) {
    if (dims.size() < 2) return c.bad("the scores must have rank 2 or more");
    const AxisView view(dims, 1);
    HS_TRY(const std::vector<std::int64_t> targets, c.ints(1));
    Dims rest = dims;
    rest.erase(rest.begin() + 1);
    if (c.dims(1) != rest) return c.bad("targets {} do not fit scores {}", toString(c.dims(1)), toString(dims));
    HS_TRY(const Values weights, valuesOr(c, 2, view.size, 1));
    const auto* ignored = c.node().get<std::int64_t>("ignore_index");
    const std::string reduction = c.node().stringOr("reduction", "mean");
    Values losses;
    double sum = 0;
    double total = 0;
    for (std::size_t i = 0; i < targets.size(); ++i) {
        const std::int64_t target = targets[i];
        if (ignored != nullptr && target == *ignored) {
            losses.push_back(0);
            continue;
        }
        if (target < 0 || target >= view.size) return c.bad("target {} is not one of {} classes", target, view.size);
        const auto at = static_cast<std::int64_t>(i);
        const double weight = weights[static_cast<std::size_t>(target)];
        losses.push_back(-weight * logProbability[view.at(at / view.inner, target, at % view.inner)]);
        sum += losses.back();
        total += weight;
    }
    if (reduction == "none") return emit(c, 0, c.declared(), rest, losses);
    if (reduction == "sum") return emit(c, 0, c.declared(), {}, {sum});
    if (reduction == "mean") return emit(c, 0, c.declared(), {}, {sum / total});
    return c.bad("reduction \"{}\" is not known", reduction);
}

Status negativeLogLikelihoodLoss(Call& c) {
    HS_CHECK(c.need(2));
    HS_TRY(const Values x, values(c, 0));
    return nll(c, x, c.dims(0));
}

Status softmaxCrossEntropyLoss(Call& c) {
    HS_CHECK(c.need(2));
    if (c.dims(0).size() < 2) return c.bad("the scores must have rank 2 or more");
    HS_TRY(Values x, values(c, 0));
    const AxisView view(c.dims(0), 1);
    for (std::int64_t o = 0; o < view.outer; ++o)
        for (std::int64_t i = 0; i < view.inner && view.size > 0; ++i) {
            double top = x[view.at(o, 0, i)];
            for (std::int64_t k = 1; k < view.size; ++k)
                top = std::max(top, x[view.at(o, k, i)]);
            double sum = 0;
            for (std::int64_t k = 0; k < view.size; ++k)
                sum += std::exp(x[view.at(o, k, i)] - top);
            for (std::int64_t k = 0; k < view.size; ++k)
                x[view.at(o, k, i)] -= top + std::log(sum);
        }
    HS_CHECK(emit(c, 1, c.declared(), c.dims(0), x));
    return nll(c, x, c.dims(0));
}

const Operator kOperators[] = {
    {"NegativeLogLikelihoodLoss", negativeLogLikelihoodLoss, kFloats},
    {"SoftmaxCrossEntropyLoss", softmaxCrossEntropyLoss, kFloats},
};

}  // namespace

std::span<const Operator> lossOperators() {
    return kOperators;
}

}  // namespace hs::ref
