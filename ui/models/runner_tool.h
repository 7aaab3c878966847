// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonObject>
#include <QObject>
#include <QString>
#include <QStringList>

class QProcess;

namespace hs::ui {

/// Path of the hscope program: next to this one, then $HSCOPE, then PATH. Empty when there is none.
QString findRunner();

/// Folder for what the window keeps for a person (sessions of runs, models of the zoo), made if missing.
QString dataFolder(const QString& name);

/// Calls hscope for one short answer, off the UI thread by being another process: `hscope ARGS --json`.
class RunnerCall : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    ~RunnerCall() override;  ///< Ends the child if it still runs.
    /// Starts it; `done` or `failed` comes once. The object deletes itself after that.
    void start(const QStringList& arguments);

private:
    QProcess* m_process = nullptr;

signals:
    void done(const QJsonObject& answer);
    void failed(const QString& message);
};

}  // namespace hs::ui
