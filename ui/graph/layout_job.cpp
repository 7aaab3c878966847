// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/graph/layout_job.h"

namespace hs::ui {

LayoutJob::~LayoutJob() {
    stop();
}

void LayoutJob::stop() {
    if (m_cancel) m_cancel->store(true);
    if (m_thread.joinable()) m_thread.join();  // the layout looks at the flag between its passes: milliseconds
    m_cancel.reset();
    m_running = false;
    ++m_ticket;
}

void LayoutJob::start(ModelPtr model, SceneOptions options) {
    stop();
    m_running = true;
    m_cancel = std::make_shared<std::atomic<bool>>(false);
    m_thread = std::thread([this, model = std::move(model), options = std::move(options), flag = m_cancel, ticket = m_ticket] {
        const auto send = [&](std::shared_ptr<const GraphScene> scene, bool final) {
            if (scene == nullptr) return;
            QMetaObject::invokeMethod(
                this, [this, ticket, scene = std::move(scene), final] { deliver(ticket, scene, final); }, Qt::QueuedConnection);
        };
        if (model->nodes().size() >= kCoarseFrom) {
            SceneOptions quick = options;
            quick.sweeps = 0;
            quick.balanced = false;
            send(buildScene(*model, quick, flag.get()), false);
        }
        send(buildScene(*model, options, flag.get()), true);
    });
}

void LayoutJob::cancel() {
    if (!m_running) return;
    stop();
    emit cancelled();
}

void LayoutJob::deliver(quint64 ticket, const std::shared_ptr<const GraphScene>& scene, bool final) {
    if (ticket != m_ticket) return;
    if (final) m_running = false;
    emit ready(scene, final);
}

}  // namespace hs::ui
