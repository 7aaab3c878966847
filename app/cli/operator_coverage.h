// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

namespace hs::cli {

/// Prints every operator of the registry with what each executor of this machine answers when it is asked for it: element
/// types (all inputs of that type, at the newest opset, in a plain form of the operator) and opsets (float32, or the first type that is taken).
Result<int> operatorCoverage(bool json);

}  // namespace hs::cli
