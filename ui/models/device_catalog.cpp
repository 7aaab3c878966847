// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/device_catalog.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QSet>

#include "ui/models/runner_tool.h"

namespace hs::ui {
namespace {

QStringList strings(const QJsonValue& value) {
    QStringList out;
    for (const QJsonValue& entry : value.toArray())
        out.append(entry.toString());
    return out;
}

/// Properties come as an object, or as a list of {name, value} that keeps its order.
QVector<QPair<QString, QString>> pairs(const QJsonValue& value) {
    QVector<QPair<QString, QString>> out;
    for (const QJsonValue& entry : value.toArray()) {
        const QJsonArray pair = entry.toArray();
        if (pair.size() == 2)
            out.append({pair[0].toString(), pair[1].toVariant().toString()});
        else
            out.append({entry[QLatin1String("name")].toString(), entry[QLatin1String("value")].toVariant().toString()});
    }
    const QJsonObject object = value.toObject();
    for (auto it = object.begin(); it != object.end(); ++it)
        out.append({it.key(), it.value().toVariant().toString()});
    return out;
}

DeviceCatalog::Device deviceOf(const QJsonObject& o) {
    const auto text = [&o](const char* key) { return o.value(QLatin1String(key)).toString(); };
    const auto number = [&o](const char* key) { return o.value(QLatin1String(key)).toDouble(); };
    return {text("id"),
            text("name"),
            text("plugin"),
            text("kind"),
            o.value(QLatin1String("simulated")).toBool(),
            number("memory_bytes"),
            number("peak_gflops_f32"),
            number("bandwidth_gbps"),
            strings(o.value(QLatin1String("capabilities"))),
            strings(o.value(QLatin1String("executors"))),
            pairs(o.value(QLatin1String("properties")))};
}

DeviceCatalog::Plugin pluginOf(const QJsonObject& o) {
    DeviceCatalog::Plugin out;
    const auto text = [&o](const char* key) { return o.value(QLatin1String(key)).toString(); };
    out.id = text(o.contains(QLatin1String("plugin")) ? "plugin" : "id");
    out.state = text("state");
    out.kind = text("kind");
    out.version = text("version");
    out.file = text("file");
    const QJsonValue reason = o.value(QLatin1String("reason"));
    out.reasonText = reason.isObject() ? reason[QLatin1String("text")].toString() : reason.toString();
    out.reason.code = (reason.isObject() ? reason[QLatin1String("code")].toString() : text("reason_code")).toStdString();
    for (const QString& arg : strings(reason.isObject() ? reason[QLatin1String("args")] : o.value(QLatin1String("reason_args"))))
        out.reason.args.push_back(arg.toStdString());
    return out;
}

}  // namespace

void DeviceCatalog::refresh() {
    if (m_refreshing) return;
    m_refreshing = true;
    emit changed();
    auto* call = new RunnerCall(this);
    connect(call, &RunnerCall::done, this, &DeviceCatalog::take);
    connect(call, &RunnerCall::failed, this, [this](const QString& message) {
        m_refreshing = false;
        m_problem = message;
        emit changed();
    });
    call->start({QStringLiteral("devices")});
}

void DeviceCatalog::take(const QJsonObject& answer) {
    m_refreshing = false;
    m_problem.clear();
    m_devices.clear();
    m_plugins.clear();
    QSet<QString> seen;
    for (const QJsonValue& value : answer.value(QLatin1String("devices")).toArray())
        m_devices.append(deviceOf(value.toObject()));
    for (const char* key : {"plugins", "unavailable"})
        for (const QJsonValue& value : answer.value(QLatin1String(key)).toArray()) {
            Plugin plugin = pluginOf(value.toObject());
            if (seen.contains(plugin.id)) continue;
            seen.insert(plugin.id);
            m_plugins.append(plugin);
        }
    for (const Device& device : m_devices)
        if (!seen.contains(device.plugin)) {
            seen.insert(device.plugin);
            m_plugins.append({device.plugin, QStringLiteral("Ready"), {}, {}, {}, {}, {}});
        }
    emit changed();
}

}  // namespace hs::ui
