// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/reason.h"
#include "core/trace/recorder.h"

namespace hs {

/// One or more counters of the host that are read from time to time. Each instance owns its tracks.
class HostMetric {
public:
    virtual ~HostMetric() = default;
    /// Reads the counters and records them. Takes microseconds to (cpuinfo) a few hundred of them.
    virtual void sample(Recorder& recorder) = 0;
};

struct HostMetrics {
    std::vector<std::unique_ptr<HostMetric>> metrics;
    std::vector<Reason> unavailable;  ///< device.metric_unavailable, one for each that this machine does not offer.
};

/// Finds what this machine offers and registers a counter track for each value: resident memory and its peak (bytes),
/// processor use of this process (% of one core, so up to 100 times the number of cores) and of each core (%), clock
/// (MHz), temperatures (°C), and energy since the start (J). `root` is put before /proc and /sys (tests).
HostMetrics findHostMetrics(Recorder& recorder, const std::string& root = {});

}  // namespace hs
