// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <spdlog/spdlog.h>

namespace hs {

/// Sends the process log to standard error, warnings and above unless `verbose`. Call once from main().
void setUpLogging(bool verbose);

}  // namespace hs
