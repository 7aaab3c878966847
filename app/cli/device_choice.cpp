// SPDX-License-Identifier: Apache-2.0
#include "app/cli/device_choice.h"

#include <algorithm>
#include <fstream>
#include <sched.h>
#include <sstream>
#include <thread>

#include "app/cli/checks.h"
#include "app/cli/output.h"
#include "core/plan/placement.h"

namespace hs::cli {
namespace {

constexpr std::uintmax_t kMaxConfigBytes = std::uintmax_t{64} << 20;

const DeviceInfo* findDevice(const Catalog& catalog, const std::string& id) {
    const auto& devices = catalog.devices();
    const auto it = std::find_if(devices.begin(), devices.end(), [&](const DeviceInfo& d) { return d.id == id; });
    return it == devices.end() ? nullptr : &*it;
}

const DeviceInfo* findCpu(const Catalog& catalog) {
    const auto& devices = catalog.devices();
    const auto it = std::find_if(devices.begin(), devices.end(), [](const DeviceInfo& d) { return d.kind == "cpu" && !d.simulated; });
    return it == devices.end() ? nullptr : &*it;
}

std::string knownDevices(const Catalog& catalog) {
    std::string out;
    for (const DeviceInfo& device : catalog.devices())
        out += (out.empty() ? "" : ", ") + device.id;
    return out.empty() ? "none" : out;
}

}  // namespace

Result<std::vector<PlanDevice>> chooseDevices(const Catalog& catalog, const std::vector<std::string>& names) {
    std::vector<PlanDevice> out;
    const auto add = [&](const DeviceInfo& device) { out.push_back({device, catalog.executorsFor(device)}); };
    for (const std::string& name : names) {
        const DeviceInfo* device = findDevice(catalog, name);
        if (device == nullptr)
            return fail(ErrorCode::BadRequest, name.empty() ? "--device" : name, "{}: this machine has {}", name.empty() ? "names no device" : "unknown device",
                        knownDevices(catalog));
        if (std::none_of(out.begin(), out.end(), [&](const PlanDevice& d) { return d.info.id == name; })) add(*device);
    }
    if (names.empty()) {
        const auto& devices = catalog.devices();
        const auto best = std::find_if(devices.begin(), devices.end(), [](const DeviceInfo& d) { return !d.simulated; });
        if (best == devices.end()) return fail(ErrorCode::BadRequest, "", "no device is ready: `hscope devices` says why");
        add(*best);
    }
    const DeviceInfo* cpu = findCpu(catalog);
    if (cpu != nullptr && std::none_of(out.begin(), out.end(), [&](const PlanDevice& d) { return d.info.id == cpu->id; })) {
        add(*cpu);
        auto& executors = out.back().executors;
        if (!names.empty()) std::erase_if(executors, [](const auto& e) { return e->id() != "reference"; });
    }
    return out;
}

bool isExecutor(const Catalog& catalog, const std::string& id) {
    const auto& devices = catalog.devices();
    return std::any_of(devices.begin(), devices.end(), [&](const DeviceInfo& device) {
        const auto executors = catalog.executorsFor(device);
        return std::any_of(executors.begin(), executors.end(), [&](const auto& e) { return e->id() == id; });
    });
}

std::vector<std::string> splitNames(const std::vector<std::string>& given) {
    std::vector<std::string> out;
    for (const std::string& text : given) {
        std::istringstream parts(text + ",");
        for (std::string part; std::getline(parts, part, ',');)
            out.push_back(part);
    }
    return out;
}

int defaultThreads() {
    // What this process may use, which in a container is less than what the machine has.
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    if (sched_getaffinity(0, sizeof(allowed), &allowed) == 0) return std::max(CPU_COUNT(&allowed), 1);
    return std::max(static_cast<int>(std::thread::hardware_concurrency()), 1);
}

Result<Edits> readConfigFile(const std::string& path, std::string& text) {
    if (path.empty()) return Edits{};
    std::ifstream file;
    HS_TRY(const std::uint64_t size, openRegular(path, ErrorCode::BadRequest, file));
    if (size > kMaxConfigBytes) return fail(ErrorCode::BadRequest, path, "the config is larger than {} bytes", kMaxConfigBytes);
    text.resize(size);
    if (!file.read(text.data(), static_cast<std::streamsize>(size))) return fail(ErrorCode::BadRequest, path, "the config cannot be read");
    return parseConfig(text, path);
}

void warnOfIdleRules(const PlanRequest& request, const std::string& path) {
    const auto& nodes = request.model->nodes();
    for (const Rule& rule : request.edits.rules) {
        const std::string& pattern = rule.match.pattern;
        if (!rule.enabled || pattern.empty()) continue;
        if (std::any_of(nodes.begin(), nodes.end(), [&](const Node& node) { return globMatches(pattern, node.name); })) continue;
        warn(fmt::format("{}:{}: pattern \"{}\" matches no node of this model", path, rule.line, pattern));
    }
}

Error withConfigFile(Error error, const std::string& path) {
    constexpr std::string_view kPrefix = "config line ";
    if (!path.empty() && error.where.starts_with(kPrefix)) error.where = path + ":" + error.where.substr(kPrefix.size());
    return error;
}

}  // namespace hs::cli
