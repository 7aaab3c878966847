// SPDX-License-Identifier: Apache-2.0
#include <QObject>

#include "core/host/plugin_interface.h"
#include "executors/cpu/cpu_probe.h"
#include "executors/reference/reference_executor.h"

namespace {

/// The host's processor, with the executor that runs everywhere.
class CpuPlugin : public hs::DevicePlugin {
public:
    std::string id() const override { return "cpu"; }
    hs::ProbeReport probe(const hs::ProbeOptions& options) override {
        hs::ProbeReport report;
        auto device = hs::probeCpu(options);
        if (device) {
            report.devices.push_back(std::move(*device));
        } else {
            report.failed = true;
            report.reason = {"catalog.probe_failed", {device.error().text()}};
        }
        return report;
    }
    std::vector<std::shared_ptr<const hs::Executor>> executors() override { return {hs::makeReferenceExecutor()}; }
};

}  // namespace

class CpuPluginFactory : public QObject, public hs::PluginFactory {
    Q_OBJECT
    Q_PLUGIN_METADATA(IID HS_PLUGIN_IID FILE "cpu_plugin.json")
    Q_INTERFACES(hs::PluginFactory)
public:
    std::unique_ptr<hs::DevicePlugin> create() override { return std::make_unique<CpuPlugin>(); }
};

#include "cpu_plugin.moc"
