// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "core/store/lod.h"
#include "core/store/step_stats.h"
#include "tests/unit/store_fixture.h"

namespace hs {
namespace {

using test::smallRun;
using test::TempDir;
using test::ticksOf;

TEST(StoreLod, ASpanIsDividedOverItsBucketsAndFoldedUpwards) {
    store::LodTrack track;
    const std::int64_t w = store::lodWidthNs(0);
    track.add(0, w / 2, w, w, SpanCategory::Op, 3);             // halves of buckets 0 and 1
    track.add(0, 10 * w, w / 4, w / 4, SpanCategory::Copy, 5);  // bucket 10
    auto levels = track.take(0);
    ASSERT_EQ(levels[0].size(), 3U);
    EXPECT_EQ(levels[0][0].busyNs, w / 2);
    EXPECT_EQ(levels[0][1].busyNs, w / 2);
    EXPECT_EQ(levels[0][0].spans, 1);
    EXPECT_EQ(levels[0][1].spans, 0);
    ASSERT_EQ(levels[1].size(), 2U);
    EXPECT_EQ(levels[1][0].busyNs, w);
    EXPECT_EQ(levels[1][0].topStep().first, 3U);
    EXPECT_EQ(levels[1][1].topCategory().first, static_cast<int>(SpanCategory::Copy));
    EXPECT_EQ(levels[8][0].spans, 2);
    EXPECT_EQ(levels[8][0].busyNs, w + w / 4);
    EXPECT_TRUE(track.empty());
}

TEST(StoreLod, ALongSpanGoesToTheLevelThatTakesIt) {
    store::LodTrack track;
    track.add(0, 0, store::kLongSpanNs + 1, store::kLongSpanNs + 1, SpanCategory::Load, store::LodSums::kNone);
    auto levels = track.take(0);
    EXPECT_TRUE(levels[0].empty());
    EXPECT_EQ(levels[1].size(), static_cast<std::size_t>(store::kLodMaxBuckets / 8 + 1));
}

TEST(StoreLod, TheHeaviestStepIsFoundAmongMany) {
    store::LodSums sums;
    for (std::uint32_t round = 0; round < 100; ++round)
        for (std::uint32_t step = 0; step < 20; ++step)
            sums.addStep(step, step == 13 ? 50 : 1);
    EXPECT_EQ(sums.topStep().first, 13U);
}

TEST(StoreLod, PercentilesAreExactForFewAndCloseForMany) {
    store::DurationSamples samples(2);
    for (int i = 1; i <= 101; ++i)
        samples.add(0, 102 - i);
    EXPECT_DOUBLE_EQ(samples.percentile(0, 0.5), 51);
    EXPECT_DOUBLE_EQ(samples.percentile(0, 0.95), 96);
    EXPECT_LT(samples.percentile(1, 0.5), 0);
    for (int i = 0; i < 100'000; ++i)
        samples.add(1, i);
    EXPECT_NEAR(samples.percentile(1, 0.5), 50'000, 12'000);
    EXPECT_NEAR(samples.percentile(1, 0.95), 95'000, 5'000);
}

/// 40,000 spans of 1 us, one every 2 us, and one load span of 200 ms before them.
class StoreSummary : public testing::Test {
protected:
    void SetUp() override {
        Recorder recorder(3);
        auto writer = SessionWriter::open(m_dir.file("s.hscope"), smallRun(), recorder, 0);
        ASSERT_TRUE(writer);
        ThreadRecorder& thread = recorder.addThread("main", 0);
        thread.span({0, ticksOf(200e6), kNoStep, recorder.internName("load"), -1, thread.track(), SpanCategory::Load, 0, 0});
        thread.beginIteration(0, true);
        for (int i = 0; i < 40'000; ++i) {
            const std::uint64_t t = ticksOf(200e6 + 2000.0 * i);
            thread.step(i % 4 == 0 ? 1 : 0, t, t + ticksOf(1000));
        }
        ASSERT_TRUE((*writer)->finish("finished", "", "{}"));
        m_reader = std::move(*SessionReader::open(m_dir.file("s.hscope")));
    }
    TempDir m_dir;
    std::unique_ptr<SessionReader> m_reader;
};

TEST_F(StoreSummary, EveryLevelHoldsTheSameTime) {
    for (const int minBuckets : {1, 20, 200, 2000}) {
        const auto buckets = m_reader->summary(1, 200'000'000, 280'000'000, minBuckets);
        ASSERT_TRUE(buckets) << buckets.error().text();
        ASSERT_FALSE(buckets->empty()) << minBuckets;
        std::int64_t busy = 0, spans = 0, inWindow = 0;
        for (const LodBucket& b : *buckets) {
            if (b.startNs < 200'000'000) continue;  // a bucket across the border holds some of the loading
            busy += b.busyNs;
            spans += b.spans;
            inWindow += b.widthNs;
            EXPECT_LE(b.busyNs, b.widthNs);
        }
        const auto width = buckets->front().widthNs;
        EXPECT_GE(80'000'000 / width, minBuckets);
        EXPECT_NEAR(static_cast<double>(busy), 40e6, static_cast<double>(width));
        EXPECT_NEAR(static_cast<double>(spans), 40'000, static_cast<double>(width) / 2000.0 + 1);
        EXPECT_EQ(buckets->back().topCategory, "op");
        EXPECT_EQ(buckets->back().topStepId, m_reader->steps(1)->front().id);
    }
}

TEST_F(StoreSummary, AShortWindowAsksForSpans) {
    EXPECT_TRUE(m_reader->summary(1, 200'000'000, 200'100'000, 1000)->empty());
}

TEST_F(StoreSummary, LongSpansShowAtFineLevelsToo) {
    const auto buckets = m_reader->summary(1, 100'000'000, 110'000'000, 300);
    ASSERT_TRUE(buckets);
    ASSERT_GE(buckets->size(), 300U);
    for (const LodBucket& b : *buckets) {
        EXPECT_EQ(b.busyNs, b.widthNs);
        EXPECT_EQ(b.topCategory, "load");
    }
}

}  // namespace
}  // namespace hs
