// SPDX-License-Identifier: Apache-2.0
// One source, several loadable plugins: the build sets HS_TEST_PLUGIN (what it does) and the metadata file.
#include <QObject>
#include <stdexcept>

#include "core/host/plugin_interface.h"

#define HS_DOES_THROW 1
#define HS_DOES_NOTHING 2
#define HS_DOES_CPU 3
#define HS_DOES_EXECUTOR 4
#define HS_DOES_FAIL 5
#define HS_DOES_UNRESOLVED 6

#if HS_TEST_PLUGIN == HS_DOES_UNRESOLVED
int functionThatNoLibraryHas();
#endif

namespace {

struct TestExecutor : hs::Executor {
    explicit TestExecutor(std::string name) : m_name(std::move(name)) {}
    std::string_view id() const override { return m_name; }
    std::string_view deviceKind() const override { return "cpu"; }
    hs::Support supports(const hs::NodeQuery& /*query*/) const override { return hs::Support::no("kernel.operator", {m_name, "?"}); }
    hs::Result<std::unique_ptr<hs::Kernel>> compile(const hs::CompileRequest& /*request*/) const override {
        return hs::fail(hs::ErrorCode::Unsupported, "", "a test executor compiles nothing");
    }
    std::string m_name;
};

struct TestPlugin : hs::DevicePlugin {
    std::string id() const override { return "test"; }
    hs::ProbeReport probe(const hs::ProbeOptions& /*options*/) override {
        hs::ProbeReport report;
#if HS_TEST_PLUGIN == HS_DOES_THROW
        throw std::runtime_error("the driver is in a bad mood");
#elif HS_TEST_PLUGIN == HS_DOES_CPU
        hs::DeviceInfo device;
        device.id = "cpu";
        device.kind = "cpu";
        report.devices.push_back(device);
#elif HS_TEST_PLUGIN == HS_DOES_FAIL
        report.failed = true;
        report.reason = {"catalog.probe_failed", { "the bus does not answer" }};
#elif HS_TEST_PLUGIN == HS_DOES_UNRESOLVED
        report.failed = functionThatNoLibraryHas() != 0;
#elif HS_TEST_PLUGIN == HS_DOES_NOTHING
        report.reason = {"catalog.no_device", {"no such card on this bus"}};
#endif
        return report;
    }
    std::vector<std::shared_ptr<const hs::Executor>> executors() override {
#if HS_TEST_PLUGIN == HS_DOES_CPU
        return {std::make_shared<TestExecutor>("reference"), std::make_shared<TestExecutor>("plain")};
#elif HS_TEST_PLUGIN == HS_DOES_EXECUTOR
        return {std::make_shared<TestExecutor>("fast")};
#else
        return {};
#endif
    }
};

}  // namespace

class TestPluginFactory : public QObject, public hs::PluginFactory {
    Q_OBJECT
    Q_PLUGIN_METADATA(IID HS_PLUGIN_IID FILE "metadata.json")
    Q_INTERFACES(hs::PluginFactory)
public:
    std::unique_ptr<hs::DevicePlugin> create() override { return std::make_unique<TestPlugin>(); }
};

#include "test_plugin.moc"
