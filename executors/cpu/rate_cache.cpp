// SPDX-License-Identifier: Apache-2.0
#include "executors/cpu/rate_cache.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "core/base/log.h"

namespace hs::cpu {
namespace fs = std::filesystem;
namespace {

constexpr const char* kSchema = "heteroscope.cpu-rates/1";  // change it when the way of measuring changes

fs::path cacheFile(const std::string& folder) {
    return fs::path(folder) / "cpu-rates.json";
}

bool sane(double value) {
    return std::isfinite(value) && value > 0;
}

}  // namespace

std::string rateKey(const CpuFacts& facts) {
    return fmt::format("{}|{}c{}t{}u|{}|{}", facts.model, facts.cores, facts.threads, facts.usableThreads, facts.microcode, facts.kernelRelease);
}

std::optional<CpuRates> loadRates(const std::string& folder, const std::string& key) {
    std::ifstream file(cacheFile(folder));
    if (!file) return std::nullopt;
    const auto json = nlohmann::json::parse(file, nullptr, false);
    if (!json.is_object() || json.value("schema", nlohmann::json()) != kSchema || json.value("key", nlohmann::json()) != key) return std::nullopt;
    const auto number = [&](const char* name) {
        const auto it = json.find(name);
        return it != json.end() && it->is_number() ? it->get<double>() : 0.0;
    };
    const CpuRates rates{number("peak_gflops_f32"), number("bandwidth_gbps"), number("launch_ns")};
    if (!sane(rates.peakGflopsF32) || !sane(rates.bandwidthGbps) || !sane(rates.launchNs)) return std::nullopt;
    return rates;
}

void storeRates(const std::string& folder, const std::string& key, const CpuRates& rates) {
    const nlohmann::ordered_json json = {
        {"schema", kSchema}, {"key", key}, {"peak_gflops_f32", rates.peakGflopsF32}, {"bandwidth_gbps", rates.bandwidthGbps}, {"launch_ns", rates.launchNs}};
    std::error_code ec;
    fs::create_directories(folder, ec);
    const fs::path target = cacheFile(folder);
    const fs::path temporary = target.string() + "." + std::to_string(getpid()) + ".new";
    std::ofstream file(temporary);
    file << json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
    file.close();
    if (file) fs::rename(temporary, target, ec);
    if (!file || ec) {
        spdlog::info("measured rates cannot be kept in {}: they are measured again next time", target.string());
        fs::remove(temporary, ec);
    }
}

}  // namespace hs::cpu
