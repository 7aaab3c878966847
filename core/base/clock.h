// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace hs {

/// Nanoseconds on the host's monotonic clock (CLOCK_MONOTONIC on Linux).
inline std::int64_t steadyNs() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Raw ticks of the cheapest monotonic counter: the time-stamp counter on x86-64, the steady clock elsewhere.
/// Convert with TickClock; never compare ticks of different machines.
inline std::uint64_t ticks() {
#if defined(__x86_64__)
    return __rdtsc();
#else
    return static_cast<std::uint64_t>(steadyNs());
#endif
}

/// Turns ticks into nanoseconds on the steady clock. Calibrated against it over at least 20 ms, once per process.
class TickClock {
public:
    /// The process-wide calibration; the first call takes about 20 ms.
    static const TickClock& instance();

    std::int64_t toSteadyNs(std::uint64_t tick) const {
        return m_baseNs + static_cast<std::int64_t>(static_cast<double>(static_cast<std::int64_t>(tick - m_baseTick)) * m_nsPerTick);
    }
    std::int64_t durationNs(std::uint64_t tickCount) const { return static_cast<std::int64_t>(static_cast<double>(tickCount) * m_nsPerTick); }
    double nsPerTick() const { return m_nsPerTick; }
    /// Estimated error of the rate, as a fraction.
    double rateError() const { return m_rateError; }

private:
    TickClock();
    std::uint64_t m_baseTick = 0;
    std::int64_t m_baseNs = 0;
    double m_nsPerTick = 1.0;
    double m_rateError = 0.0;
};

}  // namespace hs
