// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>

#include "executors/reference/registry.h"
#include "executors/reference/values.h"

namespace hs::ref {

inline double sigmoidOf(double v) {
    return v >= 0 ? 1 / (1 + std::exp(-v)) : std::exp(v) / (1 + std::exp(v));
}
/// x · Φ(x), Φ the normal distribution (Hendrycks and Gimpel 2016).
inline double geluOf(double v) {
    return 0.5 * v * (1 + std::erf(v / std::sqrt(2.0)));
}
/// Its approximation by tanh, with the operator's own constants.
inline double fastGeluOf(double v) {
    return 0.5 * v * (1 + std::tanh(0.797885 * v + 0.035677 * v * v * v));
}

/// An activation that is fused into an operator, chosen by name; null when the name is not known.
using FusedActivation = double (*)(double v, const std::array<double, 3>& parameters);
FusedActivation fusedActivation(std::string_view name);
/// The parameters of an activation where the node gives none.
std::array<double, 3> fusedDefaults(std::string_view name);
/// Empty when the node's `activation` is known, else that setting.
std::string refusesActivation(const Node& node);

/// Product of two matrices or stacks of them, in double.
Result<Values> productOf(const Values& a, const Dims& aDims, const Values& b, const Dims& bDims, Dims& result);
/// Adds a vector to each row.
Status addRow(const Call& c, Values& x, const Values& row);

/// [batch, …, channels] to [batch, channels, …] and back.
Values channelsFirst(const Values& x, Dims& dims);
Values channelsLast(const Values& x, Dims& dims);

/// A setting "name=value" for a reason.
inline std::string settingText(std::string_view name, std::int64_t value) {
    return fmt::format("{}={}", name, value);
}
/// True when the node has input i.
inline bool nodeHas(const Node& node, std::size_t i) {
    return i < node.inputs.size() && node.inputs[i].valid();
}

}  // namespace hs::ref
