// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/memory/memory_series.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace hs::ui {
namespace {

std::vector<const MemoryRecord*> inOrder(const std::vector<MemoryRecord>& events, std::int64_t deviceId) {
    std::vector<const MemoryRecord*> out;
    for (const MemoryRecord& event : events)
        if (event.deviceId == deviceId) out.push_back(&event);
    std::stable_sort(out.begin(), out.end(), [](const auto* a, const auto* b) { return a->tsNs < b->tsNs; });
    return out;
}

std::vector<LiveValue> largest(std::vector<LiveValue> values, std::size_t limit) {
    std::sort(values.begin(), values.end(), [](const LiveValue& a, const LiveValue& b) { return a.bytes != b.bytes ? a.bytes > b.bytes : a.name < b.name; });
    if (values.size() > limit) values.resize(limit);
    return values;
}

}  // namespace

double StepSeries::peak() const {
    return bytes.empty() ? 0 : *std::max_element(bytes.begin(), bytes.end());
}

StepSeries measuredSeries(const std::vector<MemoryRecord>& events, std::int64_t deviceId) {
    StepSeries out;
    // A release counts what its own allocation took; one whose allocation was not recorded counts nothing.
    std::unordered_map<std::int64_t, std::int64_t> live;
    double total = 0;
    for (const MemoryRecord* event : inOrder(events, deviceId)) {
        if (event->alloc) {
            total -= static_cast<double>(std::exchange(live[event->buffer], event->bytes));
            total += static_cast<double>(event->bytes);
        } else if (const auto at = live.find(event->buffer); at != live.end()) {
            total -= static_cast<double>(at->second);
            live.erase(at);
        }
        const auto x = static_cast<double>(event->tsNs);
        if (!out.x.empty() && out.x.back() == x) {
            out.bytes.back() = total;
            continue;
        }
        out.x.push_back(x);
        out.bytes.push_back(total);
    }
    return out;
}

StepSeries plannedSeries(const std::vector<PlannedSlotRecord>& slots, std::int64_t deviceId) {
    std::map<std::int64_t, double> change;
    for (const PlannedSlotRecord& slot : slots) {
        if (slot.deviceId != deviceId) continue;
        change[slot.firstStep] += static_cast<double>(slot.bytes);
        change[slot.lastStep + 1] -= static_cast<double>(slot.bytes);
    }
    StepSeries out;
    double total = 0;
    for (const auto& [step, delta] : change) {
        total += delta;
        out.x.push_back(static_cast<double>(step));
        out.bytes.push_back(total);
    }
    return out;
}

std::int64_t plannedArenaBytes(const std::vector<PlannedSlotRecord>& slots, std::int64_t deviceId) {
    std::int64_t end = 0;
    for (const PlannedSlotRecord& slot : slots)
        if (slot.deviceId == deviceId) end = std::max(end, slot.offset + slot.bytes);
    return end;
}

std::vector<LiveValue> liveAt(const std::vector<MemoryRecord>& events, std::int64_t deviceId, std::int64_t ns, std::size_t limit) {
    std::unordered_map<std::int64_t, LiveValue> live;
    for (const MemoryRecord* event : inOrder(events, deviceId)) {
        if (event->tsNs > ns) break;
        if (event->alloc)
            live[event->buffer] = {event->valueName, event->bytes};
        else
            live.erase(event->buffer);
    }
    std::vector<LiveValue> out;
    out.reserve(live.size());
    for (auto& [buffer, value] : live)
        out.push_back(std::move(value));
    return largest(std::move(out), limit);
}

std::vector<LiveValue> plannedAt(const std::vector<PlannedSlotRecord>& slots, std::int64_t deviceId, std::int64_t step, std::size_t limit) {
    std::vector<LiveValue> out;
    for (const PlannedSlotRecord& slot : slots)
        if (slot.deviceId == deviceId && slot.firstStep <= step && step <= slot.lastStep) out.push_back({slot.valueName, slot.bytes});
    return largest(std::move(out), limit);
}

}  // namespace hs::ui
