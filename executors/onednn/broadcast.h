// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/graph/shape.h"
#include "executors/onednn/dnnl_adapter.h"

namespace hs::dnn {

/// Operands of a broadcast with neighbouring axes merged where both sides treat them alike, so that few axes remain
/// (and the fast kernels, which know few patterns, apply). Each size of `a` and `b` is 1 or out's.
struct Broadcast {
    MemoryDims a, b, out;
};
Broadcast mergedBroadcast(const Dims& a, const Dims& b, const Dims& out);

/// Sizes with neighbouring axes merged where both are reduced or both kept: `in`, and `out` with 1 for what is reduced.
struct Reduced {
    MemoryDims in, out;
};
Reduced mergedReduction(const Dims& in, const std::vector<bool>& reduced);

}  // namespace hs::dnn
