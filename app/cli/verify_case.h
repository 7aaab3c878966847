// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/compare_tensors.h"
#include "core/plan/plan.h"

namespace hs::cli {

/// A folder in the layout of the ONNX backend tests: model.onnx and test_data_set_*/input_*.pb, output_*.pb.
struct Case {
    std::string name;    ///< The folder's name.
    std::string folder;  ///< Where it is.
};

/// The cases at these paths, each a case folder or a folder that holds some at any depth; sorted by path within each.
/// BadInput for a path that does not exist or holds none.
Result<std::vector<Case>> findCases(const std::vector<std::string>& paths);

enum class Verdict { Pass, Fail, Unsupported };

struct CaseResult {
    Verdict verdict = Verdict::Fail;
    std::string why;
};

struct VerifyOptions {
    std::vector<PlanDevice> devices;
    std::string executor;  ///< Preferred everywhere; empty: the best one.
    std::optional<double> rtol, atol;
    int threads = 1;
    const std::atomic<bool>* cancel = nullptr;
};

/// Runs one case with all its data sets.
CaseResult verifyCase(const Case& testCase, const VerifyOptions& options);

}  // namespace hs::cli
