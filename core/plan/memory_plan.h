// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace hs {

inline constexpr std::uint64_t kArenaAlignment = 64;  ///< Bytes: one cache line, and the widest vector register.

/// A buffer to place: `bytes` (already aligned) live from step `first` to step `last`, both inclusive.
struct LiveRange {
    std::uint64_t bytes = 0;
    std::uint32_t first = 0;
    std::uint32_t last = 0;
};

struct Packing {
    std::vector<std::uint64_t> offsets;  ///< One per range.
    std::uint64_t arenaBytes = 0;
    std::uint64_t lowerBoundBytes = 0;  ///< Largest sum of live bytes at any step: no packing can be smaller.
};

/// Places ranges that live at the same time at disjoint offsets. Deterministic. Takes the smallest of three packings: a
/// sweep over time with best fit (n log n), and, where lifetimes are not so long that it would take more than about a
/// second, each range at its lowest free offset, those with most bytes, or most bytes times steps, first.
Packing packRanges(std::span<const LiveRange> ranges);

}  // namespace hs
