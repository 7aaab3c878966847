// SPDX-License-Identifier: Apache-2.0
#include <QObject>

#include "core/host/plugin_interface.h"
#include "executors/onednn/onednn_executor.h"

namespace {

/// Brings kernels for the CPU that another plugin finds; has no device of its own.
class OneDnnPlugin : public hs::DevicePlugin {
public:
    std::string id() const override { return "onednn"; }
    hs::ProbeReport probe(const hs::ProbeOptions& /*options*/) override { return {}; }
    std::vector<std::shared_ptr<const hs::Executor>> executors() override { return {hs::makeOneDnnExecutor()}; }
};

}  // namespace

class OneDnnPluginFactory : public QObject, public hs::PluginFactory {
    Q_OBJECT
    Q_PLUGIN_METADATA(IID HS_PLUGIN_IID FILE "onednn_plugin.json")
    Q_INTERFACES(hs::PluginFactory)
public:
    std::unique_ptr<hs::DevicePlugin> create() override { return std::make_unique<OneDnnPlugin>(); }
};

#include "onednn_plugin.moc"
