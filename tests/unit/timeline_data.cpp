// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_data.h"

#include <gtest/gtest.h>

#include "ui/timeline/timeline_rows.h"

namespace hs::ui {
namespace {

SpanRecord span(std::int64_t track, std::int64_t start, std::int64_t dur, std::int64_t step = -1, const char* category = "op") {
    SpanRecord s;
    s.trackId = track;
    s.startNs = start;
    s.durNs = dur;
    s.stepId = step;
    s.category = category;
    return s;
}

TEST(TimelineData, EnclosedSpansStandDeeperAndCountOnce) {
    const auto placed = placeSpans({span(1, 10, 30), span(1, 0, 100), span(1, 40, 60), span(2, 5, 10), span(1, 100, 5)});
    const auto& track = placed.at(1);
    ASSERT_EQ(track.size(), 4U);
    EXPECT_EQ(track[0].depth, 0);
    EXPECT_EQ(track[0].selfNs, 10);
    EXPECT_EQ(track[1].depth, 1);
    EXPECT_EQ(track[2].depth, 1);
    EXPECT_EQ(track[3].depth, 0);
    EXPECT_EQ(placed.at(2).front().depth, 0);
}

TEST(TimelineData, OverlappingSpansAreNotTakenForEnclosed) {
    const auto placed = placeSpans({span(1, 0, 50), span(1, 30, 50)});
    EXPECT_EQ(placed.at(1)[1].depth, 0);
    EXPECT_EQ(placed.at(1)[0].selfNs, 50);
}

TEST(TimelineData, RangeStatisticsCutAtTheRangeAndLeaveWaitsOut) {
    TimelineMeta meta;
    meta.steps[7] = {"conv", "Conv", {0}, 1};
    meta.steps[8] = {"relu", "Relu", {1}, 1};
    const RangeStats stats = rangeStats({span(1, 0, 100, 7), span(1, 100, 20, 8), span(1, 150, 100, 7), span(2, 0, 300, -1, "wait")}, meta, 50, 200);
    EXPECT_EQ(stats.count, 3);
    EXPECT_DOUBLE_EQ(stats.totalNs, 50 + 20 + 50);
    EXPECT_DOUBLE_EQ(stats.busyShare, 120.0 / 150.0);
    EXPECT_DOUBLE_EQ(stats.p50Ns, 100);
    EXPECT_NEAR(stats.meanNs, 220.0 / 3, 1e-9);
    ASSERT_EQ(stats.top.size(), 2U);
    EXPECT_EQ(stats.top[0].opType, "Conv");
    EXPECT_DOUBLE_EQ(stats.top[0].ns, 100);
}

TEST(TimelineData, EmptyRangeIsAllZero) {
    const RangeStats stats = rangeStats({}, {}, 10, 10);
    EXPECT_EQ(stats.count, 0);
    EXPECT_DOUBLE_EQ(stats.busyShare, 0);
    EXPECT_TRUE(stats.top.empty());
}

TimelineMeta twoDevices() {
    TimelineMeta meta;
    meta.devices = {{1, "cpu", "cpu", "cpu", "{}", false}, {2, "sim:0", "virtual", "gpu", "{}", true}};
    meta.tracks = {{10, 1, "thread", "runner", "", 0, 100},
                   {11, std::nullopt, "thread", "iterations", "", 0, 100},
                   {12, std::nullopt, "counter", "RSS", "bytes", 0, 0},
                   {13, 2, "queue", "queue 0", "", 0, 50},
                   {14, 1, "thread", "never used", "", 0, 0}};
    meta.iterationTrack = 11;
    return meta;
}

TEST(TimelineRows, TracksStandUnderTheirDeviceAndTheHostComesLast) {
    const auto rows = layoutRows(twoDevices(), {}, {{10, 3}});
    std::vector<std::string> names;
    for (const TimelineRow& row : rows)
        names.push_back(row.name);
    EXPECT_EQ(names, (std::vector<std::string>{"cpu", "runner", "sim:0", "queue 0", "", "RSS"}));
    EXPECT_EQ(rows[1].depth, 3);
    EXPECT_GT(rows[1].height, rows[3].height);
    EXPECT_DOUBLE_EQ(rowsHeight(rows), rows.back().y + rows.back().height);
    EXPECT_EQ(rowAt(rows, rows[3].y + 1), &rows[3]);
    EXPECT_EQ(rowAt(rows, rowsHeight(rows) + 1), nullptr);
    EXPECT_EQ(rowAt(rows, -1), nullptr);
}

TEST(TimelineRows, AFoldedDeviceKeepsOnlyItsHeading) {
    const auto rows = layoutRows(twoDevices(), {1}, {});
    EXPECT_TRUE(rows[0].folded);
    EXPECT_EQ(rows[0].tracks, std::vector<std::int64_t>{10});
    EXPECT_EQ(rows[1].name, "sim:0");
}

}  // namespace
}  // namespace hs::ui
