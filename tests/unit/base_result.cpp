// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <gtest/gtest.h>
#include <thread>

#include "core/base/clock.h"
#include "core/base/ids.h"
#include "core/base/reason.h"
#include "core/base/result.h"

namespace hs {
namespace {

Result<int> half(int value) {
    if (value % 2 != 0) return fail(ErrorCode::BadInput, "value", "{} is odd", value);
    return value / 2;
}

Result<int> quarter(int value) {
    HS_TRY(const int h, half(value));
    return half(h);
}

TEST(Result, TryPassesTheErrorOn) {
    EXPECT_EQ(quarter(8).value(), 2);
    const auto failed = quarter(6);
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().text(), "value: 3 is odd");
}

TEST(Result, ExitStatusIsTheContracts) {
    EXPECT_EQ(exitStatus(ErrorCode::BadRequest), 2);
    EXPECT_EQ(exitStatus(ErrorCode::BadInput), 3);
    EXPECT_EQ(exitStatus(ErrorCode::Unsupported), 3);
    EXPECT_EQ(exitStatus(ErrorCode::DeviceFailed), 4);
    EXPECT_EQ(exitStatus(ErrorCode::Cancelled), 130);
}

TEST(Reason, FillsItsArguments) {
    const Reason reason{"kernel.dtype", {"onednn", "Conv", "float64"}};
    EXPECT_EQ(reason.text(), "executor onednn has no kernel for Conv on float64");
    EXPECT_EQ(fillTemplate("%1 %3", {"a", "b"}), "a ?");
    EXPECT_EQ(fillTemplate("50 % of %1", {"x"}), "50 % of x");
}

TEST(Reason, TemplatesAreSortedAndUnique) {
    const auto& all = reasonTemplates();
    EXPECT_TRUE(std::is_sorted(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.code < b.code; }));
    EXPECT_EQ(std::adjacent_find(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.code == b.code; }), all.end());
}

TEST(Ids, DefaultIsInvalid) {
    EXPECT_FALSE(NodeId{}.valid());
    EXPECT_TRUE(NodeId(std::size_t{0}).valid());
    EXPECT_LT(NodeId(std::size_t{1}), NodeId(std::size_t{2}));
}

TEST(TickClock, AgreesWithTheSteadyClock) {
    const TickClock& clock = TickClock::instance();
    const std::int64_t before = steadyNs();
    const std::int64_t between = clock.toSteadyNs(ticks());
    const std::int64_t after = steadyNs();
    // The calibration's own uncertainty is far below a millisecond on any machine that runs the tests.
    EXPECT_GT(between, before - 1'000'000);
    EXPECT_LT(between, after + 1'000'000);
    const std::uint64_t start = ticks();
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_GT(clock.durationNs(ticks() - start), 9'000'000);
}

}  // namespace
}  // namespace hs
