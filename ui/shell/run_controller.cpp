// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/run_controller.h"

#include <QDateTime>
#include <QFileInfo>
#include <QJsonDocument>
#include <algorithm>
#include <cmath>
#include <limits>

#include "ui/models/document.h"
#include "ui/models/run_list_model.h"
#include "ui/models/runner_tool.h"
#include "ui/models/theme.h"
#include "ui/shell/action_set.h"
#include "ui/shell/banner.h"
#include "ui/shell/log_panel.h"
#include "ui/shell/run_bar.h"

namespace hs::ui {

RunController::RunController(Document* document, const ActionSet& actions, RunBar* bar, Banner* banner, LogPanel* log, QObject* parent)
    : QObject(parent), m_document(document), m_actions(actions), m_bar(bar), m_banner(banner), m_log(log) {
    connect(actions[ActionId::Run], &QAction::triggered, this, &RunController::start);
    connect(actions[ActionId::Stop], &QAction::triggered, this, &RunController::stop);
    connect(document, &Document::modelChanged, this, &RunController::updateActions);
    connect(document, &Document::runChanged, this, &RunController::updateLatency);
    connect(document, &Document::statsChanged, this, [this] {
        updateProgress();
        updateLatency();
    });
    connect(&m_runner, &RunnerProcess::started, this, [this] {
        m_log->add(LogPanel::Severity::Info, tr("Run started: process %1").arg(m_runner.processId()));
        updateActions();
    });
    connect(&m_runner, &RunnerProcess::line, this, [this](const QString& text) { m_log->add(LogPanel::Severity::Info, QStringLiteral("hscope: ") + text); });
    connect(&m_runner, &RunnerProcess::finished, this, &RunController::onFinished);
    updateActions();
    updateLatency();
}

QString RunController::sessionPath() {
    if (m_sessionModel != m_document->modelPath() || m_session.isEmpty()) {
        m_sessionModel = m_document->modelPath();
        m_session = QStringLiteral("%1/%2-%3.hscope")
                        .arg(dataFolder(QStringLiteral("sessions")), QFileInfo(m_sessionModel).completeBaseName(),
                             QDateTime::currentDateTime().toString(QStringLiteral("yyyyMMdd-HHmmss-zzz")));
    }
    return m_session;
}

void RunController::start() {
    if (m_runner.running() || !m_document->model()) return;
    m_banner->hide();
    RunRequest request = m_bar->request();
    request.model = m_document->modelPath();
    request.session = sessionPath();
    m_runBefore = -1;
    m_stopping = false;
    if (m_document->sessionPath() == request.session)
        for (const RunInfo& run : m_document->runs())
            m_runBefore = std::max<qint64>(m_runBefore, run.id);
    m_bar->setProgress(RunBar::Phase::Starting);
    m_document->attachSession(request.session);
    m_runner.start(request);
    updateActions();
    emit runningChanged();
}

void RunController::stop() {
    if (!m_runner.running()) return;
    m_stopping = true;
    m_bar->setProgress(RunBar::Phase::Stopping);
    m_runner.stop();
}

void RunController::updateActions() {
    const bool running = m_runner.running();
    m_actions[ActionId::Run]->setEnabled(!running && m_document->model() != nullptr);
    m_actions[ActionId::Stop]->setEnabled(running);
}

void RunController::updateProgress() {
    if (!m_runner.running() || m_stopping || m_document->currentRun() <= m_runBefore) return;
    qint64 calls = 0;
    for (const OpStat& op : m_document->stats()->ops)
        calls = std::max<qint64>(calls, op.calls);
    const int runs = std::max(1, m_runner.request().runs);
    if (calls == 0)
        m_bar->setProgress(RunBar::Phase::Preparing);
    else
        m_bar->setProgress(RunBar::Phase::Running, calls, runs);
}

void RunController::updateLatency() {
    const QByteArray plan = QByteArray::fromStdString(m_document->stats()->info.planJson);
    const double predicted = QJsonDocument::fromJson(plan).object().value(QLatin1String("predicted_latency_ms")).toDouble() * 1e6;
    m_bar->setLatency(predicted, m_document->hasRun() ? medianNs(m_document->stats()->info) : std::numeric_limits<double>::quiet_NaN());
}

void RunController::onFinished(const RunOutcome& outcome) {
    m_bar->clearProgress();
    updateActions();
    if (m_document->sessionPath() == m_session) {  // Else something else was opened meanwhile: it is no news for that.
        m_document->refresh(true);
        say(outcome);
    }
    emit runningChanged();
    emit finished(outcome);
}

QString RunController::words(const RunOutcome& outcome) {
    using Kind = RunOutcome::Kind;
    switch (outcome.kind) {
        case Kind::Finished: break;
        case Kind::Cancelled: return tr("The run was stopped. What it recorded until then is shown.");
        case Kind::Failed:
            return outcome.message.isEmpty() ? tr("The run failed with status %1. The log may say more.").arg(outcome.exitStatus)
                                             : tr("The run failed: %1").arg(outcome.message);
        case Kind::Crashed:
            return tr("The runner was ended by signal %1 before the run was done. What was recorded until then is shown; nothing else is lost. Run again, with "
                      "fewer threads or a smaller batch if memory ran out.")
                .arg(outcome.signal);
        case Kind::NotStarted: return tr("The run could not start: %1.").arg(outcome.message);
    }
    return {};
}

void RunController::say(const RunOutcome& outcome) {
    if (outcome.kind == RunOutcome::Kind::Finished) {
        const QJsonObject latency = outcome.result.value(QLatin1String("latency")).toObject();
        m_log->add(LogPanel::Severity::Info,
                   tr("Run finished: median %1. Session: %2").arg(formatDuration(latency.value(QLatin1String("median_ms")).toDouble() * 1e6), m_session));
        return;
    }
    const bool wished = outcome.kind == RunOutcome::Kind::Cancelled;
    m_banner->showMessage(
        wished ? Banner::Level::Info : Banner::Level::Error, [outcome] { return words(outcome); }, [wished] { return wished ? QString() : tr("Run again"); });
    m_log->add(wished ? LogPanel::Severity::Info : LogPanel::Severity::Error, words(outcome));
}

}  // namespace hs::ui
