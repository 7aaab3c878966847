// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/contract/device.h"
#include "core/contract/executor.h"

namespace hs {

struct ProbeOptions {
    std::string cacheDir;  ///< Where measured rates may be kept between processes; empty: measure, keep nothing.
    bool refresh = false;  ///< Ignore what is cached.
};

/// What a plugin found. Devices, or a reason why there is none.
struct ProbeReport {
    std::vector<DeviceInfo> devices;
    bool failed = false;  ///< The probe itself went wrong (ProbeFailed), as opposed to finding nothing (NoDevice).
    Reason reason;
};

/// The factory that a loadable shell hands out. Implementations must not let exceptions out.
class DevicePlugin {
public:
    virtual ~DevicePlugin() = default;
    virtual std::string id() const = 0;  ///< "cpu", "onednn", "opencl"
    /// Looks for devices; may take a second the first time. A plugin that only brings executors returns none and no reason.
    virtual ProbeReport probe(const ProbeOptions& options) = 0;
    /// Executors that it brings, best first, for devices of their deviceKind() whoever found those.
    virtual std::vector<std::shared_ptr<const Executor>> executors() = 0;
};

}  // namespace hs
