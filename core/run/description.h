// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/run/profiled_run.h"
#include "core/store/session_writer.h"

namespace hs {

/// Everything that the session keeps about a run before it starts.
RunDescription describeRun(const ProfileRequest& request, const Plan& plan);

}  // namespace hs
