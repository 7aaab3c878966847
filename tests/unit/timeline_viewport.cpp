// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "ui/timeline/viewport.h"

namespace hs::ui {
namespace {

TimeViewport viewport(std::int64_t lastNs = 1'000'000'000, double width = 1000) {
    TimeViewport v;
    v.setWidth(width);
    v.setExtent(0, lastNs);
    v.fit();
    return v;
}

TEST(TimeViewport, FitShowsAllWithAir) {
    const TimeViewport v = viewport();
    EXPECT_LT(v.fromNs(), 0);
    EXPECT_GT(v.toNs(), 1e9);
    EXPECT_LT(v.spanNs(), 1.1e9);
}

TEST(TimeViewport, PixelsAndTimesAreInverse) {
    TimeViewport v = viewport();
    v.show(123'456, 789'012);
    for (const double x : {0.0, 17.5, 500.0, 999.0})
        EXPECT_NEAR(v.toX(v.toNsAt(x)), x, 1e-6);
}

TEST(TimeViewport, ZoomKeepsTheTimeUnderTheCursor) {
    TimeViewport v = viewport();
    v.show(2e8, 8e8);
    for (const double factor : {1.5, 4.0, 0.7}) {
        const double before = v.toNsAt(300);
        v.zoomBy(factor, 300);
        EXPECT_NEAR(v.toNsAt(300), before, v.nsPerPixel());
    }
}

TEST(TimeViewport, GoesDownToNanosecondsAndNoFurther) {
    TimeViewport v = viewport();
    for (int i = 0; i < 100; ++i)
        v.zoomBy(3, 500);
    EXPECT_DOUBLE_EQ(v.spanNs(), TimeViewport::kMinSpanNs);
    EXPECT_EQ(v.tickStepNs(), 2);
    EXPECT_EQ(tickLabel(500'000'123, 1), "500.000123 ms");
}

TEST(TimeViewport, NeverLeavesTheRunAltogether) {
    TimeViewport v = viewport();
    v.show(4e8, 5e8);
    v.panBy(1e7);
    EXPECT_LT(v.fromNs(), 1e9);
    v.panBy(-1e8);
    EXPECT_GT(v.toNs(), 0);
}

TEST(TimeViewport, TicksAreOneTwoFiveAndFarEnoughApart) {
    for (double span = 50; span < 3e11; span *= 3.7) {
        TimeViewport v;
        v.setWidth(1200);
        v.setExtent(0, 300'000'000'000);
        v.show(1e9, 1e9 + span);
        const auto step = static_cast<double>(v.tickStepNs(90));
        const double lead = step / std::pow(10, std::floor(std::log10(step) + 1e-9));
        EXPECT_TRUE(std::abs(lead - 1) < 1e-6 || std::abs(lead - 2) < 1e-6 || std::abs(lead - 5) < 1e-6) << step;
        EXPECT_GE(step / v.nsPerPixel(), 90 * 0.999);
        EXPECT_LE(step / v.nsPerPixel(), std::max(90 * 2.51, 1 / v.nsPerPixel()));
        const auto ticks = v.ticks(90);
        EXPECT_LT(ticks.size(), 100U);
        EXPECT_TRUE(std::any_of(ticks.begin(), ticks.end(), [](const TimeTick& t) { return t.major; }));
    }
}

TEST(TimeViewport, LabelsDifferFromTickToTick) {
    EXPECT_EQ(tickLabel(0, 1'000'000), "0 ms");
    EXPECT_EQ(tickLabel(12'500'000, 500'000), "12.5 ms");
    EXPECT_EQ(tickLabel(1'200'000'000, 100'000'000), "1.2 s");
    EXPECT_EQ(tickLabel(340'000, 20'000), "340 µs");
    EXPECT_EQ(tickLabel(7, 1), "7 ns");
}

TEST(TimeViewport, RevealPansAndZoomsOutOnlyWhenItMust) {
    TimeViewport v = viewport();
    v.show(0, 1e6);
    v.reveal(500'000'000, 500'100'000);
    EXPECT_DOUBLE_EQ(v.spanNs(), 1e6);
    EXPECT_LE(v.fromNs(), 5e8);
    v.reveal(100'000'000, 300'000'000);
    EXPECT_GE(v.spanNs(), 2e8);
    const double from = v.fromNs();
    v.reveal(200'000'000, 200'000'100);
    EXPECT_DOUBLE_EQ(v.fromNs(), from);
}

}  // namespace
}  // namespace hs::ui
