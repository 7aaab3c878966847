// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_data.h"

#include <algorithm>
#include <map>

namespace hs::ui {
namespace {

double quantile(std::vector<double>& values, double q) {
    if (values.empty()) return 0;
    const auto at = static_cast<std::ptrdiff_t>(q * static_cast<double>(values.size() - 1) + 0.5);
    std::nth_element(values.begin(), values.begin() + at, values.end());
    return values[static_cast<std::size_t>(at)];
}

double covered(std::vector<std::pair<std::int64_t, std::int64_t>>& pieces) {
    std::sort(pieces.begin(), pieces.end());
    double sum = 0;
    std::int64_t end = std::numeric_limits<std::int64_t>::min();
    for (const auto& [from, to] : pieces) {
        if (to <= end) continue;
        sum += static_cast<double>(to - std::max(from, end));
        end = to;
    }
    return sum;
}

}  // namespace

SpanKind spanKind(const std::string& category) {
    if (category == "op" || category == "kernel") return SpanKind::Op;
    if (category == "copy") return SpanKind::Copy;
    return category == "wait" ? SpanKind::Wait : SpanKind::Other;
}

std::unordered_map<std::int64_t, std::vector<PlacedSpan>> placeSpans(std::vector<SpanRecord> spans) {
    std::unordered_map<std::int64_t, std::vector<PlacedSpan>> out;
    for (SpanRecord& s : spans) {
        PlacedSpan placed;
        placed.kind = spanKind(s.category);
        placed.selfNs = s.durNs;
        placed.span = std::move(s);
        out[placed.span.trackId].push_back(std::move(placed));
    }
    for (auto& [track, list] : out) {
        std::stable_sort(list.begin(), list.end(), [](const PlacedSpan& a, const PlacedSpan& b) {
            return a.span.startNs != b.span.startNs ? a.span.startNs < b.span.startNs : a.span.durNs > b.span.durNs;
        });
        std::vector<std::size_t> open;
        for (std::size_t i = 0; i < list.size(); ++i) {
            const SpanRecord& s = list[i].span;
            while (!open.empty() && list[open.back()].span.startNs + list[open.back()].span.durNs < s.startNs + std::max<std::int64_t>(s.durNs, 1))
                open.pop_back();
            if (!open.empty()) list[open.back()].selfNs = std::max<std::int64_t>(0, list[open.back()].selfNs - s.durNs);
            list[i].depth = static_cast<std::uint8_t>(std::min<std::size_t>(open.size(), kMaxDepth - 1));
            open.push_back(i);
        }
    }
    return out;
}

RangeStats rangeStats(std::vector<SpanRecord> spans, const TimelineMeta& meta, std::int64_t fromNs, std::int64_t toNs) {
    RangeStats out;
    out.fromNs = fromNs;
    out.toNs = toNs;
    std::vector<double> durations;
    std::vector<std::pair<std::int64_t, std::int64_t>> pieces;
    std::map<std::string, RangeStats::Top> byType;
    for (const auto& [track, list] : placeSpans(std::move(spans)))
        for (const PlacedSpan& placed : list) {
            const SpanRecord& s = placed.span;
            if (placed.kind == SpanKind::Wait || s.category == "api" || track == meta.iterationTrack) continue;
            const std::int64_t from = std::max(s.startNs, fromNs), to = std::min(s.startNs + s.durNs, toNs);
            if (to < from) continue;
            const double inside = s.durNs > 0 ? static_cast<double>(placed.selfNs) * static_cast<double>(to - from) / static_cast<double>(s.durNs) : 0;
            ++out.count;
            out.totalNs += inside;
            durations.push_back(static_cast<double>(s.durNs));
            pieces.emplace_back(from, to);
            const auto step = meta.steps.find(s.stepId);
            auto& top = byType[step != meta.steps.end() ? step->second.opType : s.name];
            top.ns += inside;
            ++top.count;
        }
    for (const double d : durations)
        out.meanNs += d / static_cast<double>(durations.size());
    out.p50Ns = quantile(durations, 0.5);
    out.p95Ns = quantile(durations, 0.95);
    if (toNs > fromNs) out.busyShare = covered(pieces) / static_cast<double>(toNs - fromNs);
    for (auto& [type, top] : byType) {
        top.opType = type;
        out.top.push_back(top);
    }
    std::stable_sort(out.top.begin(), out.top.end(), [](const auto& a, const auto& b) { return a.ns > b.ns; });
    if (out.top.size() > 6) out.top.resize(6);
    return out;
}

}  // namespace hs::ui
