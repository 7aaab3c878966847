// SPDX-License-Identifier: Apache-2.0
#include "core/host/plugin_file.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QPluginLoader>
#include <QStandardPaths>
#include <dlfcn.h>

#include "core/host/plugin_interface.h"

namespace hs {
namespace {

constexpr qint64 kMaxManifestBytes = 1 << 20;

std::string text(const QJsonObject& object, const char* key) {
    return object.value(QLatin1String(key)).toString().toStdString();
}

/// libhs_plugin_cpu.so → hs_plugin_cpu
std::string idFromFile(const QString& file) {
    QString base = QFileInfo(file).completeBaseName();
    if (base.startsWith(QLatin1String("lib"))) base.remove(0, 3);
    return base.toStdString();
}

std::string checkNeeds(const QJsonValue& value, PluginMetadata& out) {
    if (value.isUndefined()) return {};
    if (!value.isArray()) return "\"needs\" is not a list";
    for (const QJsonValue& item : value.toArray()) {
        const QJsonObject need = item.toObject();
        PluginNeed parsed{text(need, "library"), text(need, "for"), text(need, "remedy")};
        if (parsed.library.empty()) return "an entry of \"needs\" names no library";
        out.needs.push_back(std::move(parsed));
    }
    return {};
}

std::string fillFrom(const QJsonObject& root, PluginMetadata& out) {
    if (root.isEmpty()) return "the file is not a plugin of this program (no embedded metadata)";
    const std::string iid = text(root, "IID");
    if (iid != HS_PLUGIN_IID) return "interface \"" + iid + "\" is not " HS_PLUGIN_IID;
    const QJsonObject own = root.value(QLatin1String("MetaData")).toObject();
    if (const std::string id = text(own, "id"); !id.empty()) out.id = id;
    out.kind = text(own, "kind");
    out.version = text(own, "version");
    const QJsonValue abi = own.value(QLatin1String("abi"));
    out.abi = abi.toInt();
    if (text(own, "id").empty()) return "\"id\" is missing";
    if (out.kind != "device" && out.kind != "executor") return "\"kind\" is \"" + out.kind + "\", not \"device\" or \"executor\"";
    if (!abi.isDouble()) return "\"abi\" is missing or not a number";
    return checkNeeds(own.value(QLatin1String("needs")), out);
}

/// The program's own folder, with or without a QCoreApplication.
QString programDir() {
    return QFileInfo(QFile::symLinkTarget(QStringLiteral("/proc/self/exe"))).absolutePath();
}

}  // namespace

PluginMetadata readMetadata(const QString& file) {
    PluginMetadata out;
    out.id = idFromFile(file);
    out.problem = fillFrom(QPluginLoader(file).metaData(), out);
    return out;
}

Reason missingDependency(const PluginMetadata& metadata) {
    for (const PluginNeed& need : metadata.needs)
        if (dlopen(need.library.c_str(), RTLD_LAZY | RTLD_LOCAL) == nullptr) return {"catalog.dependency_missing", {need.library, need.purpose, need.remedy}};
    return {};
}

std::vector<ManifestRow> readManifest(const QString& folder, QString& problem) {
    QFile file(QDir(folder).filePath(QStringLiteral("manifest.json")));
    if (!file.exists()) return {};
    if (!file.open(QIODevice::ReadOnly)) {
        problem = file.errorString();
        return {};
    }
    QJsonParseError error{};
    const QJsonDocument document = QJsonDocument::fromJson(file.read(kMaxManifestBytes), &error);
    if (document.isNull()) problem = error.errorString();
    std::vector<ManifestRow> rows;
    for (const QJsonValue& value : document.object().value(QLatin1String("plugins")).toArray()) {
        const QJsonObject item = value.toObject();
        ManifestRow row{text(item, "id"), text(item, "kind"), text(item, "version"), text(item, "file"), item.value(QLatin1String("built")).toBool(),
                        text(item, "why")};
        if (!row.id.empty()) rows.push_back(std::move(row));
    }
    return rows;
}

QStringList defaultPluginDirs() {
    QStringList dirs = QString::fromLocal8Bit(qgetenv("HS_PLUGIN_DIR")).split(QDir::listSeparator(), Qt::SkipEmptyParts);
    const QDir program(programDir());
    dirs << program.absoluteFilePath(QStringLiteral("plugins")) << QDir::cleanPath(program.absoluteFilePath(QStringLiteral("../lib/heteroscope/plugins")));
    return dirs;
}

QString defaultCacheDir() {
    const QString base = QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation);
    return base.isEmpty() ? base : QDir(base).filePath(QStringLiteral("heteroscope"));
}

}  // namespace hs
