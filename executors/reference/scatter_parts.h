// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "executors/reference/call.h"

namespace hs::ref {

/// The integers of an input as indices into `size` elements; negative ones count from the end.
Result<std::vector<std::int64_t>> indicesInto(const Call& c, std::size_t input, std::int64_t size);

/// The index tensor of GatherElements and ScatterElements must lie within the data off its axis.
Status checkIndexShape(const Call& c, const Dims& data, const Dims& indices, std::size_t axis);

/// y[target + k] = y[target + k] ∘ update, in order, for ∘ one of add, mul, min, max.
Status combine(const Call& c, Tensor& y, const Tensor& updates, const std::vector<std::int64_t>& targets, std::int64_t run, const std::string& reduction);

}  // namespace hs::ref
