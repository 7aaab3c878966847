// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/session_loader.h"

#include <QJsonArray>
#include <QJsonDocument>

namespace hs::ui {
namespace {

Reason reasonOf(const NodeRecord& node) {
    Reason reason{node.reasonCode, {}};
    for (const QJsonValue& arg : QJsonDocument::fromJson(QByteArray::fromStdString(node.reasonArgsJson)).array())
        reason.args.push_back(arg.toVariant().toString().toStdString());
    return reason;
}

NodePlacement placementOf(const NodeRecord& node, const std::vector<DeviceRecord>& devices) {
    NodePlacement out;
    out.device = QString::fromStdString(node.device);
    out.executor = QString::fromStdString(node.executor);
    out.requestedDevice = QString::fromStdString(node.requestedDevice);
    out.outcome = QString::fromStdString(node.outcome);
    out.reason = reasonOf(node);
    out.reasonText = QString::fromStdString(node.reasonText);
    for (std::size_t i = 0; i < devices.size(); ++i)
        if (devices[i].name == node.device) out.deviceIndex = static_cast<int>(i);
    return out;
}

}  // namespace

Result<std::shared_ptr<const RunSnapshot>> loadSnapshot(SessionReader& reader, qint64 runId) {
    auto out = std::make_shared<RunSnapshot>();
    out->runId = runId;
    HS_TRY(out->devices, reader.devices(runId));
    HS_TRY(out->steps, reader.steps(runId));
    HS_TRY(out->plannedSlots, reader.plannedSlots(runId));
    HS_TRY(std::vector<NodeRecord> nodes, reader.nodes(runId));
    // Indices come from a file that anyone may have written: one that is out of proportion must not size a vector.
    const std::size_t bound = nodes.size() * 4 + 1024;
    for (NodeRecord& node : nodes) {
        if (node.index >= bound) continue;
        if (node.index >= out->nodes.size()) out->nodes.resize(node.index + 1);
        out->nodeIndexByRow.insert(node.id, node.index);
        out->nodes[node.index] = std::move(node);
    }
    out->placement.reserve(static_cast<qsizetype>(out->nodes.size()));
    for (const NodeRecord& node : out->nodes)
        out->placement.append(placementOf(node, out->devices));
    return out;
}

Result<std::shared_ptr<const RunStats>> loadStats(SessionReader& reader, const RunInfo& run, const RunSnapshot& snapshot) {
    auto out = std::make_shared<RunStats>();
    out->info = run;
    out->ops.resize(snapshot.nodes.size());
    HS_TRY(std::vector<OpStat> ops, reader.opStats(run.id));
    for (OpStat& op : ops) {
        const auto at = snapshot.nodeIndexByRow.constFind(op.nodeId);
        if (at != snapshot.nodeIndexByRow.cend()) out->ops[*at] = std::move(op);
    }
    HS_TRY(out->devices, reader.deviceStats(run.id));
    HS_TRY(out->tracks, reader.tracks(run.id));
    HS_TRY(out->memory, reader.memory(run.id));
    HS_TRY(out->messages, reader.messages(run.id));
    HS_TRY(const auto extent, reader.extent(run.id));
    out->firstNs = extent.first;
    out->lastNs = extent.second;
    for (const TrackRecord& track : out->tracks) {
        if (track.kind != "counter") continue;
        RunStats::CounterSeries series{track, {}};
        HS_TRY(series.points,
               reader.counters(track.id, std::numeric_limits<std::int64_t>::min() / 2, std::numeric_limits<std::int64_t>::max() / 2, kMaxCounterPoints));
        out->counters.push_back(std::move(series));
    }
    return out;
}

}  // namespace hs::ui
