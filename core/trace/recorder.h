// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/clock.h"
#include "core/trace/events.h"
#include "core/trace/ring.h"

namespace hs {

/// A row of the timeline as registered by whoever produces its events.
struct TrackInfo {
    std::uint16_t index = 0;
    TrackKind kind = TrackKind::Thread;
    std::string name;
    std::uint16_t device = 0;  ///< Index of the device in the run; kHostDevice for the host itself.
    std::string unit;          ///< For counters: "bytes", "%", "MHz", "°C", "J".
    /// For copy tracks: the device that the copies go to; `device` is where they come from.
    std::uint16_t peer = 0xFFFF;
};
inline constexpr std::uint16_t kHostDevice = 0xFFFF;

/// Exact statistics of one step over all iterations, kept by the recording thread itself. Ticks.
struct StepStat {
    std::uint64_t calls = 0;
    std::uint64_t total = 0;
    std::uint64_t min = ~std::uint64_t{0};
    std::uint64_t max = 0;
};

/// The producing side for one thread: a ring of its own and its step statistics. Not shared between threads.
/// Recording never blocks and never allocates; a full ring drops the event and counts it.
class ThreadRecorder {
public:
    ThreadRecorder(std::uint16_t track, std::size_t ringEvents, std::size_t stepCount);

    /// Records a finished span when the current iteration is kept in detail; always adds to the step's statistics.
    void step(std::uint32_t stepId, std::uint64_t startTick, std::uint64_t endTick) {
        addStat(stepId, endTick - startTick);
        if (m_detail) push(SpanEvent{startTick, endTick, stepId, kNoName, m_iteration, m_track, SpanCategory::Op, 0, 0});
    }
    /// For a step that ran other steps inside itself: `innerBefore` is stepTicks() as it was when the step began. The span
    /// covers the whole time, the statistics count only what the inner steps did not, so that sums over steps stay right.
    void enclosingStep(std::uint32_t stepId, std::uint64_t startTick, std::uint64_t endTick, std::uint64_t innerBefore) {
        const std::uint64_t took = endTick - startTick;
        const std::uint64_t inner = m_stepTicks - innerBefore < took ? m_stepTicks - innerBefore : took;
        addStat(stepId, took - inner);
        if (m_detail) push(SpanEvent{startTick, endTick, stepId, kNoName, m_iteration, m_track, SpanCategory::Op, kSpanEncloses, inner});
    }
    /// Sum of the ticks of all steps so far, each counted once. Owner thread only.
    std::uint64_t stepTicks() const { return m_stepTicks; }
    /// Records any span, detailed iteration or not (iterations, load, plan, waits).
    void span(const SpanEvent& event) { push(event); }
    /// Starts an iteration; `detail` says whether its step spans are kept. -1 for warm-up.
    void beginIteration(std::int32_t iteration, bool detail) {
        m_iteration = iteration;
        m_detail = detail;
    }
    bool detail() const { return m_detail; }
    std::uint16_t track() const { return m_track; }

    // For the draining side (one thread):
    SpscRing<SpanEvent>& ring() { return m_ring; }
    std::uint64_t dropped() const { return m_dropped.load(std::memory_order_relaxed); }
    /// One step's statistics as of now. Any thread: each field is read whole, the four of them only about together while
    /// the owner runs.
    StepStat stat(std::size_t stepId) const;
    std::size_t statCount() const { return m_statCount; }
    /// Owner thread (after warm-up).
    void resetStats();

private:
    // Only the owner writes, so a relaxed load and store are enough (and plain moves on x86-64); they keep a reader in
    // another thread free of torn values.
    static std::uint64_t load(std::uint64_t& field) { return std::atomic_ref(field).load(std::memory_order_relaxed); }
    static void store(std::uint64_t& field, std::uint64_t value) { std::atomic_ref(field).store(value, std::memory_order_relaxed); }
    void addStat(std::uint32_t stepId, std::uint64_t took) {
        m_stepTicks += took;
        if (stepId >= m_statCount) return;
        StepStat& s = m_stats[stepId];
        store(s.calls, s.calls + 1);
        store(s.total, s.total + took);
        if (took < s.min) store(s.min, took);
        if (took > s.max) store(s.max, took);
    }
    void push(const SpanEvent& event) {
        if (!m_ring.tryPush(event)) m_dropped.fetch_add(1, std::memory_order_relaxed);
    }
    SpscRing<SpanEvent> m_ring;
    std::unique_ptr<StepStat[]> m_stats;
    std::size_t m_statCount;
    std::uint64_t m_stepTicks = 0;
    std::atomic<std::uint64_t> m_dropped{0};
    std::int32_t m_iteration = -1;
    std::uint16_t m_track;
    bool m_detail = true;
};

/// All recording of one run: tracks, names, per-thread recorders, memory and counter events. The session writer drains it.
class Recorder {
public:
    explicit Recorder(std::size_t stepCount, std::size_t ringEvents = std::size_t{1} << 17);

    std::uint16_t addTrack(TrackKind kind, std::string name, std::uint16_t device, std::string unit = {}, std::uint16_t peer = kHostDevice);
    std::uint32_t internName(std::string_view name);
    /// A recorder for the calling thread's track. Stays valid as long as the Recorder.
    ThreadRecorder& addThread(std::string name, std::uint16_t device);

    /// Slower paths (a mutex): rare events only.
    void memory(const MemoryEvent& event);
    void counter(const CounterEvent& event);

    /// Every how-manieth iteration is kept in detail at the moment (1: all). Set by the writer when it falls behind or
    /// the budget of rows is used up; read by the runner at the start of an iteration.
    std::uint32_t detailEvery() const { return m_detailEvery.load(std::memory_order_relaxed); }
    void setDetailEvery(std::uint32_t every) { m_detailEvery.store(every, std::memory_order_relaxed); }

    // For the draining side:
    std::vector<TrackInfo> tracks() const;
    std::vector<std::string> names() const;
    std::vector<ThreadRecorder*> threads() const;
    std::vector<MemoryEvent> takeMemory();
    std::vector<CounterEvent> takeCounters();
    std::uint64_t dropped() const;

private:
    mutable std::mutex m_mutex;
    std::size_t m_stepCount;
    std::size_t m_ringEvents;
    std::vector<TrackInfo> m_tracks;
    std::vector<std::string> m_names;
    std::unordered_map<std::string, std::uint32_t> m_nameIndex;
    std::vector<std::unique_ptr<ThreadRecorder>> m_threads;
    std::vector<MemoryEvent> m_memory;
    std::vector<CounterEvent> m_counters;
    std::atomic<std::uint32_t> m_detailEvery{1};
};

}  // namespace hs
