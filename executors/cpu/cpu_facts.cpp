// SPDX-License-Identifier: Apache-2.0
#include "executors/cpu/cpu_facts.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string_view>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <thread>

namespace hs::cpu {
namespace fs = std::filesystem;
namespace {

/// /proc/cpuinfo's flag to the name shown. The order is the order of display.
constexpr std::array<std::pair<std::string_view, std::string_view>, 22> kIsaFlags = {{
    {"sse4_1", "sse4.1"},
    {"sse4_2", "sse4.2"},
    {"avx", "avx"},
    {"avx2", "avx2"},
    {"fma", "fma"},
    {"f16c", "f16c"},
    {"avx_vnni", "avx_vnni"},
    {"avx512f", "avx512f"},
    {"avx512bw", "avx512bw"},
    {"avx512dq", "avx512dq"},
    {"avx512vl", "avx512vl"},
    {"avx512_vnni", "avx512_vnni"},
    {"avx512_bf16", "avx512_bf16"},
    {"avx512_fp16", "avx512_fp16"},
    {"amx_tile", "amx_tile"},
    {"amx_int8", "amx_int8"},
    {"amx_bf16", "amx_bf16"},
    {"asimd", "neon"},
    {"asimdhp", "fp16"},
    {"asimddp", "dotprod"},
    {"sve", "sve"},
    {"bf16", "bf16"},
}};

std::string readLine(const fs::path& path) {
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    return line;
}

/// The first processor's "key : value" lines.
std::map<std::string, std::string> readCpuInfo(const fs::path& path) {
    std::ifstream file(path);
    std::map<std::string, std::string> out;
    std::string line;
    while (std::getline(file, line) && !line.empty()) {
        const auto colon = line.find(':');
        if (colon == std::string::npos) continue;
        const auto keyEnd = line.find_last_not_of(" \t", colon == 0 ? 0 : colon - 1);
        const auto valueBegin = line.find_first_not_of(" \t", colon + 1);
        out[line.substr(0, keyEnd + 1)] = valueBegin == std::string::npos ? "" : line.substr(valueBegin);
    }
    return out;
}

/// How many processors a kernel list such as "0-3,8,10-11" names.
int listCount(const std::string& list) {
    int count = 0;
    std::istringstream in(list);
    std::string part;
    while (std::getline(in, part, ',')) {
        const auto dash = part.find('-');
        count += dash == std::string::npos ? 1 : std::max(1, std::atoi(part.c_str() + dash + 1) - std::atoi(part.c_str()) + 1);
    }
    return count;
}

/// "32768K" or "32M" in bytes.
std::uint64_t sizeText(const std::string& text) {
    char* end = nullptr;
    const std::uint64_t number = std::strtoull(text.c_str(), &end, 10);
    if (*end == 'K') return number << 10;
    if (*end == 'M') return number << 20;
    if (*end == 'G') return number << 30;
    return number;
}

std::vector<fs::path> numbered(const fs::path& folder, std::string_view prefix) {
    std::vector<std::pair<int, fs::path>> found;
    std::error_code ec;
    for (const auto& entry : fs::directory_iterator(folder, ec)) {
        const std::string name = entry.path().filename();
        if (name.size() > prefix.size() && name.starts_with(prefix) && name.find_first_not_of("0123456789", prefix.size()) == std::string::npos)
            found.emplace_back(std::atoi(name.c_str() + prefix.size()), entry.path());
    }
    std::sort(found.begin(), found.end());
    std::vector<fs::path> out;
    for (auto& [number, path] : found)
        out.push_back(std::move(path));
    return out;
}

std::vector<CacheLevel> readCaches(const fs::path& cpu0) {
    std::vector<CacheLevel> out;
    for (const fs::path& index : numbered(cpu0 / "cache", "index")) {
        const std::string type = readLine(index / "type");
        if (type == "Instruction") continue;
        CacheLevel cache;
        cache.name = "L" + readLine(index / "level") + (type == "Data" ? "d" : "");
        cache.sizeBytes = sizeText(readLine(index / "size"));
        cache.sharedBy = std::max(1, listCount(readLine(index / "shared_cpu_list")));
        if (cache.sizeBytes > 0) out.push_back(std::move(cache));
    }
    return out;
}

int countCores(const std::vector<fs::path>& cpus) {
    std::set<std::pair<std::string, std::string>> cores;
    for (const fs::path& cpu : cpus) {
        const std::string core = readLine(cpu / "topology/core_id");
        if (!core.empty()) cores.emplace(readLine(cpu / "topology/physical_package_id"), core);
    }
    return static_cast<int>(cores.size());
}

std::uint64_t readMemory(const fs::path& meminfo) {
    std::ifstream file(meminfo);
    std::string key;
    std::uint64_t kib = 0;
    if (file >> key >> kib && key == "MemTotal:") return kib << 10;
    return 0;
}

}  // namespace

CpuFacts readFacts(const std::string& root) {
    const fs::path base = root.empty() ? fs::path("/") : fs::path(root);
    const auto info = readCpuInfo(base / "proc/cpuinfo");
    const auto get = [&](const char* key) {
        const auto it = info.find(key);
        return it == info.end() ? std::string() : it->second;
    };
    utsname system{};
    uname(&system);

    CpuFacts out;
    out.kernelRelease = system.release;
    out.vendor = get("vendor_id");
    out.model = get("model name");
    if (out.model.empty()) out.model = std::string(system.machine) + " processor";
    out.microcode = get("microcode");
    out.currentMhz = std::atof(get("cpu MHz").c_str());
    std::istringstream flagText(get("flags") + " " + get("Features"));
    const std::set<std::string> flags{std::istream_iterator<std::string>(flagText), {}};
    for (const auto& [flag, name] : kIsaFlags)
        if (flags.contains(std::string(flag))) out.isa.emplace_back(name);

    const fs::path cpuDir = base / "sys/devices/system/cpu";
    const auto cpus = numbered(cpuDir, "cpu");
    out.threads = listCount(readLine(cpuDir / "online"));
    out.usableThreads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    if (out.threads == 0) out.threads = out.usableThreads;
    out.cores = countCores(cpus);
    if (!cpus.empty()) {
        out.caches = readCaches(cpus.front());
        out.maxKhz = std::strtoull(readLine(cpus.front() / "cpufreq/cpuinfo_max_freq").c_str(), nullptr, 10);
    }
    for (const fs::path& node : numbered(base / "sys/devices/system/node", "node"))
        out.numaNodes.push_back(node.filename().string() + ": " + readLine(node / "cpulist"));
    out.memoryBytes = readMemory(base / "proc/meminfo");
    return out;
}

}  // namespace hs::cpu
