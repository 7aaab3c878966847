// SPDX-License-Identifier: Apache-2.0
#include "core/trace/recorder.h"

#include <utility>

namespace hs {

ThreadRecorder::ThreadRecorder(std::uint16_t track, std::size_t ringEvents, std::size_t stepCount)
    : m_ring(ringEvents), m_stats(std::make_unique<StepStat[]>(stepCount)), m_statCount(stepCount), m_track(track) {}

void ThreadRecorder::resetStats() {
    for (std::size_t i = 0; i < m_statCount; ++i) {
        const StepStat zero;
        store(m_stats[i].calls, zero.calls);
        store(m_stats[i].total, zero.total);
        store(m_stats[i].min, zero.min);
        store(m_stats[i].max, zero.max);
    }
}

StepStat ThreadRecorder::stat(std::size_t stepId) const {
    if (stepId >= m_statCount) return {};
    StepStat& s = m_stats[stepId];
    return {load(s.calls), load(s.total), load(s.min), load(s.max)};
}

Recorder::Recorder(std::size_t stepCount, std::size_t ringEvents) : m_stepCount(stepCount), m_ringEvents(ringEvents) {}

std::uint16_t Recorder::addTrack(TrackKind kind, std::string name, std::uint16_t device, std::string unit, std::uint16_t peer) {
    const std::lock_guard lock(m_mutex);
    const auto index = static_cast<std::uint16_t>(m_tracks.size());
    m_tracks.push_back({index, kind, std::move(name), device, std::move(unit), peer});
    return index;
}

std::uint32_t Recorder::internName(std::string_view name) {
    const std::lock_guard lock(m_mutex);
    const auto [it, isNew] = m_nameIndex.try_emplace(std::string(name), static_cast<std::uint32_t>(m_names.size()));
    if (isNew) m_names.emplace_back(name);
    return it->second;
}

ThreadRecorder& Recorder::addThread(std::string name, std::uint16_t device) {
    const std::uint16_t track = addTrack(TrackKind::Thread, std::move(name), device);
    const std::lock_guard lock(m_mutex);
    m_threads.push_back(std::make_unique<ThreadRecorder>(track, m_ringEvents, m_stepCount));
    return *m_threads.back();
}

void Recorder::memory(const MemoryEvent& event) {
    const std::lock_guard lock(m_mutex);
    m_memory.push_back(event);
}

void Recorder::counter(const CounterEvent& event) {
    const std::lock_guard lock(m_mutex);
    m_counters.push_back(event);
}

std::vector<TrackInfo> Recorder::tracks() const {
    const std::lock_guard lock(m_mutex);
    return m_tracks;
}

std::vector<std::string> Recorder::names() const {
    const std::lock_guard lock(m_mutex);
    return m_names;
}

std::vector<ThreadRecorder*> Recorder::threads() const {
    const std::lock_guard lock(m_mutex);
    std::vector<ThreadRecorder*> out;
    for (const auto& thread : m_threads)
        out.push_back(thread.get());
    return out;
}

std::vector<MemoryEvent> Recorder::takeMemory() {
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_memory, {});
}

std::vector<CounterEvent> Recorder::takeCounters() {
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_counters, {});
}

std::uint64_t Recorder::dropped() const {
    std::uint64_t sum = 0;
    for (const ThreadRecorder* thread : threads())
        sum += thread->dropped();
    return sum;
}

}  // namespace hs
