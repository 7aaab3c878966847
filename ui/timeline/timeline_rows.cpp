// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_rows.h"

#include <algorithm>

namespace hs::ui {
namespace {

bool isPlot(const TrackRecord& track) {
    return track.kind == "counter" || track.kind == "memory";
}

bool isShown(const TrackRecord& track, const TimelineMeta& meta) {
    return track.id != meta.iterationTrack && (isPlot(track) || track.lastNs > track.firstNs);
}

}  // namespace

std::vector<TimelineRow> layoutRows(const TimelineMeta& meta, const std::set<std::int64_t>& folded, const std::unordered_map<std::int64_t, int>& depths,
                                    const RowMetrics& metrics) {
    std::vector<TimelineRow> rows;
    double y = 0;
    const auto place = [&](TimelineRow row, double height) {
        row.y = y;
        row.height = height;
        y += height;
        rows.push_back(std::move(row));
    };
    const auto addGroup = [&](std::int64_t id, const std::string& name, int deviceIndex) {
        std::vector<const TrackRecord*> mine;
        for (const TrackRecord& track : meta.tracks)
            if (track.deviceId.value_or(kHostGroup) == id && isShown(track, meta)) mine.push_back(&track);
        if (mine.empty()) return;
        std::stable_sort(mine.begin(), mine.end(), [](const TrackRecord* a, const TrackRecord* b) { return isPlot(*a) < isPlot(*b); });
        TimelineRow heading;
        heading.kind = RowKind::Group;
        heading.id = id;
        heading.name = name;
        heading.deviceIndex = deviceIndex;
        heading.folded = folded.contains(id);
        for (const TrackRecord* track : mine)
            if (!isPlot(*track)) heading.tracks.push_back(track->id);
        const bool closed = heading.folded;
        place(std::move(heading), metrics.heading);
        for (const TrackRecord* track : closed ? std::vector<const TrackRecord*>{} : mine) {
            TimelineRow row;
            row.kind = isPlot(*track) ? RowKind::Counter : RowKind::Spans;
            row.id = track->id;
            row.name = track->name;
            row.unit = track->unit;
            row.deviceIndex = deviceIndex;
            const auto depth = depths.find(track->id);
            row.depth = depth == depths.end() ? 1 : std::clamp(depth->second, 1, kMaxDepth);
            place(std::move(row), isPlot(*track) ? metrics.counter : row.depth * metrics.level + 2 * metrics.gap);
        }
    };
    int index = 0;
    for (const DeviceRecord& device : meta.devices)
        addGroup(device.id, device.name, index++);
    addGroup(kHostGroup, {}, -1);
    return rows;
}

double rowsHeight(const std::vector<TimelineRow>& rows) {
    return rows.empty() ? 0 : rows.back().y + rows.back().height;
}

const TimelineRow* rowAt(const std::vector<TimelineRow>& rows, double y) {
    const auto it = std::upper_bound(rows.begin(), rows.end(), y, [](double at, const TimelineRow& row) { return at < row.y; });
    if (it == rows.begin()) return nullptr;
    return y < std::prev(it)->y + std::prev(it)->height ? &*std::prev(it) : nullptr;
}

}  // namespace hs::ui
