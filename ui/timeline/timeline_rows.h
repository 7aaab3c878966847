// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <set>
#include <unordered_map>
#include <vector>

#include "ui/timeline/timeline_data.h"

namespace hs::ui {

inline constexpr std::int64_t kHostGroup = -1;  ///< Stands for the device of tracks that belong to none.

enum class RowKind : std::uint8_t { Group, Spans, Counter };

/// A row of the timeline: a device's heading, a track of spans, or a counter's plot.
struct TimelineRow {
    RowKind kind = RowKind::Spans;
    std::int64_t id = 0;  ///< Of the device (or kHostGroup) or of the track.
    std::string name, unit;
    int deviceIndex = -1;
    bool folded = false;
    int depth = 1;  ///< Nesting levels shown.
    double y = 0, height = 0;
    std::vector<std::int64_t> tracks;  ///< Of a heading: the span tracks below it.
};

struct RowMetrics {
    double level = 20;  ///< One nesting level of spans.
    double heading = 24;
    double counter = 44;
    double gap = 4;
};

/// Rows from top to bottom, devices in the run's order, the host last. Tracks without any event are left out.
std::vector<TimelineRow> layoutRows(const TimelineMeta& meta, const std::set<std::int64_t>& folded, const std::unordered_map<std::int64_t, int>& depths,
                                    const RowMetrics& metrics = {});
double rowsHeight(const std::vector<TimelineRow>& rows);
/// The row at a height, or null.
const TimelineRow* rowAt(const std::vector<TimelineRow>& rows, double y);

}  // namespace hs::ui
