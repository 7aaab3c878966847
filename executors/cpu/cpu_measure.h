// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace hs::cpu {

/// Measured rates of the host over `threads` threads.
struct CpuRates {
    double peakGflopsF32 = 0;  ///< 10^9 FLOP/s, two per multiply-add.
    double bandwidthGbps = 0;  ///< 10^9 bytes/s of a STREAM triad (two reads, one write; no write-allocate counted).
    double launchNs = 0;       ///< One virtual call between two clock reads: what starting a step costs at least.
};

/// Independent multiply-adds in registers, widest instruction set that the processor has, best of several rounds (50 ms).
double measurePeakGflops(int threads);

/// a[i] = b[i] + s·c[i] over three arrays that together exceed `cacheBytes` fourfold (bounded), best of several passes.
double measureBandwidthGbps(int threads, std::uint64_t cacheBytes, std::uint64_t memoryBytes);

double measureLaunchNs();

}  // namespace hs::cpu
