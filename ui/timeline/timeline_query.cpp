// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_query.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace hs::ui {
namespace {

constexpr std::int64_t kDetailSpans = 12'000;  ///< Up to this many, every span is drawn for itself.
constexpr std::size_t kSpanLimit = 40'000;     ///< Never more rows than this for a picture.
constexpr std::size_t kRangeLimit = 400'000;   ///< For the statistics of a range.
constexpr std::size_t kIterationLimit = 20'000;
constexpr std::size_t kCounterLimit = 200'000;
constexpr std::int64_t kSlowMs = 3000;

std::int64_t integer(const Cell& cell) {
    const auto* value = std::get_if<std::int64_t>(&cell);
    return value != nullptr ? *value : 0;
}

Status readFixed(SessionReader& reader, TimelineMeta& meta) {
    HS_TRY(meta.devices, reader.devices(meta.runId));
    HS_TRY(const auto nodes, reader.nodes(meta.runId));
    std::unordered_map<std::int64_t, const NodeRecord*> byRow;
    std::uint32_t highest = 0;
    for (const NodeRecord& node : nodes) {
        byRow[node.id] = &node;
        highest = std::max(highest, node.index + 1);
    }
    meta.stepsOfNode.assign(std::min<std::size_t>(highest, nodes.size() * 4 + 1024), {});
    HS_TRY(const auto steps, reader.steps(meta.runId));
    for (const StepRecord& step : steps) {
        TimelineStep& s = meta.steps[step.id];
        s.label = step.label;
        s.deviceId = step.deviceId;
        for (const std::int64_t row : step.nodes) {
            const auto it = byRow.find(row);
            if (it == byRow.end() || it->second->index >= meta.stepsOfNode.size()) continue;
            if (s.opType.empty()) s.opType = it->second->opType;
            s.nodes.push_back(it->second->index);
            meta.stepsOfNode[it->second->index].push_back(step.id);
        }
        if (s.opType.empty()) s.opType = step.label;
    }
    return {};
}

void readIterations(SessionReader& reader, TimelineMeta& meta) {
    for (const TrackRecord& track : meta.tracks)
        if (track.name == "iterations" && !track.deviceId) meta.iterationTrack = track.id;
    if (meta.iterationTrack < 0) return;
    const std::int64_t known = meta.iterations.empty() ? -1 : meta.iterations.back().index;
    const auto rows =
        reader.query(fmt::format("SELECT iteration, start_ns, dur_ns FROM span WHERE run_id = {} AND track_id = {} AND iteration > {} ORDER BY start_ns",
                                 meta.runId, meta.iterationTrack, known),
                     kIterationLimit, kSlowMs);
    if (!rows) return;  // bands are a help, not the data
    for (const auto& row : rows->rows)
        if (meta.iterations.size() < kIterationLimit) meta.iterations.push_back({static_cast<std::int32_t>(integer(row[0])), integer(row[1]), integer(row[2])});
}

}  // namespace

Result<std::shared_ptr<const TimelineMeta>> readMeta(SessionReader& reader, std::int64_t runId, const TimelineMeta* known, bool withIterations) {
    auto meta = known != nullptr && known->runId == runId ? std::make_shared<TimelineMeta>(*known) : std::make_shared<TimelineMeta>();
    const bool fresh = known == nullptr || known->runId != runId;
    meta->runId = runId;
    if (fresh) HS_CHECK(readFixed(reader, *meta));
    HS_TRY(const auto runs, reader.runs());
    for (const RunInfo& run : runs)
        if (run.id == runId) {
            meta->status = run.stale ? "crashed" : run.status;
            meta->recording = run.recordingJson;
        }
    HS_TRY(meta->tracks, reader.tracks(runId));
    HS_TRY(const auto extent, reader.extent(runId));
    meta->firstNs = extent.first;
    meta->lastNs = extent.second;
    if (withIterations || !meta->running()) readIterations(reader, *meta);
    return std::shared_ptr<const TimelineMeta>(std::move(meta));
}

Result<std::shared_ptr<const TimelineWindow>> readWindow(SessionReader& reader, const TimelineMeta& meta, std::int64_t fromNs, std::int64_t toNs, int pixels) {
    auto window = std::make_shared<TimelineWindow>();
    window->fromNs = fromNs;
    window->toNs = toNs;
    window->nsPerPixel = static_cast<double>(toNs - fromNs) / std::max(pixels, 1);
    HS_TRY(const auto rough, reader.summary(meta.runId, fromNs, toNs, 64));
    std::int64_t expected = 0;
    for (const LodBucket& b : rough)
        expected += b.spans;
    if (expected > kDetailSpans) {
        HS_TRY(const auto buckets, reader.summary(meta.runId, fromNs, toNs, std::max(64, pixels / 2)));
        // Between the finest level and single spans the finest level is still the better picture than a cut list.
        for (const LodBucket& b : buckets.empty() ? rough : buckets)
            window->buckets[b.trackId].push_back(b);
        window->summarised = true;
    } else {
        HS_TRY(auto spans, reader.spans(meta.runId, fromNs, toNs, kSpanLimit));
        window->truncated = spans.size() == kSpanLimit;
        window->spans = placeSpans(std::move(spans));
    }
    for (const TrackRecord& track : meta.tracks) {
        if (track.kind != "counter" && track.kind != "memory") continue;
        HS_TRY(auto points, reader.counters(track.id, fromNs, toNs, kCounterLimit));
        window->counters[track.id] = std::move(points);
    }
    return std::shared_ptr<const TimelineWindow>(std::move(window));
}

Result<RangeStats> readRange(SessionReader& reader, const TimelineMeta& meta, std::int64_t fromNs, std::int64_t toNs) {
    HS_TRY(auto spans, reader.spans(meta.runId, fromNs, toNs, kRangeLimit));
    const bool truncated = spans.size() == kRangeLimit;
    RangeStats stats = rangeStats(std::move(spans), meta, fromNs, toNs);
    stats.truncated = truncated;
    return stats;
}

std::optional<std::pair<std::int64_t, std::int64_t>> findSpan(SessionReader& reader, std::int64_t runId, const std::vector<std::int64_t>& steps,
                                                              std::int64_t afterNs) {
    if (steps.empty()) return std::nullopt;
    for (const std::int64_t after : {afterNs, std::int64_t{0}}) {
        const auto rows =
            reader.query(fmt::format("SELECT start_ns, dur_ns FROM span WHERE run_id = {} AND step_id IN ({}) AND start_ns >= {} ORDER BY start_ns LIMIT 1",
                                     runId, fmt::join(steps, ","), after),
                         1, kSlowMs);
        if (rows && !rows->rows.empty()) return std::pair(integer(rows->rows[0][0]), integer(rows->rows[0][0]) + integer(rows->rows[0][1]));
    }
    return std::nullopt;
}

}  // namespace hs::ui
