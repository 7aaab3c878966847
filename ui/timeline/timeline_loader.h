// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "ui/timeline/timeline_data.h"

namespace hs::ui {

/// Reads a session for the timeline on a thread of its own. Requests replace waiting ones of the same sort, so that a fast
/// hand never builds a queue. All functions and signals are for the UI thread.
class TimelineLoader : public QObject {
    Q_OBJECT
public:
    explicit TimelineLoader(QObject* parent = nullptr);
    ~TimelineLoader() override;

    /// Another run; everything waiting is dropped. An empty path closes the session.
    void open(const QString& path, qint64 runId);
    void reload();  ///< What was committed since.
    void window(qint64 fromNs, qint64 toNs, int pixels);
    void range(qint64 fromNs, qint64 toNs);
    void find(std::vector<std::int64_t> steps, qint64 afterNs);

signals:
    void metaReady(std::shared_ptr<const hs::ui::TimelineMeta> meta);
    void windowReady(std::shared_ptr<const hs::ui::TimelineWindow> window);
    void rangeReady(const hs::ui::RangeStats& stats);
    void found(qint64 fromNs, qint64 toNs);
    void failed(const QString& what);

private:
    struct Window {
        qint64 fromNs = 0, toNs = 0;
        int pixels = 0;
    };
    struct Find {
        std::vector<std::int64_t> steps;
        qint64 afterNs = 0;
    };
    struct Work {
        std::optional<std::pair<QString, qint64>> open;
        bool reload = false;
        std::optional<Window> window;
        std::optional<std::pair<qint64, qint64>> range;
        std::optional<Find> find;
        bool empty() const { return !open && !reload && !window && !range && !find; }
    };
    class Session;

    template <class Change>
    void ask(Change change);
    void work();
    template <class Deliver>
    void post(quint64 ticket, Deliver deliver);
    void readMetaInto(Session& session, quint64 ticket);

    std::mutex m_mutex;
    std::condition_variable m_wake;
    Work m_next;
    bool m_quit = false;
    quint64 m_ticket = 0;  ///< Of the run that is open; answers for another one are dropped. Guarded by m_mutex.
    std::thread m_thread;
};

}  // namespace hs::ui
