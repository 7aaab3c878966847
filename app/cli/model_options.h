// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/cli/verb.h"
#include "core/graph/op_registry.h"

namespace hs::cli {

/// What verbs that load a model take: the file and the sizes of its symbolic dimensions.
struct ModelOptions {
    std::string path;
    std::vector<std::string> dims;  ///< "NAME=N"
    std::int64_t batch = 0;         ///< 0: not given.

    void addTo(CLI::App& verb);
};

/// A loaded model, the sizes that were asked for, and how long loading took.
struct LoadedModel {
    ModelPtr model;
    DimBindings dims;
    double importMs = 0;
};
Result<LoadedModel> loadModel(const ModelOptions& options);

/// Types to plan for, with every dimension that nothing binds at its default.
Result<InferOptions> planShapes(const LoadedModel& loaded);

/// Reads "NAME=FILE" inputs: .pb (TensorProto), .npy, or the raw bytes of the right size.
Result<std::map<ValueId, Tensor>> readInputs(const LoadedModel& loaded, const std::vector<std::string>& given);

}  // namespace hs::cli
