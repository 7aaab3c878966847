// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/run/profiled_run.h"

namespace hs {
namespace {

/// Linear interpolation between the closest ranks (type 7 of Hyndman and Fan 1996). `sorted` is not empty.
double quantile(const std::vector<double>& sorted, double q) {
    const double place = q * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

}  // namespace

LatencyStats latencyStats(std::vector<double> samplesMs) {
    LatencyStats out;
    out.runs = static_cast<int>(samplesMs.size());
    if (samplesMs.empty()) return out;
    std::sort(samplesMs.begin(), samplesMs.end());
    const auto n = static_cast<double>(samplesMs.size());
    out.medianMs = quantile(samplesMs, 0.5);
    out.p90Ms = quantile(samplesMs, 0.9);
    out.p99Ms = quantile(samplesMs, 0.99);
    out.minMs = samplesMs.front();
    out.meanMs = std::accumulate(samplesMs.begin(), samplesMs.end(), 0.0) / n;
    double squares = 0;
    for (const double sample : samplesMs)
        squares += (sample - out.meanMs) * (sample - out.meanMs);
    out.stddevMs = samplesMs.size() > 1 ? std::sqrt(squares / (n - 1)) : 0;
    return out;
}

}  // namespace hs
