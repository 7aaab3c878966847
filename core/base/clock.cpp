// SPDX-License-Identifier: Apache-2.0
#include "core/base/clock.h"

#include <limits>
#include <thread>

namespace hs {
namespace {

struct Pair {
    std::uint64_t tick = 0;
    std::int64_t ns = 0;
    std::uint64_t width = 0;  ///< Ticks between the two reads around the clock: the pair's uncertainty.
};

/// The tightest of several (tick, ns) pairs, so that an interrupt between the reads does not spoil the calibration.
Pair readPair() {
    Pair best;
    best.width = std::numeric_limits<std::uint64_t>::max();
    for (int i = 0; i < 32; ++i) {
        const std::uint64_t before = ticks();
        const std::int64_t ns = steadyNs();
        const std::uint64_t after = ticks();
        if (after - before < best.width) best = {before + (after - before) / 2, ns, after - before};
    }
    return best;
}

}  // namespace

TickClock::TickClock() {
    const Pair first = readPair();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    const Pair second = readPair();
    const auto tickSpan = static_cast<double>(second.tick - first.tick);
    m_nsPerTick = tickSpan > 0 ? static_cast<double>(second.ns - first.ns) / tickSpan : 1.0;
    m_rateError = tickSpan > 0 ? static_cast<double>(first.width + second.width) / 2.0 / tickSpan : 0.0;
    m_baseTick = second.tick;
    m_baseNs = second.ns;
}

const TickClock& TickClock::instance() {
    static const TickClock clock;
    return clock;
}

}  // namespace hs
