// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QJsonObject>
#include <QString>
#include <memory>
#include <string>
#include <vector>

#include "core/base/reason.h"
#include "core/host/catalog.h"

namespace hs {

/// A library that must be loadable before the plugin is.
struct PluginNeed {
    std::string library;  ///< As the loader would ask for it: "libdnnl.so.2"
    std::string purpose;
    std::string remedy;
};

/// What a plugin says of itself in its embedded metadata, read without loading its code.
struct PluginMetadata {
    std::string id;
    std::string kind;
    std::string version;
    int abi = 0;
    std::vector<PluginNeed> needs;
    std::string problem;  ///< What is wrong with it; empty when it is valid.
};

/// Reads the metadata of a plugin file. When it is not valid, `id` is the file's name as far as it does not give one.
PluginMetadata readMetadata(const QString& file);

/// The first needed library that cannot be loaded, as a Reason; empty when all are there. What it opens stays open: the
/// plugin is about to use it, and drivers do not like to be closed.
Reason missingDependency(const PluginMetadata& metadata);

/// A row of the build's list of plugins.
struct ManifestRow {
    std::string id;
    std::string kind;
    std::string version;
    std::string file;  ///< File name in the manifest's folder; empty when not built.
    bool built = false;
    std::string why;  ///< Why it was not built.
};

/// Reads "manifest.json" of a plugin folder. Empty when there is none or it cannot be read (`problem` says so).
std::vector<ManifestRow> readManifest(const QString& folder, QString& problem);

/// Folders to look in when the caller names none: HS_PLUGIN_DIR, next to the program, the install location.
QStringList defaultPluginDirs();

/// The user's cache folder for measured rates.
QString defaultCacheDir();

}  // namespace hs
