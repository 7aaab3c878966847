// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/trace/events.h"

namespace hs::store {

// Level-of-detail summaries of a timeline: per track, time is cut into buckets of 2^14 ns (16.4 us) at level 0 and eight
// times as much at each further level, up to about 4.6 minutes.
inline constexpr int kLodLevels = 9;
constexpr std::int64_t lodWidthNs(int level) {
    return std::int64_t{1} << (14 + 3 * level);
}
/// A span longer than this many buckets is left out of a level and found by its length instead (index span_long).
inline constexpr std::int64_t kLodMaxBuckets = 4096;
inline constexpr std::int64_t kLongSpanNs = kLodMaxBuckets * lodWidthNs(0);

/// What happened on one track in one bucket. The top step is approximate (the space-saving algorithm of Metwally et al.,
/// "Efficient computation of frequent and top-k elements in data streams", 2005, with four counters).
struct LodSums {
    static constexpr std::uint32_t kNone = 0xFFFFFFFFU;
    std::int64_t spans = 0;
    std::int64_t busyNs = 0;
    std::array<std::int64_t, 7> categoryNs{};
    std::array<std::pair<std::uint32_t, std::int64_t>, 4> steps{{{kNone, 0}, {kNone, 0}, {kNone, 0}, {kNone, 0}}};

    void addStep(std::uint32_t step, std::int64_t ns);
    void add(const LodSums& other);
    std::pair<std::uint32_t, std::int64_t> topStep() const;
    std::pair<int, std::int64_t> topCategory() const;
};

/// The summaries of one track since they were last taken.
class LodTrack {
public:
    using Buckets = std::unordered_map<std::int64_t, LodSums>;

    /// Adds a span to level `base` (and, where it is too long for a level, to the first coarser one that takes it).
    /// `busyNs` of its `durNs` count as busy, spread evenly over it: less than durNs for a step that encloses others.
    void add(int base, std::int64_t startNs, std::int64_t durNs, std::int64_t busyNs, SpanCategory category, std::uint32_t step);
    /// Folds each level into the next and returns all levels' buckets; the track starts anew.
    std::array<Buckets, kLodLevels> take(int base);
    bool empty() const;

private:
    std::array<Buckets, kLodLevels> m_levels;
    std::int64_t m_lastBucket = -1;  // cache: consecutive spans mostly fall into the same bucket of the base level
    int m_lastLevel = -1;
    LodSums* m_last = nullptr;
};

}  // namespace hs::store
