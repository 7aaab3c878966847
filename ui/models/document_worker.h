// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <memory>

#include "core/store/session_reader.h"
#include "ui/models/document.h"

namespace hs::ui {

/// The half of Document that lives on its own thread. Every answer carries the ticket of the question.
class DocumentWorker : public QObject {
    Q_OBJECT
public:
    using ModelResult = Document::ModelResult;
    using SessionResult = Document::SessionResult;

    /// `newest`: the ticket of the newest request; work for older ones is given up. Must outlive the worker's thread.
    explicit DocumentWorker(const std::atomic<int>* newest) : m_newest(newest) {}

public slots:
    void open(int ticket, const QString& path);
    void attach(int ticket, const QString& path);
    void selectRun(int ticket, qint64 runId);
    void poll(int ticket, bool follow, bool mustExist, bool runnerEnded);
    void close();

signals:
    void progress(int ticket, hs::ui::LoadStage stage, const QString& file);
    void modelReady(int ticket, const hs::ui::DocumentWorker::ModelResult& result);
    void sessionReady(int ticket, const hs::ui::DocumentWorker::SessionResult& result);
    void failed(int ticket, const hs::Error& error);
    void notice(int ticket, const QString& text);
    void finished(int ticket);

private:
    bool stale(int ticket) const { return *m_newest != ticket; }
    /// `sha256`: of the model as it was run; empty: not known.
    void openModel(int ticket, const QString& path, const std::string& sha256 = {});
    void openSession(int ticket, const QString& path);
    void openModelOf(int ticket, const RunInfo& run);
    /// Reads run `runId`, or the newest for -1, and hands it out; `full` also where nothing was committed.
    Status read(int ticket, qint64 runId, bool full);

    const std::atomic<int>* m_newest;
    QString m_path;
    std::unique_ptr<SessionReader> m_reader;
    qint64 m_version = -1;
    bool m_runnerEnded = false;
    std::shared_ptr<const RunSnapshot> m_snapshot;
    enum class Seen { Planned, Measured, Ended } m_seen = Seen::Planned;  ///< How far the run was when the snapshot was made.
};

}  // namespace hs::ui
