// SPDX-License-Identifier: Apache-2.0
#include "core/base/reason.h"

#include <algorithm>

namespace hs {

const std::vector<ReasonTemplate>& reasonTemplates() {
    static const std::vector<ReasonTemplate> kTemplates = {
        {"catalog.abi_mismatch", "plugin was built for ABI %1, this program has ABI %2: rebuild the plugin"},
        {"catalog.dependency_missing", "library %1 is missing (needed for %2): %3"},
        {"catalog.disabled", "disabled in the settings"},
        {"catalog.load_failed", "the plugin file could not be loaded: %1"},
        {"catalog.metadata_invalid", "the plugin's metadata is not valid: %1"},
        {"catalog.no_device", "no device of this kind was found: %1"},
        {"catalog.not_built", "not part of this build: %1"},
        {"catalog.probe_failed", "probing for devices failed: %1"},
        {"device.metric_unavailable", "%1 is not offered by this machine: %2"},
        {"kernel.attribute", "executor %1 has no kernel for %2 with attribute %3"},
        {"kernel.compile_failed", "executor %1 could not compile %2: %3"},
        {"kernel.dtype", "executor %1 has no kernel for %2 on %3"},
        {"kernel.dynamic_shape", "executor %1 needs static shapes for %2"},
        {"kernel.operator", "executor %1 has no kernel for operator %2"},
        {"kernel.shape", "executor %1 does not support the shape of %2: %3"},
        {"plan.best_available", "highest-ranked executor that supports the node"},
        {"plan.control_flow", "control flow is driven by the host"},
        {"plan.device_not_named", "device %1 takes part only when it is named"},
        {"plan.eliminated", "its outputs are not used, or equal its input"},
        {"plan.fallback", "no executor of device %1 supports it: runs on %2"},
        {"plan.folded", "computed once while planning: its result does not depend on the inputs' values"},
        {"plan.no_executor", "no executor supports operator %1 (domain %2)"},
        {"plan.pinned", "pinned by rule %1 of the config"},
        {"plan.view", "needs no kernel: its output is its input under another shape"},
    };
    return kTemplates;
}

std::string fillTemplate(std::string_view pattern, const std::vector<std::string>& args) {
    std::string out;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const bool isPlace = pattern[i] == '%' && i + 1 < pattern.size() && pattern[i + 1] >= '1' && pattern[i + 1] <= '9';
        if (!isPlace) {
            out += pattern[i];
            continue;
        }
        const auto n = static_cast<std::size_t>(pattern[++i] - '1');
        out += n < args.size() ? args[n] : "?";
    }
    return out;
}

std::string Reason::text() const {
    const auto& all = reasonTemplates();
    const auto it = std::find_if(all.begin(), all.end(), [&](const ReasonTemplate& t) { return t.code == code; });
    if (it != all.end()) return fillTemplate(it->english, args);
    std::string out = code;
    for (const auto& arg : args)
        out += " " + arg;
    return out;
}

}  // namespace hs
