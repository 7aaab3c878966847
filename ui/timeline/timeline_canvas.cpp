// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_canvas.h"

#include <QFontInfo>
#include <QPainter>
#include <algorithm>

namespace hs::ui {

TimelineCanvas::TimelineCanvas(Selection* selection, Theme* theme, QWidget* parent) : QWidget(parent), m_selection(selection), m_theme(theme) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(tr("Timeline"));
    setMinimumSize(300, 80);
    connect(m_theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

void TimelineCanvas::setMeta(std::shared_ptr<const TimelineMeta> meta) {
    const bool other = !meta || !m_pic.meta || meta->runId != m_pic.meta->runId;
    const qint64 oldLast = m_pic.meta && !other ? m_pic.meta->lastNs : 0;
    m_pic.meta = std::move(meta);
    if (other) {
        m_pic.window.reset();
        m_depths.clear();
        m_folded.clear();
        m_pic.hoveredSpan = -1;
        m_follow = m_fitted = true;
    }
    if (m_pic.meta) {
        m_pic.viewport.setExtent(m_pic.meta->firstNs, m_pic.meta->lastNs);
        setAccessibleDescription(tr("%n track(s)", nullptr, static_cast<int>(m_pic.meta->tracks.size())));
    }
    selectionChanged();
    rebuildRows();
    if (m_pic.meta && (other || (m_follow && m_pic.meta->lastNs != oldLast))) followEnd(oldLast);
    update();
}

/// A growing run: the whole of it until someone zooms, then its end at that zoom.
void TimelineCanvas::followEnd(qint64 oldLast) {
    if (m_fitted)
        m_pic.viewport.fit();
    else
        m_pic.viewport.panBy(static_cast<double>(m_pic.meta->lastNs - oldLast) / m_pic.viewport.nsPerPixel());
    emit viewportChanged();
}

void TimelineCanvas::setWindow(std::shared_ptr<const TimelineWindow> window) {
    m_pic.window = std::move(window);
    bool deeper = false;
    if (m_pic.window)
        for (const auto& [track, spans] : m_pic.window->spans) {
            int depth = 1;
            for (const PlacedSpan& s : spans)
                depth = std::max(depth, s.depth + 1);
            if (int& known = m_depths[track]; depth > known) {
                known = depth;
                deeper = true;
            }
        }
    if (deeper) rebuildRows();
    update();
}

void TimelineCanvas::rebuildRows() {
    m_pic.metrics.level = std::max(18, QFontInfo(font()).pixelSize() + 7);
    m_pic.metrics.heading = m_pic.metrics.level + 5;
    m_pic.rows = m_pic.meta ? layoutRows(*m_pic.meta, m_folded, m_depths, m_pic.metrics) : std::vector<TimelineRow>{};
    emit rowsChanged();
}

void TimelineCanvas::setFolded(std::int64_t group, bool folded) {
    if (folded)
        m_folded.insert(group);
    else
        m_folded.erase(group);
    rebuildRows();
    update();
}

void TimelineCanvas::setDeviceColors(QHash<QString, int> colors) {
    m_pic.deviceColors = std::move(colors);
    update();
}

void TimelineCanvas::setEmptyText(const QString& text) {
    m_emptyText = text;
    update();
}

void TimelineCanvas::setScroll(int y) {
    m_pic.scroll = y;
    update();
}

void TimelineCanvas::selectionChanged() {
    m_pic.selectedSteps.clear();
    if (m_pic.meta)
        for (const quint32 node : m_selection->nodes())
            if (node < m_pic.meta->stepsOfNode.size())
                for (const std::int64_t step : m_pic.meta->stepsOfNode[node])
                    m_pic.selectedSteps.insert(step);
    update();
}

void TimelineCanvas::rangeChanged() {
    m_pic.range.reset();
    if (const auto range = m_selection->timeRange()) m_pic.range = *range;
    update();
}

void TimelineCanvas::reveal(qint64 fromNs, qint64 toNs) {
    m_pic.viewport.reveal(fromNs, toNs);
    moved(true);
}

void TimelineCanvas::fit() {
    m_pic.viewport.fit();
    m_follow = m_fitted = true;
    emit viewportChanged();
    update();
}

void TimelineCanvas::moved(bool panned) {
    m_fitted = false;
    if (panned) m_follow = false;
    emit viewportChanged();
    update();
}

const PlacedSpan* TimelineCanvas::spanAt(QPointF pos) const {
    if (!m_pic.window || plotX(pos.x()) < 0) return nullptr;
    const double y = pos.y() - m_pic.rulerHeight() + m_pic.scroll;
    const TimelineRow* row = pos.y() < m_pic.rulerHeight() ? nullptr : rowAt(m_pic.rows, y);
    if (row == nullptr || row->kind != RowKind::Spans) return nullptr;
    const auto it = m_pic.window->spans.find(row->id);
    if (it == m_pic.window->spans.end()) return nullptr;
    const int depth = std::clamp(static_cast<int>((y - row->y - m_pic.metrics.gap) / m_pic.metrics.level), 0, row->depth - 1);
    const double slack = 2 * m_pic.viewport.nsPerPixel(), at = m_pic.viewport.toNsAt(plotX(pos.x()));
    const PlacedSpan* best = nullptr;
    double bestDistance = slack + 1;
    const auto& spans = it->second;
    auto from =
        std::upper_bound(spans.begin(), spans.end(), at + slack, [](double ns, const PlacedSpan& s) { return ns < static_cast<double>(s.span.startNs); });
    for (int steps = 0; from != spans.begin() && steps < 5000; ++steps) {
        --from;
        if (std::min<int>(from->depth, row->depth - 1) != depth) continue;
        const auto start = static_cast<double>(from->span.startNs), end = static_cast<double>(from->span.startNs + from->span.durNs);
        const double distance = at < start ? start - at : at > end ? at - end : 0;
        if (distance < bestDistance) {
            best = &*from;
            bestDistance = distance;
        }
        if (end < at - slack || distance == 0) break;
    }
    return best;
}

void TimelineCanvas::paintEvent(QPaintEvent* /*event*/) {
    QPainter p(this);
    if (!m_pic.meta || m_pic.rows.empty()) {
        p.fillRect(rect(), m_theme->color(Token::Surface));
        p.setPen(m_theme->color(Token::MutedText));
        p.drawText(rect().adjusted(16, 16, -16, -16), static_cast<int>(Qt::AlignCenter | Qt::TextWordWrap), m_emptyText);
        return;
    }
    TimelinePainter(m_pic, *m_theme, font()).paint(p, size());
    if (hasFocus()) {
        p.setPen(m_theme->color(Token::Accent));
        p.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void TimelineCanvas::resizeEvent(QResizeEvent* event) {
    const double from = m_pic.viewport.fromNs(), to = m_pic.viewport.toNs();
    m_pic.viewport.setWidth(width() - TimelinePicture::kNames);
    m_pic.viewport.show(from, to);
    if (m_fitted && m_pic.meta) m_pic.viewport.fit();
    emit viewportChanged();
    emit rowsChanged();
    QWidget::resizeEvent(event);
}

}  // namespace hs::ui
