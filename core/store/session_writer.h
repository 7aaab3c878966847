// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/trace/recorder.h"

namespace hs {

// Rows as the store takes them: plain data, so that the store knows neither graphs nor plans. Ids are the run's own
// indices (NodeId, StepId, device index); the writer maps them to row ids of the file.

struct ModelRow {
    std::string path, sha256, name, opsetsJson;
    std::int64_t irVersion = 0;
};
struct NodeRow {
    std::uint32_t node = 0;
    std::string name, opType, domain, graph;  ///< graph: name of the subgraph it stands in, empty for main.
    double flops = 0, bytes = 0;
    std::string outcome = "executed";  ///< executed, fused, folded, eliminated
    std::string device, executor;      ///< As planned; empty when it has no step.
    std::string requestedDevice;       ///< Empty: nothing was asked.
    std::string reasonCode, reasonArgsJson, reasonText;
    std::string infoJson;  ///< Attributes, input and output types: for the inspector.
};
struct ValueRow {
    std::uint32_t value = 0;
    std::string name, type;  ///< "float32[1,64,56,56]"
    std::int64_t bytes = -1;
    std::int64_t producer = -1;  ///< Node index or -1.
};
struct DeviceRow {
    std::string name, plugin, kind, propertiesJson;
    bool simulated = false;
};
struct StepRow {
    std::uint32_t step = 0;
    std::uint32_t device = 0;
    std::string executor, kernel, precision, label;
    double predictedNs = 0, flops = 0, bytes = 0;
    std::vector<std::pair<std::uint32_t, double>> nodes;  ///< Node index and its share of the step's cost (sums to 1).
};
struct PlannedSlotRow {
    std::uint32_t device = 0, value = 0, firstStep = 0, lastStep = 0;
    std::uint64_t offset = 0, bytes = 0;
};
struct RunRow {
    std::string label, configJson, hostJson, planJson;
    std::string clock;  ///< How ticks became nanoseconds, with the error bound.
};

/// Everything about a run that is known before it starts.
struct RunDescription {
    ModelRow model;
    std::vector<NodeRow> nodes;
    std::vector<ValueRow> values;
    RunRow run;
    std::vector<DeviceRow> devices;
    std::vector<StepRow> steps;
    std::vector<PlannedSlotRow> plannedSlots;
};

struct WriterOptions {
    std::int64_t flushEveryMs = 100;  ///< A commit at least this often while there is something to write.
    /// Span rows that a run should take: the nearer it comes, the fewer iterations are kept in detail (Recorder::detailEvery).
    std::uint64_t detailBudget = 2'000'000;
    /// Spans that the run will make when every iteration is kept, as far as known; 0: unknown. Where they fit the budget, the
    /// number of rows is no reason to keep fewer.
    std::uint64_t expectedSpans = 0;
    std::int64_t maxFileBytes = 0;  ///< Size that the file may not exceed; 0: as much as the disk takes.
};

/// Writes one run into a session file while it goes on: one thread drains the recorder and commits in batches.
/// A new file gets the schema; an existing session gets another run (same schema version, else BadInput).
class SessionWriter {
public:
    /// Times in the file are nanoseconds since `originTick`.
    static Result<std::unique_ptr<SessionWriter>> open(const std::string& path, const RunDescription& description, Recorder& recorder, std::uint64_t originTick,
                                                       WriterOptions options = {});
    virtual ~SessionWriter() = default;
    virtual std::int64_t runId() const = 0;
    /// Thread-safe; severity: "info", "warning", "error".
    virtual void message(std::string severity, std::string text) = 0;
    /// The first write that failed (disk full …), if any. The run goes on without recording.
    virtual Status status() const = 0;
    /// Final kernel names, known after compiling. (step index, kernel)
    virtual void setKernels(std::vector<std::pair<std::uint32_t, std::string>> kernels) = 0;
    /// Drains what is left, writes summaries and indexes, sets the run's status
    /// ("finished", "failed", "cancelled") and its results (JSON: latency, profile_overhead, recording mode …).
    /// Recording threads must have stopped. Once only; a writer destroyed without it marks the run "failed".
    virtual Status finish(const std::string& status, const std::string& message, const std::string& resultJson) = 0;
};

}  // namespace hs
