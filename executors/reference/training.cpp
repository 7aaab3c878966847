// SPDX-License-Identifier: Apache-2.0
// Optimizer steps of ai.onnx.preview.training: inputs are the rate, the step's number, then for n tensors the values, the
// gradients and one or two states; outputs are the new values and states.
#include <cmath>

#include "executors/reference/registry.h"
#include "executors/reference/values.h"

namespace hs::ref {
namespace {

/// One tensor's elements under optimization.
struct Element {
    double x, g, first, second;
};

/// `step` turns one element's numbers into the new ones.
template <class F>
Status optimize(Call& c, std::size_t states, F step) {
    HS_CHECK(c.need(c.inputCount()));
    const std::size_t groups = 2 + states;
    if (c.inputCount() < 2 + groups || (c.inputCount() - 2) % groups != 0) return c.bad("{} inputs do not make whole groups", c.inputCount());
    const std::size_t n = (c.inputCount() - 2) / groups;
    for (std::size_t k = 0; k < n; ++k) {
        const std::int64_t count = c.in(2 + k).count();
        Values given[4];
        for (std::size_t g = 0; g < groups; ++g) {
            HS_TRY(given[g], valuesOr(c, 2 + g * n + k, count, 0));
        }
        for (std::size_t i = 0; i < given[0].size(); ++i) {
            Element e{given[0][i], given[1][i], given[2][i], states > 1 ? given[3][i] : 0};
            step(e);
            given[0][i] = e.x;
            given[2][i] = e.first;
            if (states > 1) given[3][i] = e.second;
        }
        HS_CHECK(emit(c, k, c.in(2 + k).dtype(), c.dims(2 + k), given[0]));
        for (std::size_t s = 0; s < states; ++s)
            HS_CHECK(emit(c, (1 + s) * n + k, c.in(2 + k).dtype(), c.dims(2 + (2 + s) * n + k), given[2 + s]));
    }
    return {};
}

Status adagrad(Call& c) {
    HS_TRY(const double rate, c.number(0));
    HS_TRY(const double step, c.number(1));
    const double r = rate / (1 + step * c.node().floatOr("decay_factor", 0.0F));
    const double epsilon = c.node().floatOr("epsilon", 1e-6F);
    const double norm = c.node().floatOr("norm_coefficient", 0.0F);
    return optimize(c, 1, [=](Element& e) {
        const double g = norm * e.x + e.g;
        e.first += g * g;
        e.x -= r * g / (std::sqrt(e.first) + epsilon);
    });
}

Status adam(Call& c) {
    HS_TRY(const double rate, c.number(0));
    HS_TRY(const double step, c.number(1));
    const double alpha = c.node().floatOr("alpha", 0.9F);
    const double beta = c.node().floatOr("beta", 0.999F);
    const double epsilon = c.node().floatOr("epsilon", 1e-6F);
    const double norm = c.node().floatOr("norm_coefficient", 0.0F);
    const double after = c.node().floatOr("norm_coefficient_post", 0.0F);
    const double r = step > 0 ? rate * std::sqrt(1 - std::pow(beta, step)) / (1 - std::pow(alpha, step)) : rate;
    return optimize(c, 2, [=](Element& e) {
        const double g = norm * e.x + e.g;
        e.first = alpha * e.first + (1 - alpha) * g;
        e.second = beta * e.second + (1 - beta) * g * g;
        e.x = (1 - after) * (e.x - r * e.first / (std::sqrt(e.second) + epsilon));
    });
}

Status momentum(Call& c) {
    HS_TRY(const double rate, c.number(0));
    HS_TRY(const double step, c.number(1));
    const double alpha = c.node().floatOr("alpha", 0.0F);
    const double beta = step > 0 ? c.node().floatOr("beta", 0.0F) : 1.0;
    const double norm = c.node().floatOr("norm_coefficient", 0.0F);
    const std::string mode = c.node().stringOr("mode", "standard");
    if (mode != "standard" && mode != "nesterov") return c.bad("mode \"{}\" is not known", mode);
    const bool ahead = mode == "nesterov";
    return optimize(c, 1, [=](Element& e) {
        const double g = norm * e.x + e.g;
        e.first = alpha * e.first + beta * g;
        e.x -= rate * (ahead ? g + alpha * e.first : e.first);
    });
}

constexpr Operator preview(std::string_view name, Status (*run)(Call&)) {
    return {name, run, kFloats, Widen::None, 2, 1, kLatest, "ai.onnx.preview.training"};
}

const Operator kOperators[] = {preview("Adagrad", adagrad), preview("Adam", adam), preview("Momentum", momentum)};

}  // namespace

std::span<const Operator> trainingOperators() {
    return kOperators;
}

}  // namespace hs::ref
