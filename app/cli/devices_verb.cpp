// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include "app/cli/output.h"
#include "app/cli/verb.h"
#include "core/host/catalog.h"

namespace hs::cli {
namespace {

std::string joined(const std::vector<std::string>& words, const char* separator = ", ") {
    std::string out;
    for (const auto& word : words)
        out += (out.empty() ? "" : separator) + word;
    return out;
}

Json deviceJson(const DeviceInfo& device) {
    Json properties = Json::object();
    for (const auto& [key, value] : device.properties)
        properties[key] = value;
    return {{"id", device.id},
            {"name", device.name},
            {"plugin", device.plugin},
            {"kind", device.kind},
            {"simulated", device.simulated},
            {"memory_bytes", device.memoryBytes},
            {"peak_gflops_f32", device.peakGflopsF32},
            {"bandwidth_gbps", device.bandwidthGbps},
            {"launch_ns", device.launchNs},
            {"capabilities", device.capabilities},
            {"executors", device.executors},
            {"properties", properties}};
}

Json documentOf(const Catalog& catalog) {
    Json out = {{"devices", Json::array()}, {"unavailable", Json::array()}, {"plugins", Json::array()}};
    for (const DeviceInfo& device : catalog.devices())
        out["devices"].push_back(deviceJson(device));
    for (const PluginEntry& entry : catalog.entries()) {
        const std::string reason = entry.reason.text();
        out["plugins"].push_back({{"id", entry.id},
                                  {"kind", entry.kind},
                                  {"version", entry.version},
                                  {"file", entry.file},
                                  {"state", pluginStateName(entry.state)},
                                  {"reason", reason},
                                  {"reason_code", entry.reason.code},
                                  {"reason_args", entry.reason.args},
                                  {"executors", entry.executors}});
        if (entry.state == PluginState::Ready) continue;
        out["unavailable"].push_back(
            {{"plugin", entry.id}, {"reason", reason.empty() ? std::string(pluginStateName(entry.state)) : reason}, {"state", pluginStateName(entry.state)}});
    }
    return out;
}

void printPeople(const Catalog& catalog) {
    std::vector<std::vector<std::string>> rows = {{"DEVICE", "NAME", "KIND", "MEMORY", "GFLOP/S", "GB/S", "EXECUTORS"}};
    for (const DeviceInfo& d : catalog.devices())
        rows.push_back({d.id, d.name, d.kind + (d.simulated ? " (simulated)" : ""), bytesText(static_cast<double>(d.memoryBytes)),
                        fmt::format("{:.0f}", d.peakGflopsF32), fmt::format("{:.1f}", d.bandwidthGbps), joined(d.executors)});
    std::cout << table(rows, {false, false, false, true, true, true, false}) << '\n';
    rows = {{"PLUGIN", "STATE", "WHY"}};
    for (const PluginEntry& entry : catalog.entries())
        rows.push_back({entry.id, std::string(pluginStateName(entry.state)), entry.reason.text()});
    std::cout << table(rows, {});
}

}  // namespace

void addDevicesVerb(CLI::App& app, Invocation& invocation) {
    auto refresh = std::make_shared<bool>(false);
    CLI::App* verb = addVerb(app, invocation, "devices", "List the devices that were found, and why others were not", "hscope devices --json",
                             [&invocation, refresh]() -> Result<int> {
                                 CatalogOptions options;
                                 options.refresh = *refresh;
                                 const auto catalog = Catalog::scan(options);
                                 if (invocation.json) {
                                     printJson(documentOf(*catalog));
                                 } else {
                                     printPeople(*catalog);
                                 }
                                 return 0;
                             });
    verb->add_flag("--refresh", *refresh, "Measure again instead of using what was measured before");
}

}  // namespace hs::cli
