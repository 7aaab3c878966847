// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/contract/plugin.h"

namespace hs {

/// What this processor is: ISA, caches, cores, NUMA nodes, memory, and the measured f32 peak and streaming bandwidth over
/// all cores (taken from options.cacheDir when measured there before on the same processor).
Result<DeviceInfo> probeCpu(const ProbeOptions& options);

}  // namespace hs
