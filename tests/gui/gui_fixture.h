// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QDir>
#include <QSettings>
#include <QStandardPaths>
#include <QStringList>
#include <QTemporaryDir>
#include <QtTest>
#include <memory>

#include "core/import/importer.h"
#include "core/zoo/zoo.h"
#include "ui/models/runner_tool.h"

namespace hs::ui {

/// Collects Qt's warnings; a test that leaves one fails.
class WarningTrap {
public:
    /// Make it after QtTest has put its own handler in place: in initTestCase().
    WarningTrap() { s_before = qInstallMessageHandler(handler); }
    ~WarningTrap() { qInstallMessageHandler(s_before); }
    static QStringList take() { return std::exchange(s_warnings, {}); }

private:
    static void handler(QtMsgType type, const QMessageLogContext& context, const QString& text) {
        // The offscreen platform has no window manager to ask; that is not the window's doing.
        const bool platform = text.startsWith(QLatin1String("This plugin does not support"));
        if ((type == QtWarningMsg || type == QtCriticalMsg) && !platform) s_warnings.append(text);
        if (s_before != nullptr) s_before(type, context, text);
    }
    static inline QStringList s_warnings;
    static inline QtMessageHandler s_before = nullptr;
};

/// Settings and data of the test stay out of the person's own folders.
inline void isolate(const QTemporaryDir& folder) {
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName(QStringLiteral("HeteroscopeTest"));
    QCoreApplication::setApplicationName(QStringLiteral("heteroscope-test"));
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder.path());
}

/// A small zoo model as a file.
inline QString writeZooModel(const QTemporaryDir& folder, const char* name) {
    const QString path = folder.filePath(QString::fromLatin1(name) + QStringLiteral(".onnx"));
    const auto model = hs::buildZooModel(name);
    if (!model || !hs::exportModel(**model, path.toStdString())) return {};
    return path;
}

/// The hscope that the window would start, empty where it isn't built.
inline QString builtRunner() {
    return findRunner();
}

}  // namespace hs::ui
