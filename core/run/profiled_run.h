// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/exec/runner.h"
#include "core/graph/model.h"
#include "core/plan/plan.h"
#include "core/run/overhead.h"

namespace hs {

/// One profiled run, as asked for on the command line or by the window.
struct ProfileRequest {
    ModelPtr model;
    double importMs = 0;      ///< Time that loading the model took, for the report.
    PlanRequest plan;         ///< Devices, edits, shapes, threads.
    std::string configText;   ///< The config as given, stored with the run.
    std::string sessionPath;  ///< Empty with profile = false: nothing is written.
    int runs = 10;
    int warmup = 2;
    std::uint64_t seed = 1;
    bool profile = true;
    std::map<ValueId, Tensor> inputs;  ///< Given inputs; the others are generated from the seed.
    std::string label;
    const std::atomic<bool>* cancel = nullptr;
    std::function<void(const std::string& phase, double fraction)> progress;
};

struct LatencyStats {
    double medianMs = 0, meanMs = 0, minMs = 0, p90Ms = 0, p99Ms = 0, stddevMs = 0;
    int runs = 0;
};
LatencyStats latencyStats(std::vector<double> samplesMs);

/// Where a run's time went, nanoseconds per measured run (mean): wall = steps + dispatch. One thread drives the steps one after
/// the other, so what no step accounts for is dispatch: feeding inputs, the way from step to step, recording, freeing values.
struct Reconciliation {
    double wallNs = 0, stepsNs = 0, dispatchNs = 0;
};

struct OutputDigest {
    std::string name;
    Tensor tensor;
    std::string sha256;  ///< Of the packed little-endian data.
};

struct ProfileResult {
    std::string status;  ///< finished, cancelled, failed
    LatencyStats latency;
    double throughputPerS = 0;  ///< Samples per second: batch size times runs over time.
    double loadMs = 0, planMs = 0, firstRunMs = 0;
    std::uint64_t peakRssBytes = 0;
    std::int64_t batch = 1;                     ///< Samples per run, as counted in the throughput.
    OverheadEstimate profileOverhead;           ///< Of recording, measured interleaved in this run.
    Reconciliation reconciliation;              ///< Profiled runs only.
    std::vector<CompiledModel::Memory> memory;  ///< By device of the plan.
    std::vector<std::string> devices;
    std::vector<OutputDigest> outputs;
    std::vector<std::string> warnings;  ///< What did not go as planned, in words.
    std::string sessionPath;
    std::optional<Error> sessionError;  ///< The session is incomplete: why. What was measured is not affected.
};

/// Plans, compiles, warms up, runs and records. A cancelled run is a result with status "cancelled", not an error. A run
/// that fails after planning is an error, and its session, if any, says so.
Result<ProfileResult> profileModel(const ProfileRequest& request);

/// Concrete types of the main graph's required inputs, and of those that are given. Symbolic dims that neither `dims` nor a
/// given input binds become 1, those with a name of a sequence ("seq", "sequence_length", "time" …) 16.
/// BadRequest: `dims` names a symbol that the inputs do not have. BadInput: a given input that contradicts the declaration.
Result<std::map<ValueId, ValueType>> inputTypes(const Model& model, const DimBindings& dims, const std::map<ValueId, Tensor>& given);

/// Binds the first symbolic dim that stands at axis 0 of an input to `batch`. BadRequest when there is none.
Status bindBatch(const Model& model, std::int64_t batch, DimBindings& dims);

/// Inputs generated from the seed for every required input that is not given, with the shapes of inputTypes(). Floats are
/// uniform in [-1, 1); integers small and not negative, below the size of the axis that they index when they feed a Gather
/// directly, else 0 or 1; bools random; strings short. BadInput for an input that is no tensor.
Result<std::map<ValueId, Tensor>> makeInputs(const Model& model, const DimBindings& dims, const std::map<ValueId, Tensor>& given, std::uint64_t seed);

}  // namespace hs
