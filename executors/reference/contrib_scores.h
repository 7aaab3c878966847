// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "executors/reference/heads.h"

namespace hs::ref {

/// How queries look at keys. Inputs that broadcast over batch or heads have size 1 there.
struct Attending {
    double scale = 1;
    double softcap = 0;   ///< 0: none.
    bool smooth = false;  ///< A score of 0 that takes part in the softmax and in nothing else.
    Values sinks;         ///< Such a score for each head; empty: none.
    Values bias;          ///< Added to the scores, [batch or 1, heads or 1, queries, keys]; empty: none.
    Dims biasDims;
    Values mask;  ///< Added to the scores too, [batch, queries or 1, keys]; empty: none.
    bool maskPerQuery = false;
    /// The keys [first, last) that query t of batch b sees; null: all.
    std::function<std::pair<std::int64_t, std::int64_t>(std::int64_t b, std::int64_t t)> range;
};

/// softmax(scale · q · kᵀ + mask + bias) · v. Key and value heads may be fewer than query heads by a whole factor.
Result<Heads> attend(const Call& c, const Heads& q, const Heads& k, const Heads& v, const Attending& how);

/// Reads input i as an attention bias for these sizes.
Status readBias(const Call& c, std::size_t i, const Heads& q, std::int64_t keys, Attending& how);

/// Turns pairs of the first 2·half elements of each head by cached angles. `positions` has one entry per batch and row.
struct Rotation {
    Values cosines, sines;
    std::int64_t half = 0, rows = 0;
    bool interleaved = false;
    static Result<Rotation> make(const Call& c, std::size_t cosInput, std::size_t sinInput, bool interleaved);
    Status turn(const Call& c, Heads& x, const std::vector<std::int64_t>& positions) const;
};

/// A mask in any of its forms (1-D ends, ends and starts, or 2-D, 3-D, 4-D flags) as numbers to add.
Status readMask(const Call& c, std::size_t i, const Heads& q, std::int64_t keys, double filter, Attending& how);

}  // namespace hs::ref
