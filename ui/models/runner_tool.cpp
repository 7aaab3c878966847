// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/runner_tool.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>
#include <QProcess>
#include <QStandardPaths>

namespace hs::ui {

QString findRunner() {
    const QString name = QStringLiteral("hscope");
    const QString beside = QStandardPaths::findExecutable(name, {QCoreApplication::applicationDirPath()});
    if (!beside.isEmpty()) return beside;
    const QString named = qEnvironmentVariable("HSCOPE");
    if (!named.isEmpty() && QFileInfo(named).isExecutable()) return named;
    return QStandardPaths::findExecutable(name);
}

QString dataFolder(const QString& name) {
    const QString path = QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation) + u'/' + name;
    QDir().mkpath(path);
    return path;
}

RunnerCall::~RunnerCall() {
    if (m_process == nullptr || m_process->state() == QProcess::NotRunning) return;
    m_process->disconnect(this);
    m_process->kill();
    m_process->waitForFinished(2000);
}

void RunnerCall::start(const QStringList& arguments) {
    const QString program = findRunner();
    if (program.isEmpty()) {
        QMetaObject::invokeMethod(
            this,
            [this] {
                emit failed(
                    tr("The runner \"hscope\" was not found next to this program. Build or install it, or name it in the HSCOPE environment variable."));
                deleteLater();
            },
            Qt::QueuedConnection);
        return;
    }
    auto* process = new QProcess(this);
    m_process = process;
    connect(process, &QProcess::finished, this, [this, process](int code, QProcess::ExitStatus status) {
        const QJsonObject answer = QJsonDocument::fromJson(process->readAllStandardOutput()).object();
        const QString error = answer.value(QLatin1String("error")).toObject().value(QLatin1String("message")).toString();
        const QString words = QString::fromUtf8(process->readAllStandardError()).trimmed();
        if (status == QProcess::NormalExit && code == 0)
            emit done(answer);
        else
            emit failed(!error.isEmpty() ? error : !words.isEmpty() ? words : tr("hscope ended with status %1.").arg(code));
        deleteLater();
    });
    connect(process, &QProcess::errorOccurred, this, [this, process](QProcess::ProcessError error) {
        if (error != QProcess::FailedToStart) return;
        emit failed(process->errorString());
        deleteLater();
    });
    process->start(program, arguments + QStringList{QStringLiteral("--json")});
}

}  // namespace hs::ui
