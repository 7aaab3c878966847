// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonObject>
#include <QObject>
#include <QProcess>
#include <QStringList>
#include <QTimer>

namespace hs::ui {

/// What to run, as a person chose it. Zero: leave it to the runner.
struct RunRequest {
    QString model, session, label;
    QStringList devices;
    int runs = 10, warmup = 2, batch = 0, threads = 0;
    QStringList arguments() const;
};

/// How a run ended.
struct RunOutcome {
    enum class Kind { Finished, Cancelled, Failed, Crashed, NotStarted };
    Kind kind = Kind::Finished;
    int exitStatus = 0;
    int signal = 0;  ///< The signal that killed it; 0: none, or not told by the system.
    QString message;
    QJsonObject result;
};

/// One `hscope run` as a child process. The session file is the only channel for data; this watches the child's life.
class RunnerProcess : public QObject {
    Q_OBJECT
public:
    explicit RunnerProcess(QObject* parent = nullptr);
    ~RunnerProcess() override;

    void start(const RunRequest& request);
    /// Asks it to end cleanly (SIGINT); asked again, or after some seconds, kills it.
    void stop();
    bool running() const { return m_process.state() != QProcess::NotRunning; }
    qint64 processId() const { return m_process.processId(); }
    const RunRequest& request() const { return m_request; }

signals:
    void started();
    void line(const QString& text);  ///< A line of the child's standard error.
    void finished(const hs::ui::RunOutcome& outcome);

private:
    void readErrors();
    void onFinished(int code, QProcess::ExitStatus status);

    QProcess m_process;
    QTimer m_patience;
    RunRequest m_request;
    QByteArray m_partial;
    QString m_lastLine;
    bool m_stopping = false;
};

}  // namespace hs::ui

Q_DECLARE_METATYPE(hs::ui::RunOutcome)
