// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_loader.h"

#include <QElapsedTimer>
#include <QFileInfo>

#include "ui/timeline/timeline_query.h"

namespace hs::ui {

/// The worker's own: nobody else touches it.
class TimelineLoader::Session {
public:
    QString path;
    qint64 runId = -1;
    std::unique_ptr<SessionReader> reader;
    std::shared_ptr<const TimelineMeta> meta;
    std::int64_t version = -1;
    QElapsedTimer sinceIterations;
    qint64 iterationsMs = 0;

    /// At most a tenth of the time goes into looking for iterations.
    Result<std::shared_ptr<const TimelineMeta>> read() {
        const bool due = !sinceIterations.isValid() || sinceIterations.elapsed() > 10 * iterationsMs;
        QElapsedTimer took;
        took.start();
        auto result = readMeta(*reader, runId, meta.get(), due);
        if (due) {
            iterationsMs = took.elapsed();
            sinceIterations.start();
        }
        return result;
    }

    /// A file that is not there yet is not an error: the runner is about to make it.
    Status connect() {
        if (reader || path.isEmpty() || !QFileInfo::exists(path)) return {};
        HS_TRY(reader, SessionReader::open(path.toStdString()));
        version = -1;
        return {};
    }
};

TimelineLoader::TimelineLoader(QObject* parent) : QObject(parent), m_thread([this] { work(); }) {}

TimelineLoader::~TimelineLoader() {
    {
        const std::lock_guard lock(m_mutex);
        m_quit = true;
    }
    m_wake.notify_one();
    m_thread.join();
}

template <class Change>
void TimelineLoader::ask(Change change) {
    {
        const std::lock_guard lock(m_mutex);
        change(m_next);
    }
    m_wake.notify_one();
}

void TimelineLoader::open(const QString& path, qint64 runId) {
    ask([&](Work& next) {
        next = {};
        next.open = std::pair(path, runId);
        ++m_ticket;
    });
}

void TimelineLoader::reload() {
    ask([](Work& next) { next.reload = true; });
}

void TimelineLoader::window(qint64 fromNs, qint64 toNs, int pixels) {
    ask([&](Work& next) { next.window = Window{fromNs, toNs, pixels}; });
}

void TimelineLoader::range(qint64 fromNs, qint64 toNs) {
    ask([&](Work& next) { next.range = std::pair(fromNs, toNs); });
}

void TimelineLoader::find(std::vector<std::int64_t> steps, qint64 afterNs) {
    ask([&](Work& next) { next.find = Find{std::move(steps), afterNs}; });
}

template <class Deliver>
void TimelineLoader::post(quint64 ticket, Deliver deliver) {
    QMetaObject::invokeMethod(
        this,
        [this, ticket, deliver = std::move(deliver)] {
            bool current = false;
            {
                const std::lock_guard lock(m_mutex);
                current = ticket == m_ticket;
            }
            if (current) deliver();
        },
        Qt::QueuedConnection);
}

void TimelineLoader::readMetaInto(Session& session, quint64 ticket) {
    const Status connected = session.connect();
    if (!connected) {
        post(ticket, [this, text = QString::fromStdString(connected.error().text())] { emit failed(text); });
        return;
    }
    if (!session.reader) return;
    const std::int64_t version = session.reader->dataVersion();
    if (version == session.version && session.meta && !session.meta->running()) return;
    session.version = version;
    auto meta = session.read();
    if (!meta) {
        post(ticket, [this, text = QString::fromStdString(meta.error().text())] { emit failed(text); });
        return;
    }
    session.meta = *meta;
    post(ticket, [this, result = *meta] { emit metaReady(result); });
}

void TimelineLoader::work() {
    Session session;
    for (;;) {
        Work todo;
        quint64 ticket = 0;
        {
            std::unique_lock lock(m_mutex);
            m_wake.wait(lock, [this] { return m_quit || !m_next.empty(); });
            if (m_quit) return;
            todo = std::exchange(m_next, Work{});
            ticket = m_ticket;
        }
        if (todo.open) {
            if (todo.open->first != session.path) session.reader.reset();
            session.path = todo.open->first;
            session.runId = todo.open->second;
            session.meta.reset();
            session.sinceIterations.invalidate();
        }
        if (todo.open || todo.reload) readMetaInto(session, ticket);
        if (!session.reader || !session.meta) continue;
        if (todo.window) {
            auto window = readWindow(*session.reader, *session.meta, todo.window->fromNs, todo.window->toNs, todo.window->pixels);
            if (window)
                post(ticket, [this, result = *window] { emit windowReady(result); });
            else
                post(ticket, [this, text = QString::fromStdString(window.error().text())] { emit failed(text); });
        }
        if (todo.range) {
            auto stats = readRange(*session.reader, *session.meta, todo.range->first, todo.range->second);
            if (stats) post(ticket, [this, result = *stats] { emit rangeReady(result); });
        }
        if (todo.find) {
            const auto span = findSpan(*session.reader, session.runId, todo.find->steps, todo.find->afterNs);
            if (span) post(ticket, [this, at = *span] { emit found(at.first, at.second); });
        }
    }
}

}  // namespace hs::ui
