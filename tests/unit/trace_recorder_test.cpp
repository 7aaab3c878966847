// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <thread>

#include "core/trace/recorder.h"

namespace hs {
namespace {

std::vector<SpanEvent> drain(ThreadRecorder& thread) {
    std::vector<SpanEvent> out;
    thread.ring().drain([&](const SpanEvent& e) { out.push_back(e); });
    return out;
}

TEST(Recorder, StatisticsAreExactWhateverIsKeptInDetail) {
    Recorder recorder(2);
    ThreadRecorder& thread = recorder.addThread("main", kHostDevice);
    for (int i = 0; i < 100; ++i) {
        thread.beginIteration(i, i % 10 == 0);
        thread.step(1, 1000, 1000 + static_cast<std::uint64_t>(i));
    }
    const StepStat s = thread.stat(1);
    EXPECT_EQ(s.calls, 100U);
    EXPECT_EQ(s.total, 4950U);
    EXPECT_EQ(s.min, 0U);
    EXPECT_EQ(s.max, 99U);
    EXPECT_EQ(thread.stat(0).calls, 0U);
    EXPECT_EQ(thread.stat(9).calls, 0U) << "no such step";
    EXPECT_EQ(drain(thread).size(), 10U);
    thread.resetStats();
    EXPECT_EQ(thread.stat(1).calls, 0U);
    EXPECT_EQ(thread.stat(1).max, 0U);
}

TEST(Recorder, AFullRingCountsWhatItDrops) {
    Recorder recorder(1, 16);
    ThreadRecorder& thread = recorder.addThread("main", kHostDevice);
    for (std::uint64_t i = 0; i < 20; ++i)
        thread.step(0, i, i + 1);
    EXPECT_EQ(recorder.dropped(), 4U);
    EXPECT_EQ(thread.stat(0).calls, 20U);
    EXPECT_EQ(drain(thread).size(), 16U);
}

TEST(Recorder, EnclosingStepsCountTheirOwnTicksOnly) {
    Recorder recorder(3);
    ThreadRecorder& thread = recorder.addThread("main", kHostDevice);
    const auto outer = thread.stepTicks();
    thread.step(0, 10, 20);
    const auto inner = thread.stepTicks();
    thread.step(0, 25, 30);
    thread.enclosingStep(1, 22, 35, inner);
    thread.enclosingStep(2, 0, 50, outer);
    EXPECT_EQ(thread.stat(0).total, 15U);
    EXPECT_EQ(thread.stat(1).total, 8U);
    EXPECT_EQ(thread.stat(2).total, 50U - 15U - 8U);
    EXPECT_EQ(thread.stepTicks(), 50U);
    const auto events = drain(thread);
    EXPECT_EQ(events.back().endTick - events.back().startTick, 50U);
    EXPECT_EQ(events.back().flags, kSpanEncloses);
}

TEST(Recorder, NamesAndTracksAreRegisteredOnce) {
    Recorder recorder(0);
    EXPECT_EQ(recorder.internName("a"), recorder.internName("a"));
    EXPECT_NE(recorder.internName("a"), recorder.internName("b"));
    const auto track = recorder.addTrack(TrackKind::Counter, "RSS", kHostDevice, "bytes");
    EXPECT_EQ(recorder.tracks().at(track).unit, "bytes");
    EXPECT_EQ(recorder.names().size(), 2U);
}

TEST(Recorder, OtherThreadsMayReadWhileOneRecords) {
    Recorder recorder(1, 1024);
    ThreadRecorder& thread = recorder.addThread("main", kHostDevice);
    constexpr std::uint64_t kSteps = 300'000;
    std::thread owner([&] {
        for (std::uint64_t i = 0; i < kSteps; ++i)
            thread.step(0, i, i + 3);
    });
    std::uint64_t last = 0, seen = 0;
    while (last < kSteps) {
        const StepStat s = thread.stat(0);
        EXPECT_GE(s.calls, last);
        last = s.calls;
        seen += drain(thread).size();
    }
    owner.join();
    seen += drain(thread).size();
    EXPECT_EQ(seen + recorder.dropped(), kSteps);
}

}  // namespace
}  // namespace hs
