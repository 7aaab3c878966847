// SPDX-License-Identifier: Apache-2.0
#include "core/trace/host_sampler.h"

#include <algorithm>

#include "core/trace/thread_priority.h"

namespace hs {

HostSampler::HostSampler(Recorder& recorder, std::chrono::milliseconds period, const std::string& root)
    : m_recorder(recorder), m_period(period), m_metrics(findHostMetrics(recorder, root)), m_thread([this] { loop(); }) {}

HostSampler::~HostSampler() {
    stop();
}

void HostSampler::stop() {
    {
        const std::lock_guard lock(m_mutex);
        m_stop = true;
    }
    m_wake.notify_all();
    if (!m_thread.joinable()) return;
    m_thread.join();
    sample();
}

void HostSampler::loop() {
    lowerThreadPriority();
    auto next = std::chrono::steady_clock::now();
    for (;;) {
        sample();
        // A fixed pace, not a fixed pause; after a long stall start anew instead of catching up.
        next = std::max(next + m_period, std::chrono::steady_clock::now());
        std::unique_lock lock(m_mutex);
        if (m_wake.wait_until(lock, next, [this] { return m_stop; })) return;
    }
}

void HostSampler::sample() {
    for (const auto& metric : m_metrics.metrics)
        metric->sample(m_recorder);
}

}  // namespace hs
