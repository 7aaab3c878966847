// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <atomic>
#include <memory>
#include <thread>

#include "ui/graph/graph_scene.h"

namespace hs::ui {

/// Lays models out on a thread of its own. A new start() drops the one before. Signals come on the UI thread.
class LayoutJob : public QObject {
    Q_OBJECT
public:
    static constexpr std::size_t kCoarseFrom = 8000;  ///< Nodes from which a quick first layout is shown before the good one.

    using QObject::QObject;
    ~LayoutJob() override;

    void start(ModelPtr model, SceneOptions options);
    void cancel();  ///< Emits cancelled() if something was under way.
    bool running() const { return m_running; }

signals:
    void ready(std::shared_ptr<const hs::ui::GraphScene> scene, bool final);
    void cancelled();

private:
    void stop();
    void deliver(quint64 ticket, const std::shared_ptr<const GraphScene>& scene, bool final);

    std::thread m_thread;
    std::shared_ptr<std::atomic<bool>> m_cancel;
    quint64 m_ticket = 0;
    bool m_running = false;
};

}  // namespace hs::ui
