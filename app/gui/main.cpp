// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QCommandLineParser>
#include <QSettings>
#include <QTemporaryDir>
#include <cstdio>

#include "core/base/log.h"
#include "ui/models/theme.h"
#include "ui/shell/batch.h"
#include "ui/shell/language.h"
#include "ui/shell/main_window.h"

namespace {

struct Options {
    QString path, language, theme, shotsFolder, outFolder;
    bool shots = false, autoRun = false, hasOut = false;
};

Options parseOptions(const QApplication& app) {
    QCommandLineParser parser;
    parser.setApplicationDescription(
        QStringLiteral("Heteroscope: profile, place and tune neural networks on mixed hardware.\nExample: heteroscope model.onnx"));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument(QStringLiteral("file"), QStringLiteral("An ONNX model (.onnx) or a recorded session (.hscope)."), QStringLiteral("[file]"));
    const QCommandLineOption language(QStringLiteral("lang"), QStringLiteral("Language: en or zh_CN."), QStringLiteral("code"));
    const QCommandLineOption theme(QStringLiteral("theme"), QStringLiteral("Theme: light, dark or system."), QStringLiteral("name"));
    const QCommandLineOption shots(QStringLiteral("shots"), QStringLiteral("Write pictures of every view in both languages and themes, and quit."));
    const QCommandLineOption shotsFolder(QStringLiteral("screenshot-dir"), QStringLiteral("Folder of the pictures."), QStringLiteral("folder"),
                                         QStringLiteral("out/shots"));
    const QCommandLineOption autoRun(QStringLiteral("auto-run"),
                                     QStringLiteral("Run the model at once. With --out: write session, picture and table there, and quit."));
    const QCommandLineOption out(QStringLiteral("out"), QStringLiteral("Folder for what --auto-run writes."), QStringLiteral("folder"));
    parser.addOptions({language, theme, shots, shotsFolder, autoRun, out});
    parser.process(app);
    const auto refuse = [](const QString& text) {
        std::fprintf(stderr, "%s\n", qPrintable(text));
        std::exit(2);
    };
    Options options{parser.positionalArguments().value(0),
                    parser.value(language),
                    parser.value(theme),
                    parser.value(shotsFolder),
                    parser.value(out),
                    parser.isSet(shots),
                    parser.isSet(autoRun),
                    parser.isSet(out)};
    if (parser.positionalArguments().size() > 1) refuse(QStringLiteral("one file at a time: heteroscope [file]"));
    if (parser.isSet(language) && options.language != QLatin1String("en") && options.language != QLatin1String("zh_CN"))
        refuse(QStringLiteral("--lang: use en or zh_CN"));
    if (parser.isSet(theme) && !QStringList{QStringLiteral("light"), QStringLiteral("dark"), QStringLiteral("system")}.contains(options.theme))
        refuse(QStringLiteral("--theme: use light, dark or system"));
    if (options.autoRun && options.path.isEmpty()) refuse(QStringLiteral("--auto-run needs a model: heteroscope --auto-run model.onnx"));
    return options;
}

hs::ui::Theme::Mode themeMode(const Options& options) {
    using Mode = hs::ui::Theme::Mode;
    if (options.theme == QLatin1String("light")) return Mode::Light;
    if (options.theme == QLatin1String("dark")) return Mode::Dark;
    if (options.theme == QLatin1String("system")) return Mode::System;
    const int saved = QSettings().value(QStringLiteral("theme"), static_cast<int>(Mode::System)).toInt();
    return saved == static_cast<int>(Mode::Light) || saved == static_cast<int>(Mode::Dark) ? static_cast<Mode>(saved) : Mode::System;
}

}  // namespace

int main(int argc, char** argv) {
    QApplication app(argc, argv);
    QApplication::setOrganizationName(QStringLiteral("Heteroscope"));
    QApplication::setApplicationName(QStringLiteral("heteroscope"));
    QApplication::setApplicationVersion(QStringLiteral(HS_VERSION));
    hs::setUpLogging(false);
    const Options options = parseOptions(app);
    const bool batch = options.shots || (options.autoRun && options.hasOut);
    QTemporaryDir batchSettings;  // A batch shows the window as it comes, and leaves a person's settings alone.
    if (batch) {
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, batchSettings.path());
    }
    QApplication::setStyle(QStringLiteral("Fusion"));
    hs::ui::Language language;
    language.set(options.language.isEmpty() ? QSettings().value(QStringLiteral("language")).toString() : options.language);
    hs::ui::Theme theme;
    theme.setMode(themeMode(options));

    hs::ui::MainWindow window(&theme, &language);
    if (options.shots) return hs::ui::takeShots(window, theme, language, options.path, options.shotsFolder);
    if (options.autoRun && options.hasOut) return hs::ui::autoRun(window, options.path, options.outFolder);
    window.show();
    if (options.autoRun) window.runWhenOpen();
    if (!options.path.isEmpty()) window.openPath(options.path);
    return QApplication::exec();
}
