// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/base/reason.h"

namespace hs {

/// What a probe learned about one device. Rates are measured where `measured` says so.
struct DeviceInfo {
    std::string id;      ///< "cpu", "opencl:0"
    std::string name;    ///< The vendor's name of the thing.
    std::string plugin;  ///< Id of the plugin that found it.
    std::string kind;    ///< "cpu", "gpu", "accelerator"
    bool simulated = false;
    std::uint64_t memoryBytes = 0;
    double peakGflopsF32 = 0;                                     ///< 10^9 FLOP/s over all cores, two per multiply-add.
    double bandwidthGbps = 0;                                     ///< 10^9 bytes/s, streaming.
    double launchNs = 0;                                          ///< Fixed cost of starting one step.
    std::vector<std::string> capabilities;                        ///< "avx512f", "fp16" … lower case.
    std::vector<std::string> executors;                           ///< Ids, best first; filled by the catalog. The reference executor is last.
    std::vector<std::pair<std::string, std::string>> properties;  ///< Everything else worth showing, in order.
};

}  // namespace hs
