// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <thread>

#include "core/base/clock.h"
#include "core/store/session_reader.h"
#include "core/store/session_writer.h"
#include "tests/bench/trace_bench.h"

namespace hs::bench {
namespace {

RunDescription manySteps(std::uint32_t steps) {
    RunDescription d;
    d.model.name = "synthetic";
    d.devices = {{"cpu:0", "cpu", "cpu", "{}", false}};
    for (std::uint32_t i = 0; i < steps; ++i) {
        NodeRow node;
        node.node = i;
        node.name = fmt::format("node{}", i);
        node.opType = "Add";
        d.nodes.push_back(node);
        StepRow step;
        step.step = i;
        step.label = node.name;
        step.nodes = {{i, 1.0}};
        d.steps.push_back(step);
    }
    return d;
}

std::vector<Figure> failure(const char* what, const Error& error) {
    return {{what, "", 1, 0, {}, error.text()}};
}

}  // namespace

std::vector<Figure> benchWriter(const std::string& folder) {
    constexpr std::uint32_t kSteps = 100;
    constexpr std::uint64_t kSpans = 250'000;  // fits the writer's queue: every one becomes a row
    const std::string path = folder + "/writer.hscope";
    Recorder recorder(kSteps);
    WriterOptions options;
    options.detailBudget = 1U << 30;
    const std::uint64_t origin = ticks();
    auto writer = SessionWriter::open(path, manySteps(kSteps), recorder, origin, options);
    if (!writer) return failure("open a session", writer.error());
    ThreadRecorder& thread = recorder.addThread("bench", 0);
    const std::int64_t start = steadyNs();
    // Steps of one microsecond on a made-up clock, as fast as the rings take them.
    for (std::uint64_t i = 0; i < kSpans; ++i) {
        while (thread.ring().used() > thread.ring().capacity() / 4)
            std::this_thread::sleep_for(std::chrono::microseconds(200));
        const std::uint64_t at = origin + i * 2600;
        if (i % kSteps == 0) thread.beginIteration(static_cast<std::int32_t>(i / kSteps), true);
        thread.step(static_cast<std::uint32_t>(i % kSteps), at, at + 2400);
    }
    const std::int64_t produced = steadyNs();
    if (const Status done = (*writer)->finish("finished", "", "{}"); !done) return failure("finish the session", done.error());
    const double seconds = static_cast<double>(steadyNs() - start) / 1e9;
    const double finishing = static_cast<double>(steadyNs() - produced) / 1e9;
    const double mib = static_cast<double>(std::filesystem::file_size(path)) / (1 << 20);
    auto reader = SessionReader::open(path);
    if (!reader) return failure("read the session", reader.error());
    const auto count = (*reader)->query("SELECT COUNT(*) FROM span", 1);
    const auto rows = static_cast<double>(std::get<std::int64_t>(count->rows[0][0]));
    return {{"spans without a row", "spans", static_cast<double>(kSpans) - rows, 0, {}, ""},
            {"write spans, all in", "rows/s", kSpans / seconds, {}, {}, "rings, summaries, rows, indexes, checkpoint"},
            {"finish after the last span", "s", finishing, {}, {}, "rest of the queue, indexes"},
            {"size of the session", "bytes/span", mib * (1 << 20) / kSpans, {}, {}, ""}};
}

std::vector<Figure> benchFlood(const std::string& folder, double spansPerSecond, double seconds) {
    constexpr std::uint32_t kSteps = 10'000;
    Recorder recorder(kSteps);
    const std::uint64_t origin = ticks();
    auto writer = SessionWriter::open(folder + "/flood.hscope", manySteps(kSteps), recorder, origin);
    if (!writer) return failure("open a session", writer.error());
    ThreadRecorder& thread = recorder.addThread("bench", 0);
    const double nsPerTick = TickClock::instance().nsPerTick();
    const auto ticksPerSpan = static_cast<std::uint64_t>(1e9 / spansPerSecond / nsPerTick);
    const auto end = origin + static_cast<std::uint64_t>(seconds * 1e9 / nsPerTick);
    std::uint64_t made = 0, kept = 0, busyTicks = 0;
    std::int32_t iteration = 0;
    for (std::uint64_t now = ticks(); now < end; ++iteration) {
        const bool detail = static_cast<std::uint32_t>(iteration) % recorder.detailEvery() == 0;
        thread.beginIteration(iteration, detail);
        for (std::uint32_t step = 0; step < kSteps; ++step) {
            const std::uint64_t start = ticks();
            thread.step(step, start, ticks());
            busyTicks += ticks() - start;
            while ((now = ticks()) - start < ticksPerSpan) {
            }
        }
        made += kSteps;
        kept += detail ? kSteps : 0;
    }
    const double took = static_cast<double>(ticks() - origin) * nsPerTick / 1e9;
    if (const Status done = (*writer)->finish("finished", "", "{}"); !done) return failure("finish the session", done.error());
    auto reader = SessionReader::open(folder + "/flood.hscope");
    if (!reader) return failure("read the session", reader.error());
    const auto recording = nlohmann::json::parse((*reader)->runs()->front().recordingJson);
    const auto count = (*reader)->query("SELECT (SELECT COUNT(*) FROM span), (SELECT SUM(calls) FROM step_stat)", 1);
    const auto rows = static_cast<double>(std::get<std::int64_t>(count->rows[0][0]));
    const auto calls = static_cast<double>(std::get<std::int64_t>(count->rows[0][1]));
    const double dropped = recording["dropped"].get<double>();
    const auto rest = static_cast<double>(kept) - rows - dropped;
    return {
        {"flood: spans made", "spans/s", static_cast<double>(made) / took, {}, {}, fmt::format("{} iterations of {} steps", iteration, kSteps)},
        {"flood: recording, mean", "ns", static_cast<double>(busyTicks) * nsPerTick / static_cast<double>(made), {}, {}, "with three clock reads"},
        {"flood: rows kept", "spans", rows, {}, 1, fmt::format("mode {}, every {}", recording["mode"].get<std::string>(), recording["detail_every"].dump())},
        {"flood: dropped and counted", "spans", dropped, {}, {}, ""},
        {"flood: unaccounted for", "spans", std::abs(rest), 0, {}, "made in detailed iterations, neither kept nor counted"},
        {"flood: missing in statistics", "calls", std::abs(static_cast<double>(made) - calls), 0, {}, ""}};
}

}  // namespace hs::bench
