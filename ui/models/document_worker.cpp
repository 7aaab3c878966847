// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/document_worker.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <algorithm>

#include "core/import/importer.h"
#include "ui/models/session_loader.h"

namespace hs::ui {
namespace {

bool isSession(const QString& path) {
    QFile file(path);
    if (file.open(QIODevice::ReadOnly) && file.size() > 0) return file.read(16).startsWith("SQLite format 3");
    return path.endsWith(QLatin1String(".hscope"));
}

}  // namespace

void DocumentWorker::open(int ticket, const QString& path) {
    if (stale(ticket)) return;
    if (isSession(path))
        openSession(ticket, path);
    else
        openModel(ticket, path);
    emit finished(ticket);
}

void DocumentWorker::openModel(int ticket, const QString& path, const std::string& sha256) {
    emit progress(ticket, LoadStage::Reading, QFileInfo(path).fileName());
    QElapsedTimer timer;
    timer.start();
    auto model = importModel(path.toStdString());
    if (!model) {
        emit failed(ticket, model.error());
        return;
    }
    ModelResult result{path, *model, nullptr, static_cast<double>(timer.nsecsElapsed()) / 1e6};
    if (stale(ticket)) return;
    emit progress(ticket, LoadStage::InferringShapes, QFileInfo(path).fileName());
    InferOptions options;
    options.lenient = true;
    if (auto types = inferTypes(**model, options))
        result.types = std::make_shared<const TypeTable>(std::move(*types));
    else
        emit notice(ticket, tr("Shapes are unknown: %1").arg(QString::fromStdString(types.error().text())));
    const std::string& found = (*model)->info().sha256;
    if (!sha256.empty() && !found.empty() && found != sha256)
        emit notice(ticket, tr("The model file %1 has changed since this session was recorded: its graph may not match the session.").arg(path));
    emit modelReady(ticket, result);
}

void DocumentWorker::openSession(int ticket, const QString& path) {
    emit progress(ticket, LoadStage::Reading, QFileInfo(path).fileName());
    close();
    auto reader = SessionReader::open(path.toStdString());
    if (!reader) {
        emit failed(ticket, reader.error());
        return;
    }
    m_path = path;
    m_reader = std::move(*reader);
    if (auto done = read(ticket, -1, true); !done) {
        emit failed(ticket, done.error());
        return;
    }
    if (const auto runs = m_reader->runs(); runs && !runs->empty() && !stale(ticket)) openModelOf(ticket, runs->back());
}

void DocumentWorker::openModelOf(int ticket, const RunInfo& run) {
    const auto record = m_reader->model(run.modelId);
    if (!record) {
        emit notice(ticket, QString::fromStdString(record.error().text()));
        return;
    }
    QString path = QString::fromStdString(record->path);
    if (!QFileInfo::exists(path)) path = QFileInfo(m_path).dir().filePath(QFileInfo(path).fileName());
    if (record->path.empty() || !QFileInfo(path).isFile()) {
        emit notice(ticket, tr("The model file %1 of this session is gone: everything but the graph is shown. Put it beside the session to see the graph.")
                                .arg(QString::fromStdString(record->path)));
        return;
    }
    openModel(ticket, path, record->sha256);
}

void DocumentWorker::attach(int ticket, const QString& path) {
    m_runnerEnded = false;
    if (path == m_path && m_reader) return;
    close();
    m_path = path;
    poll(ticket, true, false, false);
}

void DocumentWorker::selectRun(int ticket, qint64 runId) {
    if (!m_reader) return;
    if (auto done = read(ticket, runId, true); !done) emit failed(ticket, done.error());
}

void DocumentWorker::poll(int ticket, bool follow, bool mustExist, bool runnerEnded) {
    const bool full = runnerEnded != m_runnerEnded;
    m_runnerEnded = runnerEnded;
    if (!m_reader && !m_path.isEmpty() && QFileInfo::exists(m_path)) {
        if (auto reader = SessionReader::open(m_path.toStdString()))
            m_reader = std::move(*reader);
        else if (mustExist)  // A file that is only now being made may not have its tables yet.
            emit failed(ticket, reader.error());
    }
    Status done;
    if (m_reader) done = read(ticket, follow || !m_snapshot ? -1 : m_snapshot->runId, full);
    if (!m_reader || !done) emit sessionReady(ticket, {m_path, nullptr, nullptr, nullptr, !mustExist, 0});
    if (!done && mustExist) emit failed(ticket, done.error());
}

Status DocumentWorker::read(int ticket, qint64 runId, bool full) {
    QElapsedTimer timer;
    timer.start();
    const qint64 version = m_reader->dataVersion();
    SessionResult result;
    result.path = m_path;
    if (version == m_version && !full) {
        result.live = true;
        emit sessionReady(ticket, result);
        return {};
    }
    HS_TRY(std::vector<RunInfo> runs, m_reader->runs());
    const RunInfo* shown = nullptr;
    for (RunInfo& run : runs) {
        if ((m_runnerEnded || run.stale) && run.status == "running") run.status = "interrupted";  // Its writer is gone and could not say so.
        if (runId < 0 || run.id == runId) shown = &run;
    }
    if (shown != nullptr) {
        if (!m_snapshot || m_snapshot->runId != shown->id || m_snapshot->nodes.empty()) {
            HS_TRY(result.run, loadSnapshot(*m_reader, shown->id));
            m_snapshot = result.run;
            m_seen = Seen::Planned;
        }
        HS_TRY(result.stats, loadStats(*m_reader, *shown, *m_snapshot));
        // The steps got their kernels when they were compiled, which was before anything was measured.
        const bool measured = std::any_of(result.stats->ops.begin(), result.stats->ops.end(), [](const OpStat& op) { return op.calls > 0; });
        const Seen now = shown->status != "running" ? Seen::Ended : measured ? Seen::Measured : Seen::Planned;
        if (now > m_seen) {
            HS_TRY(result.run, loadSnapshot(*m_reader, shown->id));
            m_snapshot = result.run;
            m_seen = now;
        }
        result.live = shown->status == "running";
    }
    result.runs = std::make_shared<const std::vector<RunInfo>>(std::move(runs));
    result.tookMs = timer.elapsed();
    m_version = version;
    emit sessionReady(ticket, result);
    return {};
}

void DocumentWorker::close() {
    m_seen = Seen::Planned;
    m_reader.reset();
    m_snapshot.reset();
    m_path.clear();
    m_version = -1;
    m_runnerEnded = false;
}

}  // namespace hs::ui
