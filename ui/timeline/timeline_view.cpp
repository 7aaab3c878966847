// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_view.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollBar>
#include <QVBoxLayout>

#include "ui/timeline/range_panel.h"
#include "ui/timeline/timeline_canvas.h"
#include "ui/timeline/timeline_loader.h"

namespace hs::ui {
namespace {

constexpr int kPollMs = 250;  ///< The writer commits at least every 100 ms.
constexpr int kAskMs = 16;

}  // namespace

TimelineView::TimelineView(Selection* selection, Theme* theme, QWidget* parent)
    : QWidget(parent),
      m_selection(selection),
      m_theme(theme),
      m_loader(new TimelineLoader(this)),
      m_canvas(new TimelineCanvas(selection, theme, this)),
      m_scroll(new QScrollBar(Qt::Vertical, this)),
      m_range(new RangePanel(this)),
      m_note(new QLabel(this)) {
    setFocusProxy(m_canvas);
    m_note->setContentsMargins(10, 2, 10, 2);
    m_note->setForegroundRole(QPalette::PlaceholderText);
    m_note->hide();
    m_range->hide();
    auto* row = new QHBoxLayout;
    row->setSpacing(0);
    row->addWidget(m_canvas, 1);
    row->addWidget(m_scroll);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(row, 1);
    column->addWidget(m_note);
    column->addWidget(m_range);

    connect(m_canvas, &TimelineCanvas::viewportChanged, this, [this] { askWindow(false); });
    connect(m_canvas, &TimelineCanvas::rowsChanged, this, &TimelineView::updateScroll);
    connect(m_canvas, &TimelineCanvas::scrollBy, this, [this](int by) { m_scroll->setValue(m_scroll->value() + by); });
    connect(m_scroll, &QScrollBar::valueChanged, m_canvas, &TimelineCanvas::setScroll);
    connect(m_loader, &TimelineLoader::metaReady, this, &TimelineView::takeMeta);
    connect(m_loader, &TimelineLoader::windowReady, this, [this](const std::shared_ptr<const TimelineWindow>& window) {
        m_canvas->setWindow(window);
        updateNote();
    });
    connect(m_loader, &TimelineLoader::rangeReady, this, [this](const RangeStats& stats) {
        const auto range = m_selection->timeRange();
        if (!range || range->first != stats.fromNs || range->second != stats.toNs) return;
        m_range->showStats(stats);
        emit rangeMeasured();
    });
    connect(m_loader, &TimelineLoader::found, m_canvas, &TimelineCanvas::reveal);
    connect(m_loader, &TimelineLoader::failed, this, &TimelineView::failed);
    connect(m_range, &RangePanel::closed, this, [this] { m_selection->setTimeRange(std::nullopt); });
    connect(m_selection, &Selection::nodesChanged, this, [this] {
        m_canvas->selectionChanged();
        if (!m_canvas->underMouse() || !m_canvas->hasFocus()) showSelected();
    });
    connect(m_selection, &Selection::revealRequested, this, &TimelineView::showSelected);
    connect(m_selection, &Selection::timeRangeChanged, this, &TimelineView::measureRange);
    m_poll.setInterval(kPollMs);
    connect(&m_poll, &QTimer::timeout, this, &TimelineView::refresh);
    m_ask.setSingleShot(true);
    m_ask.setInterval(kAskMs);
    connect(&m_ask, &QTimer::timeout, this, [this] { askWindow(std::exchange(m_always, false)); });
    retranslate();
}

void TimelineView::retranslate() {
    m_scroll->setAccessibleName(tr("Scroll tracks"));
    m_canvas->setAccessibleName(TimelineCanvas::tr("Timeline"));
    if (m_meta)
        m_canvas->setEmptyText(m_meta->running() ? tr("Waiting for the first events …") : tr("This run recorded no events"));
    else
        m_canvas->setEmptyText(m_open ? tr("Reading the session …") : tr("Run the model to see its timeline"));
    updateNote();
}

void TimelineView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QWidget::changeEvent(event);
}

TimelineView::~TimelineView() = default;

void TimelineView::setModel(ModelPtr model) {
    m_model = std::move(model);
}

void TimelineView::setSession(const QString& path, qint64 runId) {
    m_meta.reset();
    m_canvas->setMeta(nullptr);
    m_canvas->setWindow(nullptr);
    m_note->hide();
    m_selection->setTimeRange(std::nullopt);
    const bool none = path.isEmpty() || runId < 0;
    m_open = !none;
    retranslate();
    m_loader->open(none ? QString() : path, runId);
    if (none)
        m_poll.stop();
    else
        m_poll.start();  // until the run is known to be over
}

void TimelineView::setPlacement(const QVector<NodePlacement>& placement) {
    QHash<QString, int> colors;
    for (const NodePlacement& p : placement)
        if (!p.device.isEmpty()) colors.insert(p.device, p.deviceIndex);
    m_canvas->setDeviceColors(colors);
}

bool TimelineView::loaded() const {
    return m_meta != nullptr && m_canvas->picture().window != nullptr;
}

void TimelineView::refresh() {
    m_loader->reload();
}

void TimelineView::fit() {
    m_canvas->fit();
}

void TimelineView::takeMeta(const std::shared_ptr<const TimelineMeta>& meta) {
    m_meta = meta;
    retranslate();
    m_canvas->setMeta(meta);
    if (meta->running())
        m_poll.start();
    else
        m_poll.stop();
    askWindow(true);
    updateNote();
}

/// Asks for three times what is visible, so that panning finds it there, and only when that is no longer enough.
void TimelineView::askWindow(bool always) {
    if (!m_meta) return;
    const TimelinePicture& pic = m_canvas->picture();
    const TimeViewport& view = pic.viewport;
    const double span = view.spanNs();
    const bool inside = pic.window && view.fromNs() - span * 0.25 >= static_cast<double>(pic.window->fromNs) &&
                        view.toNs() + span * 0.25 <= static_cast<double>(pic.window->toNs);
    const double zoom = pic.window ? pic.window->nsPerPixel / view.nsPerPixel() : 0;
    const bool fine = pic.window && !pic.window->summarised && !pic.window->truncated;
    if (!always && inside && (fine || (zoom < 1.5 && zoom > 0.5))) return;
    if (m_ask.isActive()) {
        m_always |= always;
        return;
    }
    m_ask.start();
    m_loader->window(static_cast<qint64>(view.fromNs() - span), static_cast<qint64>(view.toNs() + span), static_cast<int>(view.width() * 3));
}

void TimelineView::showSelected() {
    const TimelinePicture& pic = m_canvas->picture();
    if (!m_meta || pic.selectedSteps.isEmpty() || m_selection->nodes().size() > 64) return;
    if (pic.window && !pic.window->summarised)
        for (const auto& [track, spans] : pic.window->spans)
            for (const PlacedSpan& s : spans)
                if (pic.selectedSteps.contains(s.span.stepId) && static_cast<double>(s.span.startNs) >= pic.viewport.fromNs() &&
                    static_cast<double>(s.span.startNs + s.span.durNs) <= pic.viewport.toNs())
                    return;  // one is in sight already
    m_loader->find({pic.selectedSteps.begin(), pic.selectedSteps.end()}, static_cast<qint64>(pic.viewport.fromNs()));
}

void TimelineView::measureRange() {
    m_canvas->rangeChanged();
    const auto range = m_selection->timeRange();
    m_range->setVisible(range.has_value() && m_meta != nullptr);
    if (!range || !m_meta) return;
    m_range->showPending(range->first, range->second);
    m_loader->range(range->first, range->second);
}

void TimelineView::updateScroll() {
    const int visible = m_canvas->height();
    const int beyond = std::max(0, m_canvas->contentHeight() - visible);
    m_scroll->setRange(0, beyond);
    m_scroll->setPageStep(std::max(1, visible - m_canvas->picture().rulerHeight()));
    m_scroll->setSingleStep(20);
    m_scroll->setVisible(beyond > 0);
}

void TimelineView::updateNote() {
    const TimelinePicture& pic = m_canvas->picture();
    QString text;
    if (m_meta && m_meta->status == "crashed")
        text = tr("The runner ended before the run was over: this is what it had recorded");
    else if (pic.window && pic.window->truncated)
        text = tr("More events than can be drawn: zoom in to see all of them");
    m_note->setText(text);
    m_note->setVisible(!text.isEmpty());
}

}  // namespace hs::ui
