// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "executors/reference/call.h"

namespace hs::ref {

/// One activation of a recurrent operator with its constants.
struct RnnActivation {
    double (*function)(double v, double alpha, double beta) = nullptr;
    double alpha = 0, beta = 0;
    double operator()(double v) const { return function(v, alpha, beta); }
};

/// The node's activations, or the defaults once per direction. activation_alpha and activation_beta go, in order, to the
/// activations that take them.
Result<std::vector<RnnActivation>> rnnActivations(const Call& call, const std::vector<std::string>& defaults, std::size_t directions);

}  // namespace hs::ref
