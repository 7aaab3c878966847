// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/store/session_reader.h"

namespace hs::ui {

/// Bytes that are alive on a device, as steps: each point holds from its x until the next one's.
struct StepSeries {
    std::vector<double> x;  ///< Measured: ns of the run. Planned: position of the plan's step.
    std::vector<double> bytes;
    double peak() const;
};

/// A value that is alive at a moment.
struct LiveValue {
    std::string name;
    std::int64_t bytes = 0;
};

/// Sums the allocations and releases of one device in the order of time.
StepSeries measuredSeries(const std::vector<MemoryRecord>& events, std::int64_t deviceId);
/// Sums the live slots of one device over the plan's steps.
StepSeries plannedSeries(const std::vector<PlannedSlotRecord>& slots, std::int64_t deviceId);
/// End of the highest slot: the arena that the plan asks for.
std::int64_t plannedArenaBytes(const std::vector<PlannedSlotRecord>& slots, std::int64_t deviceId);

/// What is alive at `ns` on the device, largest first, at most `limit`.
std::vector<LiveValue> liveAt(const std::vector<MemoryRecord>& events, std::int64_t deviceId, std::int64_t ns, std::size_t limit);
std::vector<LiveValue> plannedAt(const std::vector<PlannedSlotRecord>& slots, std::int64_t deviceId, std::int64_t step, std::size_t limit);

}  // namespace hs::ui
