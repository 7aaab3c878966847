// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hs::cpu {

/// One level of cache, as the kernel describes cpu0's.
struct CacheLevel {
    std::string name;  ///< "L1d", "L2", "L3"
    std::uint64_t sizeBytes = 0;
    int sharedBy = 1;  ///< Logical processors that share one instance.
};

/// What the kernel says of the processor. Empty or zero where it says nothing.
struct CpuFacts {
    std::string model;  ///< "AMD EPYC 9654", or the architecture when the kernel gives no name
    std::string vendor;
    std::string microcode;
    std::vector<std::string> isa;  ///< Instruction sets that matter to kernels, lower case.
    int cores = 0;                 ///< Physical.
    int threads = 0;               ///< Logical processors online.
    int usableThreads = 0;         ///< Logical processors that this process may use.
    std::vector<CacheLevel> caches;
    std::vector<std::string> numaNodes;  ///< "node0: 0-31"
    std::uint64_t memoryBytes = 0;
    std::uint64_t maxKhz = 0;  ///< Highest clock that cpufreq names; 0 without cpufreq.
    double currentMhz = 0;     ///< From /proc/cpuinfo; 0 when absent.
    std::string kernelRelease;

    std::uint64_t lastCacheBytes() const { return caches.empty() ? 0 : caches.back().sizeBytes; }
};

/// Reads /proc and /sys under `root` ("" is the machine itself; tests give a folder).
CpuFacts readFacts(const std::string& root = {});

}  // namespace hs::cpu
