// SPDX-License-Identifier: Apache-2.0
#include "core/store/file_reader.h"

#include <unordered_map>

#include "core/store/process_mark.h"
#include "core/store/query_guard.h"

namespace hs::store {
namespace {

std::string text(SQLite::Statement& s, int column) {
    return s.getColumn(column).getString();
}
std::int64_t integer(SQLite::Statement& s, int column) {
    return s.getColumn(column).getInt64();
}
double real(SQLite::Statement& s, int column) {
    return s.getColumn(column).getDouble();
}

}  // namespace

std::int64_t FileReader::dataVersion() {
    return guarded(m_path, [&]() -> Result<std::int64_t> { return m_db->execAndGet("PRAGMA data_version").getInt64(); }).value_or(0);
}

Result<std::vector<RunInfo>> FileReader::runs() {
    const auto make = [](SQLite::Statement& s) {
        RunInfo r;
        r.id = integer(s, 0);
        r.modelId = integer(s, 1);
        r.label = text(s, 2);
        r.status = text(s, 3);
        r.startedAt = text(s, 4);
        r.finishedAt = text(s, 5);
        r.message = text(s, 6);
        r.configJson = text(s, 7);
        r.hostJson = text(s, 8);
        r.planJson = text(s, 9);
        r.resultJson = text(s, 10);
        r.clock = text(s, 11);
        r.recordingJson = text(s, 12);
        r.stale = r.status == "running" && !mayBeAlive({integer(s, 13), integer(s, 14), text(s, 15)});
        return r;
    };
    return collect<RunInfo>(
        "SELECT id, model_id, label, status, started_at, finished_at, message, config_json, host_json, plan_json, result_json, clock, recording_json,"
        " pid, process_start, boot_id FROM run ORDER BY id",
        make);
}

Result<ModelRecord> FileReader::model(std::int64_t modelId) {
    const auto make = [](SQLite::Statement& s) { return ModelRecord{integer(s, 0), integer(s, 1), text(s, 2), text(s, 3), text(s, 4), text(s, 5)}; };
    HS_TRY(auto rows, collect<ModelRecord>("SELECT id, ir_version, path, sha256, name, opsets_json FROM model WHERE id = ?", make, modelId));
    if (rows.empty()) return fail(ErrorCode::BadRequest, m_path, "the session has no model {}", modelId);
    return std::move(rows.front());
}

Result<std::vector<NodeRecord>> FileReader::nodes(std::int64_t runId) {
    const auto make = [](SQLite::Statement& s) {
        NodeRecord n;
        n.id = integer(s, 0);
        n.index = s.getColumn(1).getUInt();
        n.name = text(s, 2);
        n.opType = text(s, 3);
        n.domain = text(s, 4);
        n.graph = text(s, 5);
        n.outcome = text(s, 6);
        n.device = text(s, 7);
        n.executor = text(s, 8);
        n.requestedDevice = text(s, 9);
        n.reasonCode = text(s, 10);
        n.reasonArgsJson = text(s, 11);
        n.reasonText = text(s, 12);
        n.infoJson = text(s, 13);
        n.flops = real(s, 14);
        n.bytes = real(s, 15);
        return n;
    };
    return collect<NodeRecord>(
        "SELECT n.id, n.node_index, n.name, n.op_type, n.domain, n.graph, r.outcome, r.device, r.executor, r.requested_device, r.reason_code,"
        " r.reason_args_json, r.reason_text, r.info_json, r.flops, r.bytes FROM node_run r JOIN node n ON n.id = r.node_id"
        " WHERE r.run_id = ? ORDER BY n.node_index",
        make, runId);
}

Result<std::vector<DeviceRecord>> FileReader::devices(std::int64_t runId) {
    const auto make = [](SQLite::Statement& s) { return DeviceRecord{integer(s, 0), text(s, 1), text(s, 2), text(s, 3), text(s, 4), integer(s, 5) != 0}; };
    return collect<DeviceRecord>("SELECT id, name, plugin, kind, properties_json, simulated FROM device WHERE run_id = ? ORDER BY device_index", make, runId);
}

Result<std::vector<StepRecord>> FileReader::steps(std::int64_t runId) {
    const auto make = [](SQLite::Statement& s) {
        StepRecord r;
        r.id = integer(s, 0);
        r.deviceId = integer(s, 1);
        r.executor = text(s, 2);
        r.kernel = text(s, 3);
        r.precision = text(s, 4);
        r.label = text(s, 5);
        r.predictedNs = real(s, 6);
        r.flops = real(s, 7);
        r.bytes = real(s, 8);
        return r;
    };
    HS_TRY(auto steps, collect<StepRecord>("SELECT id, device_id, executor, kernel, precision, label, predicted_ns, flops, bytes FROM step"
                                           " WHERE run_id = ? ORDER BY step_index",
                                           make, runId));
    std::unordered_map<std::int64_t, std::size_t> places;
    for (std::size_t i = 0; i < steps.size(); ++i)
        places[steps[i].id] = i;
    const auto pair = [](SQLite::Statement& s) { return std::pair(integer(s, 0), integer(s, 1)); };
    HS_TRY(const auto members,
           (collect<std::pair<std::int64_t, std::int64_t>>(
               "SELECT m.step_id, m.node_id FROM step s JOIN step_node m ON m.step_id = s.id WHERE s.run_id = ? ORDER BY m.step_id, m.node_id", pair, runId)));
    for (const auto& [step, node] : members)
        steps[places.at(step)].nodes.push_back(node);
    return steps;
}

Result<std::vector<OpStat>> FileReader::opStats(std::int64_t runId) {
    const auto make = [](SQLite::Statement& s) {
        OpStat o;
        o.nodeId = integer(s, 0);
        o.name = text(s, 1);
        o.opType = text(s, 2);
        o.device = text(s, 3);
        o.executor = text(s, 4);
        o.outcome = text(s, 5);
        o.fusedWith = text(s, 6);
        o.calls = integer(s, 7);
        o.totalNs = real(s, 8);
        o.meanNs = real(s, 9);
        o.p50Ns = real(s, 10);
        o.p95Ns = real(s, 11);
        o.share = real(s, 12);
        o.gflops = real(s, 13);
        o.gbps = real(s, 14);
        return o;
    };
    return collect<OpStat>(
        "SELECT node_id, name, op_type, device, executor, outcome, fused_with, calls, total_ns, mean_ns, p50_ns, p95_ns, share, gflops, gbps"
        " FROM op_stats WHERE run_id = ? ORDER BY node_id",
        make, runId);
}

Result<std::vector<DeviceStat>> FileReader::deviceStats(std::int64_t runId) {
    const auto make = [](SQLite::Statement& s) { return DeviceStat{text(s, 0), real(s, 1), real(s, 2), real(s, 3), real(s, 4), integer(s, 5)}; };
    return collect<DeviceStat>("SELECT device, busy_ns, idle_ns, copy_ns, utilisation, peak_bytes FROM device_stats WHERE run_id = ?", make, runId);
}

Result<std::vector<MemoryRecord>> FileReader::memory(std::int64_t runId) {
    const auto make = [](SQLite::Statement& s) {
        return MemoryRecord{integer(s, 0), integer(s, 1), integer(s, 2), integer(s, 3), text(s, 4) == "alloc", text(s, 5)};
    };
    return collect<MemoryRecord>("SELECT device_id, ts_ns, bytes, buffer, kind, value_name FROM memory_event WHERE run_id = ? ORDER BY rowid", make, runId);
}

Result<std::vector<PlannedSlotRecord>> FileReader::plannedSlots(std::int64_t runId) {
    const auto make = [](SQLite::Statement& s) {
        return PlannedSlotRecord{integer(s, 0), text(s, 1), integer(s, 2), integer(s, 3), integer(s, 4), integer(s, 5)};
    };
    return collect<PlannedSlotRecord>("SELECT device_id, value_name, offset, bytes, first_step, last_step FROM planned_slot WHERE run_id = ? ORDER BY rowid",
                                      make, runId);
}

Result<std::vector<MessageRecord>> FileReader::messages(std::int64_t runId) {
    const auto make = [](SQLite::Statement& s) { return MessageRecord{integer(s, 0), text(s, 1), text(s, 2)}; };
    return collect<MessageRecord>("SELECT ts_ns, severity, text FROM message WHERE run_id = ? ORDER BY ts_ns, rowid", make, runId);
}

Result<QueryResult> FileReader::query(const std::string& sql, std::size_t rowLimit, std::int64_t timeLimitMs) {
    m_interrupted.store(false);
    return runQuery(m_db->getHandle(), m_path, sql, rowLimit, timeLimitMs, m_interrupted);
}

void FileReader::interrupt() {
    m_interrupted.store(true);
}

}  // namespace hs::store
