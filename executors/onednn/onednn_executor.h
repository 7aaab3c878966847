// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "core/contract/executor.h"

namespace hs {

/// Kernels of oneDNN for the host CPU.
std::shared_ptr<const Executor> makeOneDnnExecutor();

}  // namespace hs
