// SPDX-License-Identifier: Apache-2.0
#include "core/host/catalog.h"

#include <QDir>
#include <QPluginLoader>
#include <algorithm>
#include <exception>
#include <set>

#include "core/base/log.h"
#include "core/host/plugin_file.h"
#include "core/host/plugin_interface.h"

namespace hs {
namespace {

using ExecutorPtr = std::shared_ptr<const Executor>;

/// A Ready plugin's objects. The library behind them is never unloaded, so they may outlive the catalog.
struct Loaded {
    std::string kind;
    std::unique_ptr<DevicePlugin> plugin;
    std::vector<ExecutorPtr> executors;
};

std::string currentExceptionText() {
    try {
        throw;
    } catch (const std::exception& e) {
        return e.what();
    } catch (...) {
        return "an exception of an unknown type";
    }
}

void settle(PluginEntry& entry, PluginState state, Reason reason = {}) {
    entry.state = state;
    entry.reason = std::move(reason);
}

/// Real before simulated, GPUs and accelerators before CPUs, faster before slower.
bool better(const DeviceInfo& a, const DeviceInfo& b) {
    if (a.simulated != b.simulated) return b.simulated;
    if ((a.kind == "cpu") != (b.kind == "cpu")) return b.kind == "cpu";
    return a.peakGflopsF32 > b.peakGflopsF32;
}

class CatalogImpl : public Catalog {
public:
    explicit CatalogImpl(const CatalogOptions& options) : m_disabled(options.disabled) {
        m_disabled += QString::fromLocal8Bit(qgetenv("HS_DISABLE_PLUGINS")).split(QLatin1Char(','), Qt::SkipEmptyParts);
        const QString cacheDir = options.cacheDir.isEmpty() ? defaultCacheDir() : options.cacheDir;
        m_probe = {cacheDir.toStdString(), options.refresh};
        const QStringList dirs = options.pluginDirs.isEmpty() ? defaultPluginDirs() : options.pluginDirs;
        for (const QString& dir : dirs)
            scanDir(dir);
        for (const QString& dir : dirs)
            addManifest(dir);
        std::stable_sort(m_devices.begin(), m_devices.end(), better);
        for (DeviceInfo& device : m_devices)
            for (const ExecutorPtr& executor : executorsFor(device))
                device.executors.emplace_back(executor->id());
        fillEntryDevices();
    }

    const std::vector<PluginEntry>& entries() const override { return m_entries; }
    const std::vector<DeviceInfo>& devices() const override { return m_devices; }

    std::vector<ExecutorPtr> executorsFor(const DeviceInfo& device) const override {
        std::vector<ExecutorPtr> out;
        const auto collect = [&](const std::string& kind) {
            for (const Loaded& loaded : m_loaded)
                for (const ExecutorPtr& executor : loaded.executors) {
                    const auto same = [&](const ExecutorPtr& other) { return other->id() == executor->id(); };
                    if (loaded.kind == kind && executor->deviceKind() == device.kind && std::none_of(out.begin(), out.end(), same)) out.push_back(executor);
                }
        };
        collect("executor");
        collect("device");
        std::stable_partition(out.begin(), out.end(), [](const ExecutorPtr& executor) { return executor->id() != "reference"; });
        return out;
    }

private:
    void scanDir(const QString& dir) {
        for (const QString& name : QDir(dir).entryList({QStringLiteral("*.so")}, QDir::Files, QDir::Name))
            m_entries.push_back(examine(QDir(dir).absoluteFilePath(name)));
    }

    /// Everything that can be told before the plugin's code is loaded, then the rest.
    PluginEntry examine(const QString& file) {
        PluginMetadata metadata = readMetadata(file);
        PluginEntry entry;
        entry.id = metadata.id;
        entry.kind = metadata.kind;
        entry.version = metadata.version;
        entry.file = file.toStdString();
        if (metadata.problem.empty() && !m_ids.insert(metadata.id).second)
            metadata.problem = "another file already brought the plugin \"" + metadata.id + "\": remove one of them";
        if (!metadata.problem.empty()) {
            settle(entry, PluginState::MetadataInvalid, {"catalog.metadata_invalid", {metadata.problem}});
        } else if (m_disabled.contains(QString::fromStdString(metadata.id))) {
            settle(entry, PluginState::Disabled, {"catalog.disabled", {}});
        } else if (metadata.abi != kAbiVersion) {
            settle(entry, PluginState::AbiMismatch, {"catalog.abi_mismatch", {std::to_string(metadata.abi), std::to_string(kAbiVersion)}});
        } else if (Reason missing = missingDependency(metadata); !missing.empty()) {
            settle(entry, PluginState::DependencyMissing, std::move(missing));
        } else {
            load(file, entry);
        }
        return entry;
    }

    void load(const QString& file, PluginEntry& entry) {
        QPluginLoader loader(file);
        loader.setLoadHints(QLibrary::PreventUnloadHint | QLibrary::ResolveAllSymbolsHint);
        if (!loader.load()) return settle(entry, PluginState::LoadFailed, {"catalog.load_failed", {loader.errorString().toStdString()}});
        try {
            auto* factory = qobject_cast<PluginFactory*>(loader.instance());
            if (factory == nullptr) return settle(entry, PluginState::LoadFailed, {"catalog.load_failed", {"its root object is not a plugin factory"}});
            Loaded loaded{entry.kind, factory->create(), {}};
            if (!loaded.plugin) return settle(entry, PluginState::ProbeFailed, {"catalog.probe_failed", {"the factory made no plugin"}});
            probe(std::move(loaded), entry);
        } catch (...) {  // the contract forbids it, but a stranger's plugin must not take the program with it
            settle(entry, PluginState::ProbeFailed, {"catalog.probe_failed", {currentExceptionText()}});
        }
    }

    void probe(Loaded loaded, PluginEntry& entry) {
        ProbeReport report = loaded.plugin->probe(m_probe);
        if (report.failed) {
            if (report.reason.empty()) report.reason = {"catalog.probe_failed", {"the plugin gave no reason"}};
            return settle(entry, PluginState::ProbeFailed, std::move(report.reason));
        }
        dropKnownDevices(report);
        loaded.executors = loaded.plugin->executors();
        std::erase(loaded.executors, nullptr);
        if (report.devices.empty() && (entry.kind == "device" || loaded.executors.empty())) {
            if (report.reason.empty()) report.reason = {"catalog.no_device", {"the probe found none"}};
            return settle(entry, PluginState::NoDevice, std::move(report.reason));
        }
        for (DeviceInfo& device : report.devices) {
            device.plugin = entry.id;
            device.executors.clear();
            m_devices.push_back(std::move(device));
        }
        for (const ExecutorPtr& executor : loaded.executors)
            entry.executors.emplace_back(executor->id());
        m_loaded.push_back(std::move(loaded));
        settle(entry, PluginState::Ready);
    }

    /// Device ids name devices in configs and sessions: the first plugin that found one keeps it.
    void dropKnownDevices(ProbeReport& report) const {
        std::erase_if(report.devices, [&](const DeviceInfo& device) {
            const auto it = std::find_if(m_devices.begin(), m_devices.end(), [&](const DeviceInfo& known) { return known.id == device.id; });
            if (it == m_devices.end()) return false;
            report.reason = {"catalog.no_device", {"device \"" + device.id + "\" was already found by plugin \"" + it->plugin + "\""}};
            return true;
        });
    }

    /// Rows for the plugins that the build knows of and no folder has.
    void addManifest(const QString& dir) {
        QString problem;
        for (const ManifestRow& row : readManifest(dir, problem)) {
            const bool seen = std::any_of(m_entries.begin(), m_entries.end(), [&](const PluginEntry& entry) { return entry.id == row.id; });
            if (seen) continue;
            PluginEntry entry;
            entry.id = row.id;
            entry.kind = row.kind;
            entry.version = row.version;
            const std::string missing =
                "the file " + QDir(dir).absoluteFilePath(QString::fromStdString(row.file)).toStdString() + " is missing: build or install it";
            settle(entry, PluginState::NotBuilt, {"catalog.not_built", {row.built ? missing : row.why}});
            m_entries.push_back(std::move(entry));
        }
        if (!problem.isEmpty())
            spdlog::warn("{}/manifest.json cannot be read ({}): plugins that are not built are not listed", dir.toStdString(), problem.toStdString());
    }

    void fillEntryDevices() {
        for (PluginEntry& entry : m_entries)
            for (const DeviceInfo& device : m_devices)
                if (device.plugin == entry.id && entry.state == PluginState::Ready) entry.devices.push_back(device);
    }

    QStringList m_disabled;
    ProbeOptions m_probe;
    std::set<std::string> m_ids;
    std::vector<Loaded> m_loaded;
    std::vector<PluginEntry> m_entries;
    std::vector<DeviceInfo> m_devices;
};

}  // namespace

std::string_view pluginStateName(PluginState state) {
    switch (state) {
        case PluginState::NotBuilt: return "NotBuilt";
        case PluginState::MetadataInvalid: return "MetadataInvalid";
        case PluginState::AbiMismatch: return "AbiMismatch";
        case PluginState::DependencyMissing: return "DependencyMissing";
        case PluginState::LoadFailed: return "LoadFailed";
        case PluginState::ProbeFailed: return "ProbeFailed";
        case PluginState::NoDevice: return "NoDevice";
        case PluginState::Disabled: return "Disabled";
        case PluginState::Ready: return "Ready";
    }
    return "NotBuilt";
}

std::unique_ptr<Catalog> Catalog::scan(const CatalogOptions& options) {
    return std::make_unique<CatalogImpl>(options);
}

}  // namespace hs
