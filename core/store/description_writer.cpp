// SPDX-License-Identifier: Apache-2.0
#include "core/store/description_writer.h"

#include <algorithm>

#include "core/store/process_mark.h"
#include "core/store/sqlite_util.h"

namespace hs::store {
namespace {

template <class... Args>
void insert(SQLite::Statement& statement, const Args&... args) {
    int index = 0;
    (statement.bind(++index, args), ...);
    runOnce(statement);
}

/// The stored model with the same content and the same nodes, or -1.
std::int64_t findModel(SQLite::Database& db, const RunDescription& d) {
    if (d.model.sha256.empty()) return -1;
    SQLite::Statement models(db, "SELECT id FROM model WHERE sha256 = ? AND path = ?");
    models.bind(1, d.model.sha256);
    models.bind(2, d.model.path);
    while (models.executeStep()) {
        const std::int64_t id = models.getColumn(0).getInt64();
        std::unordered_map<std::uint32_t, std::pair<std::string, std::string>> stored;
        SQLite::Statement nodes(db, "SELECT node_index, name, op_type FROM node WHERE model_id = ?");
        nodes.bind(1, id);
        while (nodes.executeStep())
            stored[nodes.getColumn(0).getUInt()] = {nodes.getColumn(1).getString(), nodes.getColumn(2).getString()};
        const bool same = stored.size() == d.nodes.size() && std::all_of(d.nodes.begin(), d.nodes.end(), [&](const NodeRow& n) {
                              const auto it = stored.find(n.node);
                              return it != stored.end() && it->second == std::pair(n.name, n.opType);
                          });
        if (same) return id;
    }
    return -1;
}

void insertModel(SQLite::Database& db, const RunDescription& d, RunIds& ids) {
    ids.model = findModel(db, d);
    if (ids.model < 0) {
        SQLite::Statement model(db, "INSERT INTO model(path, sha256, name, ir_version, opsets_json) VALUES(?,?,?,?,?)");
        insert(model, d.model.path, d.model.sha256, d.model.name, d.model.irVersion, d.model.opsetsJson);
        ids.model = db.getLastInsertRowid();
        SQLite::Statement node(db, "INSERT INTO node(model_id, node_index, name, op_type, domain, graph, flops, bytes, info_json) VALUES(?,?,?,?,?,?,?,?,?)");
        for (const NodeRow& n : d.nodes)
            insert(node, ids.model, n.node, n.name, n.opType, n.domain, n.graph, n.flops, n.bytes, n.infoJson);
    }
    SQLite::Statement rows(db, "SELECT node_index, id FROM node WHERE model_id = ?");
    rows.bind(1, ids.model);
    while (rows.executeStep())
        ids.nodes[rows.getColumn(0).getUInt()] = rows.getColumn(1).getInt64();
}

void insertRun(SQLite::Database& db, const RunRow& run, RunIds& ids) {
    const ProcessMark mark = thisProcess();
    SQLite::Statement row(db,
                          "INSERT INTO run(model_id, label, config_json, status, started_at, host_json, plan_json, clock, pid, process_start, boot_id)"
                          " VALUES(?,?,?,'running',?,?,?,?,?,?,?)");
    insert(row, ids.model, run.label, run.configJson, utcNow(), run.hostJson, run.planJson, run.clock, mark.pid, mark.start, mark.bootId);
    ids.run = db.getLastInsertRowid();
}

void insertPlacement(SQLite::Database& db, const RunDescription& d, RunIds& ids) {
    SQLite::Statement device(db, "INSERT INTO device(run_id, device_index, name, plugin, kind, simulated, properties_json) VALUES(?,?,?,?,?,?,?)");
    for (const DeviceRow& x : d.devices) {
        insert(device, ids.run, static_cast<std::int64_t>(ids.devices.size()), x.name, x.plugin, x.kind, x.simulated ? 1 : 0, x.propertiesJson);
        ids.devices.push_back(db.getLastInsertRowid());
    }
    SQLite::Statement node(db, "INSERT INTO node_run VALUES(?,?,?,?,?,?,?,?,?,?,?,?)");
    for (const NodeRow& n : d.nodes)
        insert(node, ids.run, ids.nodes.at(n.node), n.outcome, n.device, n.executor, n.requestedDevice, n.reasonCode, n.reasonArgsJson, n.reasonText, n.flops,
               n.bytes, n.infoJson);
    SQLite::Statement value(db, "INSERT OR REPLACE INTO value VALUES(?,?,?,?,?,?)");
    for (const ValueRow& v : d.values) {
        const auto producer = v.producer < 0 ? ids.nodes.end() : ids.nodes.find(static_cast<std::uint32_t>(v.producer));
        bindOptional(value, 5, v.bytes);
        bindOptional(value, 6, producer == ids.nodes.end() ? -1 : producer->second);
        insert(value, ids.run, v.value, v.name, v.type);
        ids.valueNames[v.value] = v.name;
    }
}

void insertSteps(SQLite::Database& db, const RunDescription& d, RunIds& ids) {
    SQLite::Statement step(db,
                           "INSERT INTO step(run_id, step_index, executor, kernel, precision, label, predicted_ns, flops, bytes, node_count, device_id)"
                           " VALUES(?,?,?,?,?,?,?,?,?,?,?)");
    SQLite::Statement member(db, "INSERT OR REPLACE INTO step_node VALUES(?,?,?,?)");
    for (const StepRow& s : d.steps) {
        bindOptional(step, 11, ids.device(s.device));
        insert(step, ids.run, s.step, s.executor, s.kernel, s.precision, s.label, s.predictedNs, s.flops, s.bytes, static_cast<std::int64_t>(s.nodes.size()));
        const std::int64_t id = db.getLastInsertRowid();
        if (s.step >= ids.steps.size()) {
            ids.steps.resize(s.step + std::size_t{1}, -1);
            ids.stepDevices.resize(s.step + std::size_t{1}, kHostDevice);
        }
        ids.steps[s.step] = id;
        ids.stepDevices[s.step] = s.device;
        for (const auto& [index, share] : s.nodes)
            if (const auto it = ids.nodes.find(index); it != ids.nodes.end()) insert(member, id, it->second, share, ids.run);
    }
}

void insertPlannedSlots(SQLite::Database& db, const RunDescription& d, const RunIds& ids) {
    SQLite::Statement slot(
        db, "INSERT INTO planned_slot(run_id, value_index, value_name, offset, bytes, first_step, last_step, device_id) VALUES(?,?,?,?,?,?,?,?)");
    for (const PlannedSlotRow& s : d.plannedSlots) {
        const std::string* name = ids.valueName(s.value);
        bindOptional(slot, 8, ids.device(s.device));
        insert(slot, ids.run, s.value, name == nullptr ? std::string() : *name, static_cast<std::int64_t>(s.offset), static_cast<std::int64_t>(s.bytes),
               s.firstStep, s.lastStep);
    }
}

}  // namespace

RunIds insertDescription(SQLite::Database& db, const RunDescription& description) {
    RunIds ids;
    insertModel(db, description, ids);
    insertRun(db, description.run, ids);
    insertPlacement(db, description, ids);
    insertSteps(db, description, ids);
    insertPlannedSlots(db, description, ids);
    return ids;
}

}  // namespace hs::store
