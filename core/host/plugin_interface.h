// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtPlugin>
#include <memory>

#include "core/contract/plugin.h"

namespace hs {

/// Root object of a loadable plugin. Its embedded JSON metadata:
/// {"id", "kind": "device"|"executor", "abi": kAbiVersion, "version",
///  "needs": [{"library": "libdnnl.so.2", "for": "…", "remedy": "…"}]}
class PluginFactory {
public:
    virtual ~PluginFactory() = default;
    virtual std::unique_ptr<DevicePlugin> create() = 0;
};

}  // namespace hs

#define HS_PLUGIN_IID "org.heteroscope.PluginFactory/1"
Q_DECLARE_INTERFACE(hs::PluginFactory, HS_PLUGIN_IID)
