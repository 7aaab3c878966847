// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <gtest/gtest.h>
#include <random>

#include "core/plan/memory_plan.h"

namespace hs {
namespace {

/// The first pair of ranges that live at the same time at overlapping offsets, or an empty text.
std::string overlap(const std::vector<LiveRange>& ranges, const Packing& packing) {
    for (std::size_t a = 0; a < ranges.size(); ++a) {
        for (std::size_t b = a + 1; b < ranges.size(); ++b) {
            const bool together = ranges[a].first <= ranges[b].last && ranges[b].first <= ranges[a].last;
            const bool touching = packing.offsets[a] < packing.offsets[b] + ranges[b].bytes && packing.offsets[b] < packing.offsets[a] + ranges[a].bytes;
            if (together && touching) return std::to_string(a) + " and " + std::to_string(b);
        }
    }
    return {};
}

std::vector<LiveRange> randomRanges(std::uint32_t seed, std::size_t count, std::uint32_t longest) {
    std::mt19937 random(seed);
    std::vector<LiveRange> out;
    for (std::uint32_t step = 0; step < count; ++step)
        out.push_back({64 * (1 + random() % 1000), step, step + static_cast<std::uint32_t>(random() % longest)});
    return out;
}

TEST(PackRanges, AChainNeedsItsTwoNeighboursOnly) {
    const std::vector<LiveRange> ranges = {{64, 0, 1}, {128, 1, 2}, {64, 2, 3}, {128, 3, 4}};
    const Packing packing = packRanges(ranges);
    EXPECT_EQ(packing.lowerBoundBytes, 192U);
    EXPECT_EQ(packing.arenaBytes, 192U);
    EXPECT_EQ(overlap(ranges, packing), "");
}

TEST(PackRanges, NothingGivesAnEmptyArena) {
    EXPECT_EQ(packRanges({}).arenaBytes, 0U);
}

TEST(PackRanges, StaysNearTheLowerBoundWithoutOverlap) {
    double sumOfRatios = 0;
    int packings = 0;
    for (const std::uint32_t longest : {2U, 8U, 40U}) {
        for (std::uint32_t seed = 0; seed < 8; ++seed) {
            const auto ranges = randomRanges(seed, 400, longest);
            const Packing packing = packRanges(ranges);
            EXPECT_EQ(overlap(ranges, packing), "") << seed << ' ' << longest;
            EXPECT_GE(packing.arenaBytes, packing.lowerBoundBytes);
            // Random sizes and lifetimes are harder than any model's.
            const double ratio = static_cast<double>(packing.arenaBytes) / static_cast<double>(packing.lowerBoundBytes);
            EXPECT_LE(ratio, 1.25) << seed << ' ' << longest;
            sumOfRatios += ratio;
            ++packings;
        }
    }
    EXPECT_LE(sumOfRatios / packings, 1.10);
}

TEST(PackRanges, IsDeterministic) {
    const auto ranges = randomRanges(3, 2000, 30);
    EXPECT_EQ(packRanges(ranges).offsets, packRanges(ranges).offsets);
}

TEST(PackRanges, FiftyThousandWideRangesTakeNoQuadraticTime) {
    // Each lives for 500 steps, so 500 are live at a time: far too many pairs to look at one by one.
    std::vector<LiveRange> ranges;
    for (std::uint32_t i = 0; i < 50'000; ++i)
        ranges.push_back({64U * (1 + i % 7), i, i + 500});
    const auto start = std::chrono::steady_clock::now();
    const Packing packing = packRanges(ranges);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
    EXPECT_LE(static_cast<double>(packing.arenaBytes), 1.10 * static_cast<double>(packing.lowerBoundBytes));
}

}  // namespace
}  // namespace hs
