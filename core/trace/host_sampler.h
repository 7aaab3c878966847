// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "core/base/reason.h"
#include "core/trace/host_metrics.h"
#include "core/trace/recorder.h"

namespace hs {

/// Records the host's counters at a steady pace in a thread of its own, from construction to destruction (or stop()).
/// The recorder must outlive it; stop it before the session writer's finish(), so that the last samples are written.
class HostSampler {
public:
    explicit HostSampler(Recorder& recorder, std::chrono::milliseconds period = std::chrono::milliseconds(100), const std::string& root = {});
    ~HostSampler();
    HostSampler(const HostSampler&) = delete;
    HostSampler& operator=(const HostSampler&) = delete;

    /// Takes a last sample and ends the thread. May be called more than once.
    void stop();
    /// What this machine does not offer, and why.
    const std::vector<Reason>& unavailable() const { return m_metrics.unavailable; }

private:
    void loop();
    void sample();

    Recorder& m_recorder;
    const std::chrono::milliseconds m_period;
    HostMetrics m_metrics;
    std::mutex m_mutex;
    std::condition_variable m_wake;
    bool m_stop = false;
    std::thread m_thread;
};

}  // namespace hs
