// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/store/session_reader.h"
#include "ui/models/document.h"

namespace hs::ui {

/// Most points of a counter and rows of memory events that the window keeps.
inline constexpr std::size_t kMaxCounterPoints = 50'000;

/// The fixed part of a run, by NodeId index.
Result<std::shared_ptr<const RunSnapshot>> loadSnapshot(SessionReader& reader, qint64 runId);
/// The growing part of a run.
Result<std::shared_ptr<const RunStats>> loadStats(SessionReader& reader, const RunInfo& run, const RunSnapshot& snapshot);

}  // namespace hs::ui
