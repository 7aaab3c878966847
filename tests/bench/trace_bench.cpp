// SPDX-License-Identifier: Apache-2.0
// What recording costs: bench_trace [--json FILE] [--dir FOLDER]. Exit status 1 when a limit is missed.
// Costs per event are the best of several rounds: whatever else the machine does can only add to them.
#include "tests/bench/trace_bench.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/trace/recorder.h"

namespace hs::bench {
namespace {

constexpr int kRounds = 15;
constexpr int kEvents = 100'000;  // fits the ring: a round never waits for the drain

/// Nanoseconds per call of `body`, best of the rounds; `between` runs untimed after each.
template <class Body, class Between>
double nsPerCall(Body&& body, Between&& between) {
    double best = 1e30;
    for (int round = 0; round < kRounds; ++round) {
        const std::int64_t start = steadyNs();
        for (int i = 0; i < kEvents; ++i)
            body(i);
        best = std::min(best, static_cast<double>(steadyNs() - start) / kEvents);
        between();
    }
    return best;
}

std::vector<Figure> benchClocks() {
    std::uint64_t sink = 0;
    const auto nothing = [] {};
    const double tick = nsPerCall([&](int) { sink += ticks(); }, nothing);
    const double steady = nsPerCall([&](int) { sink += static_cast<std::uint64_t>(steadyNs()); }, nothing);
    return {{"read the tick counter", "ns", tick, {}, {}, sink == 0 ? "?" : "time-stamp counter on x86-64"},
            {"read the steady clock", "ns", steady, {}, {}, ""}};
}

/// A thread that empties the rings every millisecond, as the session writer does under load.
class Drain {
public:
    explicit Drain(Recorder& recorder)
        : m_thread([this, &recorder] {
              while (!m_stop.load()) {
                  for (ThreadRecorder* t : recorder.threads())
                      t->ring().drain([this](const SpanEvent& e) { m_sum += e.endTick; });
                  std::this_thread::sleep_for(std::chrono::milliseconds(1));
              }
          }) {}
    ~Drain() {
        m_stop.store(true);
        m_thread.join();
    }
    Drain(const Drain&) = delete;
    Drain& operator=(const Drain&) = delete;

private:
    std::atomic<bool> m_stop{false};
    std::uint64_t m_sum = 0;
    std::thread m_thread;
};

std::vector<Figure> benchRecording() {
    constexpr std::uint32_t kSteps = 200;
    Recorder recorder(kSteps);
    ThreadRecorder& thread = recorder.addThread("bench", kHostDevice);
    const Drain drain(recorder);
    const auto emptied = [&] {
        while (thread.ring().used() > 0)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
    };
    std::uint32_t step = 0;
    const auto one = [&](int) {
        const std::uint64_t start = ticks();
        thread.step(step, start, ticks());
        step = step + 1 == kSteps ? 0 : step + 1;
    };
    thread.beginIteration(0, true);
    const double full = nsPerCall(one, emptied);
    thread.beginIteration(1, false);
    const double sampled = nsPerCall(one, emptied);
    thread.beginIteration(2, true);
    const double span = nsPerCall([&](int i) { thread.span({static_cast<std::uint64_t>(i), 1, 2, kNoName, 0, 0, SpanCategory::Op, 0, 0}); }, emptied);
    return {{"record a step, kept in detail", "ns", full, 50, {}, "with both clock reads, while a thread drains"},
            {"record a step, statistics only", "ns", sampled, 50, {}, "with both clock reads (iteration not kept)"},
            {"push a span into the ring", "ns", span, {}, {}, "without clock reads"},
            {"dropped by the rounds above", "spans", static_cast<double>(recorder.dropped()), 0, {}, ""}};
}

void print(const std::vector<Figure>& figures) {
    for (const Figure& f : figures) {
        std::string limit;
        if (f.atMost) limit = fmt::format("<= {:g}", *f.atMost);
        if (f.atLeast) limit = fmt::format(">= {:g}", *f.atLeast);
        fmt::print("{:<36} {:>14.1f} {:<10} {:<12} {:<5} {}\n", f.name, f.value, f.unit, limit, limit.empty() ? "" : f.ok() ? "ok" : "MISS", f.note);
    }
}

nlohmann::json toJson(const std::vector<Figure>& figures) {
    auto out = nlohmann::json::array();
    for (const Figure& f : figures) {
        nlohmann::json j = {{"name", f.name}, {"unit", f.unit}, {"value", f.value}, {"ok", f.ok()}};
        if (f.atMost) j["at_most"] = *f.atMost;
        if (f.atLeast) j["at_least"] = *f.atLeast;
        if (!f.note.empty()) j["note"] = f.note;
        out.push_back(std::move(j));
    }
    return out;
}

}  // namespace
}  // namespace hs::bench

int main(int argc, char** argv) {
    using namespace hs::bench;
    std::string jsonPath;
    std::string folder = std::filesystem::temp_directory_path().string();
    for (int i = 1; i + 1 < argc; i += 2) {
        if (std::strcmp(argv[i], "--json") == 0) jsonPath = argv[i + 1];
        if (std::strcmp(argv[i], "--dir") == 0) folder = argv[i + 1];
    }
    folder += fmt::format("/hs-bench-trace-{}", ::getpid());
    std::filesystem::create_directories(folder);
    std::vector<Figure> all;
    const auto run = [&](std::vector<Figure> figures) {
        print(figures);
        all.insert(all.end(), figures.begin(), figures.end());
    };
    run(benchClocks());
    run(benchRecording());
    run(benchDispatch());
    run(benchWriter(folder));
    run(benchFlood(folder, 4e6, 3));
    std::filesystem::remove_all(folder);
    if (!jsonPath.empty()) std::ofstream(jsonPath) << nlohmann::json{{"bench", "trace"}, {"figures", toJson(all)}}.dump(2) << "\n";
    return std::all_of(all.begin(), all.end(), [](const Figure& f) { return f.ok(); }) ? 0 : 1;
}
