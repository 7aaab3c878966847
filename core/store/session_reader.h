// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/base/result.h"

namespace hs {

using Cell = std::variant<std::monostate, std::int64_t, double, std::string>;  ///< NULL, INTEGER, REAL, TEXT (blobs: "x'…'")

struct QueryResult {
    std::vector<std::string> columns;
    std::vector<std::vector<Cell>> rows;
    bool truncated = false;  ///< More rows existed than the limit.
};

struct RunInfo {
    std::int64_t id = 0, modelId = 0;
    std::string label, status, startedAt, message, configJson, hostJson, planJson, resultJson, clock, recordingJson;
    std::string finishedAt;  ///< Empty while it runs.
    bool stale = false;      ///< Status is "running", but the process that wrote it is gone: it crashed or was killed.
};
struct ModelRecord {
    std::int64_t id = 0, irVersion = 0;
    std::string path, sha256, name, opsetsJson;
};
struct NodeRecord {
    std::int64_t id = 0;
    std::uint32_t index = 0;  ///< The model's NodeId.
    std::string name, opType, domain, graph, outcome, device, executor, requestedDevice, reasonCode, reasonArgsJson, reasonText, infoJson;
    double flops = 0, bytes = 0;
};
struct DeviceRecord {
    std::int64_t id = 0;
    std::string name, plugin, kind, propertiesJson;
    bool simulated = false;
};
struct StepRecord {
    std::int64_t id = 0, deviceId = 0;
    std::string executor, kernel, precision, label;
    double predictedNs = 0, flops = 0, bytes = 0;
    std::vector<std::int64_t> nodes;  ///< Row ids of node.
};
struct TrackRecord {
    std::int64_t id = 0;
    std::optional<std::int64_t> deviceId;
    std::string kind, name, unit;
    std::int64_t firstNs = 0, lastNs = 0;  ///< Extent of its spans.
};
struct SpanRecord {
    std::int64_t id = 0, trackId = 0, stepId = -1, startNs = 0, durNs = 0, bytes = 0, correlationId = 0;
    std::int32_t iteration = -1;
    std::string category, name;
};
/// One bucket of a timeline summary: what a track did in [startNs, startNs + widthNs).
struct LodBucket {
    std::int64_t trackId = 0, startNs = 0, widthNs = 0, busyNs = 0;
    std::int64_t spans = 0;
    std::int64_t topStepId = -1;  ///< The step with most time in the bucket.
    std::string topCategory;
};
struct OpStat {
    std::int64_t nodeId = 0;
    std::string name, opType, device, executor, outcome, fusedWith;
    std::int64_t calls = 0;
    double totalNs = 0, meanNs = 0, p50Ns = 0, p95Ns = 0, share = 0, gflops = 0, gbps = 0;
};
struct DeviceStat {
    std::string device;
    double busyNs = 0, idleNs = 0, copyNs = 0, utilisation = 0;
    std::int64_t peakBytes = 0;
};
struct CounterPoint {
    std::int64_t trackId = 0, tsNs = 0;
    double value = 0;
};
struct MemoryRecord {
    std::int64_t deviceId = 0, tsNs = 0, bytes = 0, buffer = 0;
    bool alloc = true;
    std::string valueName;
};
struct PlannedSlotRecord {
    std::int64_t deviceId = 0;
    std::string valueName;
    std::int64_t offset = 0, bytes = 0, firstStep = 0, lastStep = 0;
};
struct MessageRecord {
    std::int64_t tsNs = 0;
    std::string severity, text;
};

/// Reads a session, also while it is being written. One reader per thread. Never writes the file.
/// Errors: BadInput for a file that is no session, or one of a newer version (says which and what to do).
class SessionReader {
public:
    static Result<std::unique_ptr<SessionReader>> open(const std::string& path);
    virtual ~SessionReader() = default;

    /// Changes whenever a writer has committed something since the last call (PRAGMA data_version): poll it.
    virtual std::int64_t dataVersion() = 0;
    virtual Result<std::vector<RunInfo>> runs() = 0;
    virtual Result<ModelRecord> model(std::int64_t modelId) = 0;
    virtual Result<std::vector<NodeRecord>> nodes(std::int64_t runId) = 0;
    virtual Result<std::vector<DeviceRecord>> devices(std::int64_t runId) = 0;
    virtual Result<std::vector<StepRecord>> steps(std::int64_t runId) = 0;
    virtual Result<std::vector<TrackRecord>> tracks(std::int64_t runId) = 0;
    /// Spans that touch [fromNs, toNs), by start, at most `limit`.
    virtual Result<std::vector<SpanRecord>> spans(std::int64_t runId, std::int64_t fromNs, std::int64_t toNs, std::size_t limit) = 0;
    /// Summary buckets that touch the window at the coarsest stored level with at least `minBuckets` in it; empty when
    /// the window is so short that spans() is the right question.
    virtual Result<std::vector<LodBucket>> summary(std::int64_t runId, std::int64_t fromNs, std::int64_t toNs, int minBuckets) = 0;
    virtual Result<std::vector<OpStat>> opStats(std::int64_t runId) = 0;
    virtual Result<std::vector<DeviceStat>> deviceStats(std::int64_t runId) = 0;
    virtual Result<std::vector<CounterPoint>> counters(std::int64_t trackId, std::int64_t fromNs, std::int64_t toNs, std::size_t limit) = 0;
    virtual Result<std::vector<MemoryRecord>> memory(std::int64_t runId) = 0;
    virtual Result<std::vector<PlannedSlotRecord>> plannedSlots(std::int64_t runId) = 0;
    virtual Result<std::vector<MessageRecord>> messages(std::int64_t runId) = 0;
    /// Extent of everything recorded, in ns.
    virtual Result<std::pair<std::int64_t, std::int64_t>> extent(std::int64_t runId) = 0;

    /// Any read-only SQL, one statement. BadRequest when it would write (sqlite3_stmt_readonly and an authorizer), does not
    /// parse, or takes longer than `timeLimitMs`; Cancelled after interrupt(). Results above 64 MiB are cut (truncated).
    virtual Result<QueryResult> query(const std::string& sql, std::size_t rowLimit, std::int64_t timeLimitMs = 10'000) = 0;
    /// Ends the query() that is going on, from another thread.
    virtual void interrupt() = 0;
};

}  // namespace hs
