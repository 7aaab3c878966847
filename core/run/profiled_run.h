// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/exec/runner.h"
#include "core/graph/model.h"
#include "core/plan/plan.h"

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
    double profileOverhead = 0;                 ///< (median with recording / median without) - 1, measured interleaved in this run.
    std::vector<CompiledModel::Memory> memory;  ///< By device of the plan.
    std::vector<std::string> devices;
    std::vector<OutputDigest> outputs;
    std::string sessionPath;
};

/// Plans, compiles, warms up, runs and records. A cancelled run is a result with status "cancelled", not an error.
Result<ProfileResult> profileModel(const ProfileRequest& request);

/// Inputs generated from the seed for every required input that is not given, in the ranges that the model's types allow.
/// Symbolic dims that nothing binds become 1. The result also tells the shapes to plan for.
Result<std::map<ValueId, Tensor>> makeInputs(const Model& model, const DimBindings& dims, const std::map<ValueId, Tensor>& given, std::uint64_t seed);

}  // namespace hs
