// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/batch.h"

#include <QCoreApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QTimer>
#include <algorithm>
#include <cstdio>

#include "ui/devices/devices_panel.h"
#include "ui/graph/graph_view.h"
#include "ui/memory/memory_panel.h"
#include "ui/shell/banner.h"
#include "ui/shell/central_tabs.h"
#include "ui/shell/file_commands.h"
#include "ui/shell/language.h"
#include "ui/shell/log_panel.h"
#include "ui/shell/main_window.h"
#include "ui/shell/operator_table.h"
#include "ui/shell/query_panel.h"
#include "ui/shell/run_controller.h"
#include "ui/shell/start_page.h"
#include "ui/timeline/timeline_view.h"

namespace hs::ui {
namespace {

constexpr int kLoadMs = 60'000;
constexpr int kRunMs = 600'000;

void say(const QString& text) {
    std::fprintf(stderr, "%s\n", qPrintable(text));
}

void settle(int ms) {
    waitFor([] { return false; }, ms);
}

bool openAndWait(MainWindow& window, const QString& path) {
    window.openPath(path);
    const bool loaded = waitFor([&] { return !window.document()->loading(); }, kLoadMs) && (window.document()->model() || window.document()->hasRun());
    if (!loaded) say(window.banner()->text());
    return loaded;
}

/// Runs and waits for the end and for the document to have read it.
RunOutcome runAndWait(MainWindow& window) {
    RunOutcome outcome{RunOutcome::Kind::NotStarted, 4, 0, {}, {}};
    bool ended = false;
    const auto connection = QObject::connect(window.runs(), &RunController::finished, [&](const RunOutcome& end) {
        outcome = end;
        ended = true;
    });
    window.actions()[ActionId::Run]->trigger();
    if (!waitFor([&] { return ended; }, kRunMs)) window.runs()->stop();
    QObject::disconnect(connection);
    waitFor([&] { return window.document()->hasRun() && !window.document()->running(); }, 5000);
    settle(300);
    return outcome;
}

void selectSlowest(MainWindow& window) {
    const auto stats = window.document()->stats();
    const auto slowest = std::max_element(stats->ops.begin(), stats->ops.end(), [](const OpStat& a, const OpStat& b) { return a.totalNs < b.totalNs; });
    if (slowest != stats->ops.end() && slowest->calls > 0) window.selection()->select(NodeId(static_cast<std::size_t>(slowest - stats->ops.begin())));
}

}  // namespace

bool waitFor(const std::function<bool()>& done, int timeoutMs) {
    QElapsedTimer timer;
    timer.start();
    while (!done()) {
        if (timer.elapsed() >= timeoutMs) return false;
        QEventLoop loop;
        QTimer::singleShot(20, &loop, &QEventLoop::quit);
        loop.exec();
    }
    return true;
}

int takeShots(MainWindow& window, Theme& theme, Language& language, const QString& path, const QString& folder) {
    if (!QDir().mkpath(folder)) {
        say(QStringLiteral("%1: cannot be made").arg(folder));
        return 3;
    }
    window.resize(1440, 900);
    window.show();
    waitFor([&] { return !window.catalog()->refreshing(); }, 20'000);
    int failures = 0;
    const auto eachLook = [&](const QString& name) {
        for (const QString& lang : {QStringLiteral("en"), QStringLiteral("zh_CN")})
            for (const Theme::Mode mode : {Theme::Mode::Light, Theme::Mode::Dark}) {
                language.set(lang);
                theme.setMode(mode);
                settle(250);
                const QString file =
                    QStringLiteral("%1/%2-%3-%4.png").arg(folder, name, lang, mode == Theme::Mode::Dark ? QStringLiteral("dark") : QStringLiteral("light"));
                if (!window.grab().save(file)) ++failures;
            }
    };
    eachLook(QStringLiteral("start"));
    if (path.isEmpty()) return failures == 0 ? 0 : 3;
    if (!openAndWait(window, path)) return 3;
    CentralTabs* tabs = window.tabs();
    if (!window.document()->hasRun()) {
        const RunOutcome outcome = runAndWait(window);
        if (outcome.kind != RunOutcome::Kind::Finished) say(outcome.message);
    }
    waitFor([&] { return !window.document()->model() || tabs->graph()->laidOut(); }, kLoadMs);
    selectSlowest(window);
    window.raiseDock(window.memory());
    const std::pair<QWidget*, const char*> views[] = {
        {tabs->graph(), "graph"}, {tabs->timeline(), "timeline"}, {tabs->table(), "operators"}, {tabs->query(), "query"}};
    for (const auto& [view, name] : views) {
        tabs->setCurrentWidget(view);
        if (view == tabs->query()) tabs->query()->runQuery();
        settle(300);
        tabs->fitCurrent();
        eachLook(QString::fromLatin1(name));
    }
    window.raiseDock(window.memory());
    window.memory()->setAxis(MemoryPanel::Axis::Steps);
    tabs->setCurrentWidget(tabs->table());
    eachLook(QStringLiteral("memory"));
    tabs->setCurrentIndex(0);
    window.raiseDock(window.devices());
    eachLook(QStringLiteral("devices"));
    window.raiseDock(window.log());
    eachLook(QStringLiteral("log"));
    return failures == 0 ? 0 : 3;
}

int autoRun(MainWindow& window, const QString& path, const QString& folder) {
    if (!QDir().mkpath(folder)) {
        say(QStringLiteral("%1: cannot be made").arg(folder));
        return 3;
    }
    window.resize(1440, 900);
    window.show();
    if (!openAndWait(window, path)) return 3;
    const RunOutcome outcome = runAndWait(window);
    waitFor([&] { return window.tabs()->graph()->laidOut(); }, kLoadMs);
    selectSlowest(window);
    settle(300);
    const QString session = folder + QStringLiteral("/session.hscope");
    Status status = FileCommands::copySession(window.document()->sessionPath(), session);
    if (status) status = FileCommands::writeFile(folder + QStringLiteral("/operators.csv"), window.tabs()->table()->toCsv().toUtf8());
    if (!status || !window.grab().save(folder + QStringLiteral("/window.png"))) {
        say(status ? QStringLiteral("%1: the picture could not be written").arg(folder) : QString::fromStdString(status.error().text()));
        return 3;
    }
    if (outcome.kind != RunOutcome::Kind::Finished) {
        say(outcome.message.isEmpty() ? window.banner()->text() : outcome.message);
        return outcome.exitStatus != 0 ? outcome.exitStatus : 4;
    }
    say(QStringLiteral("%1 %2 %3").arg(session, folder + QStringLiteral("/window.png"), folder + QStringLiteral("/operators.csv")));
    return 0;
}

}  // namespace hs::ui
