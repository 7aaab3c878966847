// SPDX-License-Identifier: Apache-2.0
#include "executors/cpu/cpu_probe.h"

#include <exception>
#include <optional>

#include "executors/cpu/cpu_facts.h"
#include "executors/cpu/cpu_measure.h"
#include "executors/cpu/rate_cache.h"

namespace hs {
namespace {

std::string unavailable(const char* metric, const char* why) {
    return Reason{"device.metric_unavailable", {metric, why}}.text();
}

std::string mib(std::uint64_t bytes) {
    return bytes >= (1U << 20) ? fmt::format("{} MiB", bytes >> 20) : fmt::format("{} KiB", bytes >> 10);
}

std::string clockText(const cpu::CpuFacts& facts) {
    if (facts.maxKhz > 0) return fmt::format("{:.0f} MHz at most", static_cast<double>(facts.maxKhz) / 1000);
    if (facts.currentMhz > 0) return fmt::format("{:.0f} MHz when probed (the kernel names no maximum: no cpufreq)", facts.currentMhz);
    return unavailable("the clock frequency", "the kernel has neither cpufreq nor a frequency in /proc/cpuinfo");
}

std::vector<std::pair<std::string, std::string>> describe(const cpu::CpuFacts& facts, bool cached) {
    std::vector<std::pair<std::string, std::string>> out;
    out.emplace_back("vendor", facts.vendor.empty() ? unavailable("the vendor", "it is not in /proc/cpuinfo") : facts.vendor);
    out.emplace_back("cores", facts.cores > 0 ? std::to_string(facts.cores) : unavailable("the number of cores", "sysfs has no topology"));
    out.emplace_back("threads", facts.usableThreads == facts.threads ? std::to_string(facts.threads)
                                                                     : fmt::format("{} ({} usable by this process)", facts.threads, facts.usableThreads));
    out.emplace_back("clock", clockText(facts));
    for (const cpu::CacheLevel& cache : facts.caches)
        out.emplace_back(cache.name, cache.sharedBy > 1 ? fmt::format("{}, shared by {} threads", mib(cache.sizeBytes), cache.sharedBy) : mib(cache.sizeBytes));
    if (facts.caches.empty()) out.emplace_back("caches", unavailable("the cache sizes", "sysfs has no cache folder"));
    for (const std::string& node : facts.numaNodes)
        out.emplace_back("numa", node);
    if (facts.numaNodes.empty()) out.emplace_back("numa", unavailable("the NUMA layout", "sysfs has no node folder"));
    out.emplace_back("microcode", facts.microcode.empty() ? unavailable("the microcode version", "it is not in /proc/cpuinfo") : facts.microcode);
    out.emplace_back("kernel", facts.kernelRelease);
    out.emplace_back("rates", cached ? "measured by an earlier probe" : "measured by this probe");
    return out;
}

DeviceInfo probe(const ProbeOptions& options) {
    const cpu::CpuFacts facts = cpu::readFacts();
    const std::string key = cpu::rateKey(facts);
    std::optional<cpu::CpuRates> rates;
    if (!options.cacheDir.empty() && !options.refresh) rates = cpu::loadRates(options.cacheDir, key);
    const bool cached = rates.has_value();
    if (!rates) {
        rates = cpu::CpuRates{cpu::measurePeakGflops(facts.usableThreads),
                              cpu::measureBandwidthGbps(facts.usableThreads, facts.lastCacheBytes(), facts.memoryBytes), cpu::measureLaunchNs()};
        if (!options.cacheDir.empty()) cpu::storeRates(options.cacheDir, key, *rates);
    }
    DeviceInfo device;
    device.id = "cpu";
    device.name = facts.model;
    device.plugin = "cpu";
    device.kind = "cpu";
    device.memoryBytes = facts.memoryBytes;
    device.peakGflopsF32 = rates->peakGflopsF32;
    device.bandwidthGbps = rates->bandwidthGbps;
    device.launchNs = rates->launchNs;
    device.capabilities = facts.isa;
    device.properties = describe(facts, cached);
    return device;
}

}  // namespace

Result<DeviceInfo> probeCpu(const ProbeOptions& options) {
    try {
        return probe(options);
    } catch (const std::exception& e) {  // out of memory or threads while measuring
        return fail(ErrorCode::DeviceFailed, "cpu", "the processor could not be measured: {}", e.what());
    }
}

}  // namespace hs
