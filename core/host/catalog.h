// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QStringList>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/reason.h"
#include "core/contract/device.h"
#include "core/contract/plugin.h"

namespace hs {

enum class PluginState { NotBuilt, MetadataInvalid, AbiMismatch, DependencyMissing, LoadFailed, ProbeFailed, NoDevice, Disabled, Ready };
std::string_view pluginStateName(PluginState state);  ///< "NotBuilt" …

/// One row of the catalog: a plugin, found or known from the build's manifest, and how far it got.
struct PluginEntry {
    std::string id;
    std::string kind;  ///< "device" or "executor"
    std::string version;
    std::string file;
    PluginState state = PluginState::NotBuilt;
    Reason reason;  ///< Empty when Ready.
    std::vector<DeviceInfo> devices;
    std::vector<std::string> executors;
};

struct CatalogOptions {
    QStringList pluginDirs;  ///< Empty: next to the program (bin/plugins), then the install location.
    QStringList disabled;    ///< Plugin ids that a person switched off.
    bool refresh = false;    ///< Measure again instead of using cached rates.
    QString cacheDir;        ///< Empty: the user's cache folder.
};

/// Finds, loads and probes the plugins, and keeps them loaded. Metadata and libraries are checked before a plugin's code is loaded.
class Catalog {
public:
    static std::unique_ptr<Catalog> scan(const CatalogOptions& options = {});
    virtual ~Catalog() = default;
    virtual const std::vector<PluginEntry>& entries() const = 0;
    /// Devices of Ready plugins, best first, with their executors' ids filled in.
    virtual const std::vector<DeviceInfo>& devices() const = 0;
    /// Executors for a device, best first; the reference executor is last.
    virtual std::vector<std::shared_ptr<const Executor>> executorsFor(const DeviceInfo& device) const = 0;
};

}  // namespace hs
