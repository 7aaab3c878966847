// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>

#include "ui/shell/runner_process.h"

namespace hs::ui {

class ActionSet;
class Banner;
class Document;
class LogPanel;
class RunBar;

/// Starts and stops runs of the open model, and says how they ended. All runs of an opened model go to one session file
/// in the person's data folder.
class RunController : public QObject {
    Q_OBJECT
public:
    RunController(Document* document, const ActionSet& actions, RunBar* bar, Banner* banner, LogPanel* log, QObject* parent = nullptr);
    bool running() const { return m_runner.running(); }
    RunnerProcess& runner() { return m_runner; }

public slots:
    void start();
    void stop();

signals:
    void runningChanged();
    void finished(const hs::ui::RunOutcome& outcome);

private:
    void updateActions();
    void updateProgress();
    void updateLatency();
    void onFinished(const RunOutcome& outcome);
    void say(const RunOutcome& outcome);
    static QString words(const RunOutcome& outcome);
    QString sessionPath();

    Document* m_document;
    const ActionSet& m_actions;
    RunBar* m_bar;
    Banner* m_banner;
    LogPanel* m_log;
    RunnerProcess m_runner;
    QString m_sessionModel;  ///< Model that m_session belongs to.
    QString m_session;
    bool m_stopping = false;
    qint64 m_runBefore = -1;  ///< Newest run of the session before this one.
};

}  // namespace hs::ui
