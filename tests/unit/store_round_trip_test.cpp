// SPDX-License-Identifier: Apache-2.0
// What is recorded comes back: rows, statistics, devices, messages; while the run goes on and after it.
#include <chrono>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <thread>

#include "tests/unit/store_fixture.h"

namespace hs {
namespace {

using test::smallRun;
using test::TempDir;
using test::ticksOf;

constexpr std::uint64_t kOrigin = 1'000'000;

/// `iterations` of 100 us: conv0 takes 10 us, the fused step 30 us.
void record(Recorder& recorder, ThreadRecorder& thread, int iterations) {
    const std::uint32_t name = recorder.internName(kIterationSpanName);
    for (int i = 0; i < iterations; ++i) {
        const std::uint64_t t = kOrigin + ticksOf(1e6 + 1e5 * i);
        thread.beginIteration(i, static_cast<std::uint32_t>(i) % recorder.detailEvery() == 0);
        thread.step(0, t, t + ticksOf(10'000));
        thread.step(1, t + ticksOf(20'000), t + ticksOf(50'000));
        SpanEvent whole{t, t + ticksOf(100'000), kNoStep, name, i, thread.track(), SpanCategory::Api, 0, 0};
        thread.span(whole);
    }
}

class RoundTrip : public testing::Test {
protected:
    void write(int iterations, WriterOptions options = {}) {
        auto writer = SessionWriter::open(m_path, smallRun(), m_recorder, kOrigin, options);
        ASSERT_TRUE(writer) << writer.error().text();
        m_run = (*writer)->runId();
        ThreadRecorder& thread = m_recorder.addThread("main", 0);
        thread.span({kOrigin, kOrigin + ticksOf(5e5), kNoStep, m_recorder.internName("load model"), -1, thread.track(), SpanCategory::Load, 0, 0});
        const auto copies = m_recorder.addTrack(TrackKind::Copy, "cpu:0 to sim:0", 0, {}, 1);
        thread.span({kOrigin, kOrigin + ticksOf(1000), kNoStep, m_recorder.internName("copy"), 0, copies, SpanCategory::Copy, 0, 4096});
        m_recorder.memory({kOrigin + ticksOf(100), 1000, kNoName, 1, 0, MemoryKind::Alloc});
        m_recorder.memory({kOrigin + ticksOf(200), 500, 7, 2, 0, MemoryKind::Alloc});
        m_recorder.memory({kOrigin + ticksOf(300), 1000, kNoName, 1, 0, MemoryKind::Free});
        const auto counter = m_recorder.addTrack(TrackKind::Counter, "RSS", kHostDevice, "bytes");
        m_recorder.counter({kOrigin + ticksOf(400), 123.5, counter});
        record(m_recorder, thread, iterations);
        (*writer)->message("info", "hello");
        (*writer)->setKernels({{1, "onednn:Conv+relu"}});
        const Status done = (*writer)->finish("finished", "", R"({"x":1})");
        ASSERT_TRUE(done) << done.error().text();
        auto reader = SessionReader::open(m_path);
        ASSERT_TRUE(reader) << reader.error().text();
        m_reader = std::move(*reader);
    }
    TempDir m_dir;
    std::string m_path = m_dir.file("run.hscope");
    Recorder m_recorder{3};
    std::unique_ptr<SessionReader> m_reader;
    std::int64_t m_run = 0;
};

TEST_F(RoundTrip, DescriptionComesBack) {
    write(4);
    const auto runs = m_reader->runs();
    ASSERT_TRUE(runs);
    ASSERT_EQ(runs->size(), 1U);
    EXPECT_EQ(runs->front().status, "finished");
    EXPECT_EQ(runs->front().resultJson, R"({"x":1})");
    EXPECT_FALSE(runs->front().stale);
    EXPECT_FALSE(runs->front().finishedAt.empty());
    EXPECT_EQ(m_reader->model(runs->front().modelId)->name, "small");
    const auto nodes = m_reader->nodes(m_run);
    ASSERT_EQ(nodes->size(), 5U);
    EXPECT_EQ((*nodes)[4].graph, "then_branch");
    EXPECT_EQ((*nodes)[0].reasonCode, "plan.best_available");
    const auto steps = m_reader->steps(m_run);
    ASSERT_EQ(steps->size(), 3U);
    EXPECT_EQ((*steps)[1].kernel, "onednn:Conv+relu");
    EXPECT_EQ((*steps)[1].nodes.size(), 2U);
    EXPECT_EQ(m_reader->devices(m_run)->size(), 2U);
    ASSERT_EQ(m_reader->plannedSlots(m_run)->size(), 1U);
    EXPECT_EQ(m_reader->plannedSlots(m_run)->front().valueName, "y");
    const auto messages = m_reader->messages(m_run);
    ASSERT_EQ(messages->size(), 1U);
    EXPECT_EQ(messages->front().text, "hello");
}

TEST_F(RoundTrip, SpansComeBackAtTheirTimes) {
    write(4);
    const auto spans = m_reader->spans(m_run, 0, 10'000'000, 1000);
    ASSERT_TRUE(spans) << spans.error().text();
    ASSERT_EQ(spans->size(), 2U + 4U * 3U);
    EXPECT_EQ(spans->front().name, "load model");
    EXPECT_EQ(spans->front().category, "load");
    EXPECT_EQ(spans->front().iteration, -1);
    const auto second = m_reader->spans(m_run, 1'100'000, 1'109'000, 1000);
    ASSERT_EQ(second->size(), 2U);
    EXPECT_EQ((*second)[0].name, kIterationSpanName);
    EXPECT_EQ((*second)[1].name, "conv0");
    EXPECT_EQ((*second)[1].iteration, 1);
    EXPECT_NEAR(static_cast<double>((*second)[1].startNs), 1.1e6, 2);
    EXPECT_NEAR(static_cast<double>((*second)[1].durNs), 1e4, 2);
    EXPECT_EQ(m_reader->spans(m_run, 0, 10'000'000, 3)->size(), 3U);
    EXPECT_NEAR(static_cast<double>(m_reader->extent(m_run)->second), 1.4e6, 2);
}

TEST_F(RoundTrip, OpStatsDivideFusedStepsAndKnowEveryNode) {
    write(10);
    const auto ops = m_reader->opStats(m_run);
    ASSERT_TRUE(ops) << ops.error().text();
    ASSERT_EQ(ops->size(), 5U);
    const OpStat& conv0 = (*ops)[0];
    const OpStat& conv1 = (*ops)[1];
    const OpStat& relu1 = (*ops)[2];
    EXPECT_EQ(conv0.calls, 10);
    EXPECT_NEAR(conv0.totalNs, 1e5, 50);
    EXPECT_NEAR(conv0.p50Ns, 1e4, 5);
    EXPECT_NEAR(conv0.share, 0.25, 1e-3);
    EXPECT_NEAR(conv0.gflops, 1e6 / 1e4, 0.1);
    EXPECT_TRUE(conv0.fusedWith.empty());
    EXPECT_NEAR(conv1.totalNs, 3 * relu1.totalNs, 1);
    EXPECT_EQ(conv1.fusedWith, "conv1+relu1");
    EXPECT_EQ(relu1.outcome, "fused");
    EXPECT_EQ((*ops)[3].outcome, "folded");
    EXPECT_EQ((*ops)[3].calls, 0);
    EXPECT_EQ((*ops)[4].outcome, "not_reached");
    const auto sums =
        m_reader->query("SELECT (SELECT SUM(total_ns) FROM op_stats), (SELECT SUM(total_ns) FROM step_stat), (SELECT SUM(share) FROM op_stats)", 1);
    ASSERT_TRUE(sums) << sums.error().text();
    EXPECT_NEAR(std::get<double>(sums->rows[0][0]), static_cast<double>(std::get<std::int64_t>(sums->rows[0][1])), 1e-3);
    EXPECT_NEAR(std::get<double>(sums->rows[0][2]), 1.0, 1e-9);
}

TEST_F(RoundTrip, DevicesTransfersMemoryAndCounters) {
    write(10);
    const auto devices = m_reader->deviceStats(m_run);
    ASSERT_EQ(devices->size(), 2U);
    EXPECT_NEAR(devices->front().busyNs, 4e5, 100);
    EXPECT_NEAR(devices->front().utilisation, 0.4, 1e-3);
    EXPECT_NEAR(devices->front().copyNs, 1000, 2);
    EXPECT_EQ(devices->front().peakBytes, 1500);
    EXPECT_EQ(devices->back().busyNs, 0);
    const auto transfers = m_reader->query("SELECT from_device, to_device, copies, bytes, gbps FROM transfer_stats", 10);
    ASSERT_EQ(transfers->rows.size(), 1U);
    EXPECT_EQ(std::get<std::string>(transfers->rows[0][0]), "cpu:0");
    EXPECT_EQ(std::get<std::string>(transfers->rows[0][1]), "sim:0");
    EXPECT_EQ(std::get<std::int64_t>(transfers->rows[0][3]), 4096);
    EXPECT_NEAR(std::get<double>(transfers->rows[0][4]), 4.096, 0.02);
    const auto memory = m_reader->memory(m_run);
    ASSERT_EQ(memory->size(), 3U);
    EXPECT_EQ((*memory)[1].valueName, "y");
    EXPECT_FALSE((*memory)[2].alloc);
    const auto tracks = m_reader->tracks(m_run);
    const auto rss = std::find_if(tracks->begin(), tracks->end(), [](const TrackRecord& t) { return t.name == "RSS"; });
    ASSERT_NE(rss, tracks->end());
    EXPECT_FALSE(rss->deviceId.has_value());
    const auto points = m_reader->counters(rss->id, 0, 1'000'000, 10);
    ASSERT_EQ(points->size(), 1U);
    EXPECT_EQ(points->front().value, 123.5);
}

TEST_F(RoundTrip, AppendsASecondRunOfTheSameModel) {
    write(4);
    m_reader.reset();
    Recorder recorder(3);
    auto writer = SessionWriter::open(m_path, smallRun(), recorder, kOrigin);
    ASSERT_TRUE(writer) << writer.error().text();
    record(recorder, recorder.addThread("main", 0), 7);
    ASSERT_TRUE((*writer)->finish("cancelled", "stopped", "{}"));
    auto reader = SessionReader::open(m_path);
    const auto runs = (*reader)->runs();
    ASSERT_EQ(runs->size(), 2U);
    EXPECT_EQ((*runs)[0].modelId, (*runs)[1].modelId);
    EXPECT_EQ((*runs)[1].status, "cancelled");
    EXPECT_EQ((*reader)->opStats((*runs)[0].id)->front().calls, 4);
    EXPECT_EQ((*reader)->opStats((*runs)[1].id)->front().calls, 7);
    EXPECT_EQ((*reader)->spans((*runs)[1].id, 0, 1'000'000'000, 1000)->size(), 21U);
}

TEST_F(RoundTrip, EnclosingStepsCountOnlyTheirOwnTime) {
    auto writer = SessionWriter::open(m_path, smallRun(), m_recorder, kOrigin);
    ThreadRecorder& thread = m_recorder.addThread("main", 0);
    thread.beginIteration(0, true);
    const std::uint64_t t = kOrigin + ticksOf(1e6);
    const std::uint64_t before = thread.stepTicks();
    thread.step(0, t + ticksOf(1000), t + ticksOf(5000));
    thread.step(1, t + ticksOf(5000), t + ticksOf(8000));
    thread.enclosingStep(2, t, t + ticksOf(10'000), before);
    ASSERT_TRUE((*writer)->finish("finished", "", "{}"));
    auto reader = SessionReader::open(m_path);
    const auto ops = (*reader)->opStats((*(*reader)->runs())[0].id);
    EXPECT_NEAR((*ops)[4].totalNs, 3000, 3);
    EXPECT_NEAR((*ops)[4].p50Ns, 3000, 3);
    EXPECT_NEAR((*ops)[0].totalNs + (*ops)[1].totalNs + (*ops)[2].totalNs + (*ops)[4].totalNs, 10'000, 5);
    const auto spans = (*reader)->spans(1, 0, 1'000'000'000, 10);
    ASSERT_EQ(spans->size(), 3U);
    EXPECT_NEAR(static_cast<double>(spans->front().durNs), 10'000, 3);
    EXPECT_EQ(spans->front().bytes, 0);
}

TEST_F(RoundTrip, ReadsWhileTheRunGoesOn) {
    auto writer = SessionWriter::open(m_path, smallRun(), m_recorder, kOrigin);
    ASSERT_TRUE(writer);
    auto reader = SessionReader::open(m_path);
    ASSERT_TRUE(reader) << reader.error().text();
    const std::int64_t before = (*reader)->dataVersion();
    record(m_recorder, m_recorder.addThread("main", 0), 50);
    std::size_t seen = 0;
    std::int64_t calls = 0;
    for (int i = 0; i < 100 && (seen < 150 || calls < 50); ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        seen = (*reader)->spans((*writer)->runId(), 0, 1'000'000'000, 1000)->size();
        calls = (*reader)->opStats((*writer)->runId())->front().calls;
    }
    EXPECT_EQ(seen, 150U);
    EXPECT_EQ(calls, 50);
    EXPECT_NE((*reader)->dataVersion(), before);
    EXPECT_EQ((*reader)->runs()->front().status, "running");
    EXPECT_FALSE((*reader)->runs()->front().stale);
    EXPECT_EQ((*reader)->opStats((*writer)->runId())->back().outcome, "executed") << "a node may still be reached";
    ASSERT_TRUE((*writer)->finish("finished", "", "{}"));
    EXPECT_EQ((*reader)->runs()->front().status, "finished");
}

TEST_F(RoundTrip, KeepsNearTheBudgetAndSaysSo) {
    WriterOptions options;
    options.detailBudget = 2000;
    auto writer = SessionWriter::open(m_path, smallRun(), m_recorder, kOrigin, options);
    ThreadRecorder& thread = m_recorder.addThread("main", 0);
    constexpr int kIterations = 20'000;
    for (int i = 0; i < kIterations; ++i) {
        const std::uint64_t t = kOrigin + ticksOf(1e6 + 1e5 * i);
        thread.beginIteration(i, static_cast<std::uint32_t>(i) % m_recorder.detailEvery() == 0);
        thread.step(0, t, t + ticksOf(10'000));
        thread.step(1, t + ticksOf(20'000), t + ticksOf(50'000));
        if (i % 100 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    ASSERT_TRUE((*writer)->finish("finished", "", "{}"));
    auto reader = SessionReader::open(m_path);
    const auto recording = nlohmann::json::parse(reader.value()->runs()->front().recordingJson);
    EXPECT_EQ(recording["mode"], "sampled");
    EXPECT_GT(recording["detail_every"], 1);
    EXPECT_LT(recording["spans"], 5000);
    EXPECT_GT(recording["spans"], 1000);
    EXPECT_EQ((*reader)->opStats(1)->front().calls, kIterations) << "statistics stay exact";
    const auto messages = (*reader)->messages(1);
    EXPECT_FALSE(messages->empty());
}

TEST_F(RoundTrip, ManyShortIterationsFitTheBudgetAndStayCounted) {
    WriterOptions options;
    options.detailBudget = 2000;
    auto writer = SessionWriter::open(m_path, smallRun(), m_recorder, kOrigin, options);
    ThreadRecorder& thread = m_recorder.addThread("main", 0);
    const std::uint32_t name = m_recorder.internName(kIterationSpanName);
    constexpr int kIterations = 20'000;
    for (int i = 0; i < kIterations; ++i) {
        const std::uint64_t t = kOrigin + ticksOf(1e6 + 1e5 * i);
        thread.beginIteration(i, static_cast<std::uint32_t>(i) % m_recorder.detailEvery() == 0);
        thread.step(0, t, t + ticksOf(10'000));
        thread.span({t, t + ticksOf(20'000), kNoStep, name, i, thread.track(), SpanCategory::Api, 0, 0});
        if (i % 100 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    ASSERT_TRUE((*writer)->finish("finished", "", "{}"));
    auto reader = SessionReader::open(m_path);
    const auto recording = nlohmann::json::parse((*reader)->runs()->front().recordingJson);
    EXPECT_EQ(recording["iterations"], kIterations);
    EXPECT_EQ(recording["dropped"], 0);
    EXPECT_LT(recording["spans"], 4000);
    EXPECT_NEAR((*reader)->deviceStats(1)->front().utilisation, 0.5, 0.01) << "time of all iterations, kept or not";
}

}  // namespace
}  // namespace hs
