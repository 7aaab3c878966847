// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "executors/reference/values.h"

namespace hs::ref {

/// [batch, heads, length, size] in double, whatever the layout of the input was.
struct Heads {
    std::int64_t batch = 0, heads = 0, length = 0, size = 0;
    Values data;
    const double* row(std::int64_t b, std::int64_t h, std::int64_t t) const { return data.data() + ((b * heads + h) * length + t) * size; }
    double* row(std::int64_t b, std::int64_t h, std::int64_t t) { return data.data() + ((b * heads + h) * length + t) * size; }
    Dims dims() const { return {batch, heads, length, size}; }
};

/// A 3-D input [batch, length, heads·size] is taken apart by `heads`; a 4-D one is [batch, heads, length, size].
Result<Heads> headsOf(const Call& c, std::size_t i, std::int64_t heads);

/// The rows of a cache followed by the new ones. BadInput when their batch, heads or size differ.
Result<Heads> appended(const Call& c, const Heads& old, const Heads& fresh);

/// Writes heads as [batch, heads, length, size], or side by side as [batch, length, heads·size].
Status emitHeads(Call& c, std::size_t i, const Heads& x, bool flat);

}  // namespace hs::ref
