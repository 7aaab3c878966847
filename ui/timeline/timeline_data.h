// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/store/session_reader.h"

namespace hs::ui {

/// A step as the timeline needs it.
struct TimelineStep {
    std::string label, opType;
    std::vector<std::uint32_t> nodes;  ///< NodeId indices.
    std::int64_t deviceId = 0;
};

/// What is known of a run besides its events. Immutable, shared between threads.
struct TimelineMeta {
    std::int64_t runId = 0;
    std::string status;  ///< "running", "finished" …; "crashed" for a run whose process is gone; empty before it is there.
    std::string recording;
    std::vector<DeviceRecord> devices;
    std::vector<TrackRecord> tracks;
    std::unordered_map<std::int64_t, TimelineStep> steps;  ///< By row id.
    std::vector<std::vector<std::int64_t>> stepsOfNode;    ///< By NodeId index.
    struct Iteration {
        std::int32_t index = 0;
        std::int64_t startNs = 0, durNs = 0;
    };
    std::vector<Iteration> iterations;  ///< By start.
    std::int64_t iterationTrack = -1;   ///< The track that only holds the iterations; shown as bands instead.
    std::int64_t firstNs = 0, lastNs = 0;
    bool running() const { return status == "running" || status.empty(); }
};

enum class SpanKind : std::uint8_t { Op, Copy, Wait, Other };
SpanKind spanKind(const std::string& category);

/// A span in its place among those that enclose it.
struct PlacedSpan {
    SpanRecord span;
    SpanKind kind = SpanKind::Op;
    std::uint8_t depth = 0;   ///< 0: outermost on its track.
    std::int64_t selfNs = 0;  ///< Without what it encloses.
};

/// Events of a stretch of time: either every span, or summary buckets.
struct TimelineWindow {
    std::int64_t fromNs = 0, toNs = 0;
    double nsPerPixel = 0;
    bool summarised = false;
    bool truncated = false;                                                ///< More spans than could be taken.
    std::unordered_map<std::int64_t, std::vector<PlacedSpan>> spans;       ///< By track, by start.
    std::unordered_map<std::int64_t, std::vector<LodBucket>> buckets;      ///< By track, by start.
    std::unordered_map<std::int64_t, std::vector<CounterPoint>> counters;  ///< By track, by time.
};

inline constexpr int kMaxDepth = 6;

/// Sorts spans into tracks and works out nesting and self time.
std::unordered_map<std::int64_t, std::vector<PlacedSpan>> placeSpans(std::vector<SpanRecord> spans);

/// Numbers about a measured range. Waits and API spans count in no figure: the sum of work is not the wall time.
struct RangeStats {
    std::int64_t fromNs = 0, toNs = 0;
    std::int64_t count = 0;
    double totalNs = 0;  ///< Sum of self times inside the range.
    double meanNs = 0, p50Ns = 0, p95Ns = 0;
    double busyShare = 0;  ///< Share of the range in which at least one of them goes on.
    struct Top {
        std::string opType;
        double ns = 0;
        std::int64_t count = 0;
    };
    std::vector<Top> top;  ///< By time, at most 6.
    bool truncated = false;
};
RangeStats rangeStats(std::vector<SpanRecord> spans, const TimelineMeta& meta, std::int64_t fromNs, std::int64_t toNs);

}  // namespace hs::ui
