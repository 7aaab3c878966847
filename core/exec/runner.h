// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/plan/plan.h"
#include "core/trace/recorder.h"

namespace hs {

/// How one call of a compiled model goes.
struct RunOptions {
    ThreadRecorder* recorder = nullptr;         ///< Null: record nothing, read no clock.
    const std::atomic<bool>* cancel = nullptr;  ///< Checked between steps; the run ends with Cancelled.
    std::uint64_t seed = 0;                     ///< For operators with random output.
    bool keepAll = false;                       ///< Keep a copy of every value (verification): see CompiledModel::kept().
    bool recordMemory = false;                  ///< Give the recorder an event for each value's buffer, at its first step and after its last.
};

/// A plan with compiled kernels and its memory. One caller at a time.
class CompiledModel {
public:
    /// Compiles every step whose shapes are known; others are compiled when they are first reached and cached by shape.
    /// `recorder` (may be null) gets compile spans and memory events. `cancel` as in RunOptions.
    static Result<std::unique_ptr<CompiledModel>> compile(std::shared_ptr<const Plan> plan, Recorder* recorder, ThreadRecorder* thread,
                                                          const std::atomic<bool>* cancel = nullptr);
    virtual ~CompiledModel() = default;
    virtual const Plan& plan() const = 0;
    /// Feeds the main graph's required inputs (by ValueId) and returns its outputs, which stay the caller's.
    /// Errors: BadInput (missing input, wrong dtype or shape), DeviceFailed, OutOfMemory, Cancelled; each names the node.
    virtual Result<std::vector<Tensor>> run(const std::map<ValueId, Tensor>& inputs, const RunOptions& options) = 0;
    /// After a run with keepAll: copies of the values that were computed.
    virtual const std::map<ValueId, Tensor>& kept() const = 0;
    /// (StepId, kernel name) as compiled so far.
    virtual std::vector<std::pair<std::uint32_t, std::string>> kernels() const = 0;
    /// What did not go as planned so far: steps whose executor could not compile them, and who runs them instead.
    virtual const std::vector<std::string>& warnings() const = 0;
    /// Bytes of weights, packed weights and arena, by device index.
    struct Memory {
        std::uint64_t weightBytes = 0, packedBytes = 0, arenaBytes = 0, peakBytes = 0;
    };
    virtual std::vector<Memory> memory() const = 0;
};

}  // namespace hs
