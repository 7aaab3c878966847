// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "core/contract/executor.h"

namespace hs {

/// The oracle: plain and right kernels on the host, one thread, any dtype that an operator allows, dynamic shapes too.
std::shared_ptr<const Executor> makeReferenceExecutor();

}  // namespace hs
