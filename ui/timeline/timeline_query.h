// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>

#include "core/store/session_reader.h"
#include "ui/timeline/timeline_data.h"

namespace hs::ui {

// What the timeline asks of a session. Runs on the loader's thread.

/// `known`: what was read before of the same run; its fixed parts are taken over. Looking for new iterations takes time in
/// proportion to the spans: while a run goes on, the caller says how often.
Result<std::shared_ptr<const TimelineMeta>> readMeta(SessionReader& reader, std::int64_t runId, const TimelineMeta* known, bool withIterations);

/// Every span where there are few, else summary buckets about a pixel wide.
Result<std::shared_ptr<const TimelineWindow>> readWindow(SessionReader& reader, const TimelineMeta& meta, std::int64_t fromNs, std::int64_t toNs, int pixels);

Result<RangeStats> readRange(SessionReader& reader, const TimelineMeta& meta, std::int64_t fromNs, std::int64_t toNs);

/// First span of one of the steps at or after a time, else the first of all.
std::optional<std::pair<std::int64_t, std::int64_t>> findSpan(SessionReader& reader, std::int64_t runId, const std::vector<std::int64_t>& steps,
                                                              std::int64_t afterNs);

}  // namespace hs::ui
