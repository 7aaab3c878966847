// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/document.h"

#include <QFileInfo>
#include <algorithm>
#include <limits>

#include "ui/models/document_worker.h"

namespace hs::ui {
namespace {

constexpr int kPollMs = 150;
constexpr int kSlowestPollMs = 2000;

}  // namespace

Document::Document(QObject* parent) : QObject(parent), m_runs(std::make_shared<std::vector<RunInfo>>()) {
    qRegisterMetaType<hs::Error>();
    qRegisterMetaType<LoadStage>("hs::ui::LoadStage");
    qRegisterMetaType<DocumentWorker::ModelResult>("hs::ui::DocumentWorker::ModelResult");
    qRegisterMetaType<DocumentWorker::SessionResult>("hs::ui::DocumentWorker::SessionResult");
    resetRun();
    m_worker = new DocumentWorker(&m_ticket);
    m_worker->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
    connect(m_worker, &DocumentWorker::modelReady, this, &Document::takeModel);
    connect(m_worker, &DocumentWorker::sessionReady, this, &Document::takeSession);
    connect(m_worker, &DocumentWorker::failed, this, &Document::takeError);
    connect(m_worker, &DocumentWorker::progress, this, [this](int ticket, LoadStage stage, const QString& file) {
        if (ticket == m_ticket) emit loadingProgress(stage, file);
    });
    connect(m_worker, &DocumentWorker::notice, this, [this](int ticket, const QString& text) {
        if (ticket == m_ticket) emit notice(text);
    });
    connect(m_worker, &DocumentWorker::finished, this, [this](int ticket) {
        if (ticket == m_ticket) setLoading(false);
    });
    m_poll.setSingleShot(true);
    connect(&m_poll, &QTimer::timeout, this, [this] { refresh(); });
    m_thread.setObjectName(QStringLiteral("document"));
    m_thread.start();
}

Document::~Document() {
    ++m_ticket;
    m_thread.quit();
    m_thread.wait();
}

void Document::open(const QString& path) {
    close();
    setLoading(true);
    QMetaObject::invokeMethod(m_worker, [worker = m_worker, ticket = m_ticket.load(), path] { worker->open(ticket, path); });
}

void Document::cancelOpening() {
    if (!m_loading) return;
    if (!m_model && m_run->runId < 0) {
        close();
    } else {  // A session that stands already stays: only its model is not waited for. Polling goes on under the new ticket.
        ++m_ticket;
        setLoading(false);
        if (m_waiting || running()) schedulePoll(0);
    }
    emit openingCancelled();
}

void Document::attachSession(const QString& path) {
    m_waiting = true;
    m_follow = true;
    m_runnerEnded = false;
    m_idlePolls = 0;
    if (path != m_sessionPath) {
        m_sessionPath = path;
        emit sessionChanged();
    }
    QMetaObject::invokeMethod(m_worker, [worker = m_worker, ticket = m_ticket.load(), path] { worker->attach(ticket, path); });
    schedulePoll(0);
}

void Document::selectRun(qint64 runId) {
    m_follow = false;
    QMetaObject::invokeMethod(m_worker, [worker = m_worker, ticket = m_ticket.load(), runId] { worker->selectRun(ticket, runId); });
}

void Document::refresh(bool runnerEnded) {
    if (runnerEnded) {
        m_waiting = false;
        m_runnerEnded = true;
    }
    QMetaObject::invokeMethod(m_worker, [worker = m_worker, ticket = m_ticket.load(), follow = m_follow, mustExist = !m_waiting, ended = m_runnerEnded] {
        worker->poll(ticket, follow, mustExist, ended);
    });
}

void Document::close() {
    ++m_ticket;
    m_poll.stop();
    m_waiting = m_follow = m_runnerEnded = false;
    m_idlePolls = 0;
    QMetaObject::invokeMethod(m_worker, [worker = m_worker] { worker->close(); });
    const bool hadModel = m_model != nullptr;
    const bool hadSession = !m_sessionPath.isEmpty();
    m_model.reset();
    m_types.reset();
    m_modelPath.clear();
    m_sessionPath.clear();
    m_runs = std::make_shared<std::vector<RunInfo>>();
    resetRun();
    setLoading(false);
    if (hadModel) emit modelChanged();
    if (hadSession) {
        emit sessionChanged();
        emit runsChanged();
        emit runChanged();
        emit statsChanged();
    }
}

QString Document::displayName() const {
    return QFileInfo(m_modelPath.isEmpty() ? m_sessionPath : m_modelPath).fileName();
}

QVector<double> Document::nodeTimes() const {
    QVector<double> out(static_cast<qsizetype>(m_stats->ops.size()), std::numeric_limits<double>::quiet_NaN());
    for (std::size_t i = 0; i < m_stats->ops.size(); ++i)
        if (m_stats->ops[i].calls > 0) out[static_cast<qsizetype>(i)] = m_stats->ops[i].meanNs;
    return out;
}

void Document::takeModel(int ticket, const ModelResult& result) {
    if (ticket != m_ticket) return;
    m_modelPath = result.path;
    m_model = result.model;
    m_types = result.types;
    m_importMs = result.importMs;
    emit modelChanged();
}

void Document::takeSession(int ticket, const SessionResult& result) {
    if (ticket != m_ticket) return;
    if (!result.path.isEmpty() && result.path != m_sessionPath) {
        m_sessionPath = result.path;
        emit sessionChanged();
    }
    if (result.runs) m_runs = result.runs;
    // Read again when its steps were compiled and when it ended; that alone is no other run.
    const bool another = result.run && (result.run->runId != m_run->runId || result.run->nodes.size() != m_run->nodes.size());
    const bool more = result.run && !another;
    if (result.run) m_run = result.run;
    if (result.stats) m_stats = result.stats;
    if (result.runs) emit runsChanged();
    if (another) emit runChanged();
    if (more) emit stepsChanged();
    if (result.stats) emit statsChanged();
    m_idlePolls = result.stats ? 0 : m_idlePolls + 1;
    if (m_waiting || (result.live && running())) schedulePoll(result.tookMs);
}

void Document::takeError(int ticket, const Error& error) {
    if (ticket != m_ticket) return;
    emit failed(error);
}

void Document::setLoading(bool loading) {
    if (loading == m_loading) return;
    m_loading = loading;
    emit loadingChanged();
}

void Document::resetRun() {
    m_run = std::make_shared<RunSnapshot>();
    m_stats = std::make_shared<RunStats>();
}

void Document::schedulePoll(qint64 tookMs) {
    // A session that takes long to read is read less often, so that reading stays a small part of the time; and so
    // is one that has not grown for a while.
    m_poll.start(static_cast<int>(std::clamp<qint64>(std::max<qint64>(tookMs * 4, m_idlePolls * 20LL), kPollMs, kSlowestPollMs)));
}

}  // namespace hs::ui
