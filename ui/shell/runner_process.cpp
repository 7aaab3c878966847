// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/runner_process.h"

#include <QJsonDocument>

#include "ui/models/runner_tool.h"

#if defined(Q_OS_UNIX)
#include <csignal>
#endif

namespace hs::ui {
namespace {

constexpr int kPatienceMs = 5000;
constexpr qsizetype kLongestLine = 4096;

}  // namespace

QStringList RunRequest::arguments() const {
    QStringList out{QStringLiteral("run"), model, QStringLiteral("--session"), session, QStringLiteral("--json")};
    const auto number = [&out](const char* flag, int value) { out << QString::fromLatin1(flag) << QString::number(value); };
    number("--runs", runs);
    number("--warmup", warmup);
    if (batch > 0) number("--batch", batch);
    if (threads > 0) number("--threads", threads);
    if (!devices.isEmpty()) out << QStringLiteral("--device") << devices.join(u',');
    return out;
}

RunnerProcess::RunnerProcess(QObject* parent) : QObject(parent) {
    m_patience.setSingleShot(true);
    m_patience.setInterval(kPatienceMs);
    connect(&m_patience, &QTimer::timeout, &m_process, &QProcess::kill);
    connect(&m_process, &QProcess::started, this, &RunnerProcess::started);
    connect(&m_process, &QProcess::readyReadStandardError, this, &RunnerProcess::readErrors);
    connect(&m_process, &QProcess::finished, this, &RunnerProcess::onFinished);
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) emit finished({RunOutcome::Kind::NotStarted, 0, 0, m_process.errorString(), {}});
    });
}

RunnerProcess::~RunnerProcess() {
    if (!running()) return;
    m_process.disconnect(this);
    m_process.terminate();
    if (!m_process.waitForFinished(2000)) {
        m_process.kill();
        m_process.waitForFinished(2000);
    }
}

void RunnerProcess::start(const RunRequest& request) {
    m_request = request;
    m_stopping = false;
    m_partial.clear();
    m_lastLine.clear();
    const QString program = findRunner();
    if (program.isEmpty()) {
        emit finished({RunOutcome::Kind::NotStarted, 0, 0, tr("the runner \"hscope\" was not found next to this program"), {}});
        return;
    }
    m_process.start(program, request.arguments());
}

void RunnerProcess::stop() {
    if (!running()) return;
    if (m_stopping) {
        m_process.kill();
        return;
    }
    m_stopping = true;
    m_patience.start();
#if defined(Q_OS_UNIX)
    ::kill(static_cast<pid_t>(m_process.processId()), SIGINT);
#else
    m_process.terminate();
#endif
}

void RunnerProcess::readErrors() {
    m_partial += m_process.readAllStandardError();
    for (qsizetype end = m_partial.indexOf('\n'); end >= 0; end = m_partial.indexOf('\n')) {
        const QString text = QString::fromUtf8(m_partial.left(std::min(end, kLongestLine))).trimmed();
        m_partial.remove(0, end + 1);
        if (text.isEmpty()) continue;
        m_lastLine = text;
        emit line(text);
    }
    if (m_partial.size() > kLongestLine) m_partial.truncate(kLongestLine);
}

void RunnerProcess::onFinished(int code, QProcess::ExitStatus status) {
    m_patience.stop();
    readErrors();
    RunOutcome out;
    out.exitStatus = code;
    out.result = QJsonDocument::fromJson(m_process.readAllStandardOutput()).object();
    out.message = out.result.value(QLatin1String("error")).toObject().value(QLatin1String("message")).toString();
    const QString where = out.result.value(QLatin1String("error")).toObject().value(QLatin1String("where")).toString();
    if (!out.message.isEmpty() && !where.isEmpty()) out.message = where + QStringLiteral(": ") + out.message;
    if (out.message.isEmpty()) out.message = m_lastLine;
    if (status == QProcess::CrashExit) {
        out.kind = m_stopping ? RunOutcome::Kind::Cancelled : RunOutcome::Kind::Crashed;
        out.signal = code;  // On Unix Qt passes the signal's number on here.
    } else if (code == 130 || (code == 0 && out.result.value(QLatin1String("status")).toString() == QLatin1String("cancelled"))) {
        out.kind = RunOutcome::Kind::Cancelled;
    } else if (code != 0) {
        out.kind = RunOutcome::Kind::Failed;
    }
    emit finished(out);
}

}  // namespace hs::ui
