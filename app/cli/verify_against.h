// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "app/cli/compare_tensors.h"
#include "app/cli/model_options.h"

namespace hs::cli {

struct AgainstOptions {
    ModelOptions model;
    std::vector<std::string> sides;  ///< Two device or executor ids.
    std::string config;
    Tolerance tolerance;
    std::uint64_t seed = 1;
    int threads = 1;
    const std::atomic<bool>* cancel = nullptr;
};

/// Runs the same inputs on two devices or executors and reports how far each node's and output's results are apart.
/// Exit status 1 when an output is outside of the tolerance.
Result<int> verifyAgainst(const AgainstOptions& options, bool json);

}  // namespace hs::cli
