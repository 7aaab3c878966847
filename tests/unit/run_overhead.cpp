// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <random>

#include "core/run/overhead.h"

namespace hs {
namespace {

/// Runs of 100 units plus `cost` when recorded; a busy machine adds an exponential delay of mean `disturbance` to each.
std::vector<std::pair<double, double>> runs(int count, double cost, double disturbance, unsigned seed) {
    std::mt19937 random(seed);
    std::exponential_distribution<double> delay(1 / disturbance);
    std::vector<std::pair<double, double>> out;
    for (int i = 0; i < count; ++i)
        out.emplace_back(100 + cost + delay(random), 100 + delay(random));
    return out;
}

TEST(Overhead, FindsACostThatIsThere) {
    const OverheadEstimate found = estimateOverhead(runs(200, 5, 2, 1));
    EXPECT_EQ(found.pairs, 200);
    EXPECT_NEAR(found.relative, 0.05, 0.01);
    EXPECT_LT(found.noise, 0.01);
    EXPECT_GT(found.relative, found.noise);
}

TEST(Overhead, OnABusyMachineItsBoundCoversTheTruth) {
    int covered = 0;
    for (unsigned seed = 0; seed < 50; ++seed) {
        const OverheadEstimate found = estimateOverhead(runs(40, 1, 60, seed));
        covered += std::abs(found.relative - 0.01) <= found.noise ? 1 : 0;
        EXPECT_GT(found.noise, 0.02) << "the machine is noisier than that";
    }
    EXPECT_GE(covered, 43) << "of 50, at 95 %";
}

TEST(Overhead, FewPairsSayHowLittleTheyKnow) {
    EXPECT_EQ(estimateOverhead({}).pairs, 0);
    const OverheadEstimate one = estimateOverhead({{130, 100}});
    EXPECT_NEAR(one.relative, 0.3, 1e-9);
    EXPECT_NEAR(one.noise, 0.3, 1e-9) << "one pair cannot tell its cost from chance";
    const OverheadEstimate two = estimateOverhead({{110, 100}, {90, 100}});
    EXPECT_NEAR(two.noise, 0.1, 1e-9);
}

}  // namespace
}  // namespace hs
