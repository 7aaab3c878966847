// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFontMetricsF>
#include <QPainterPath>
#include <cmath>

#include "ui/models/counter_text.h"
#include "ui/timeline/timeline_painter.h"

namespace hs::ui {
namespace {

QColor faded(const QColor& color, int alpha) {
    QColor out = color;
    out.setAlpha(alpha);
    return out;
}

}  // namespace

void TimelinePainter::paintRow(QPainter& p, const TimelineRow& row, const QRectF& plot) {
    if (!m_pic.window) return;
    if (row.kind == RowKind::Group) {
        if (row.folded) paintUtilisation(p, row, plot);
        return;
    }
    if (row.kind == RowKind::Counter) return paintCounter(p, row, plot);
    if (m_pic.window->summarised) {
        const auto it = m_pic.window->buckets.find(row.id);
        if (it != m_pic.window->buckets.end()) paintBuckets(p, plot.adjusted(0, m_pic.metrics.gap, 0, -m_pic.metrics.gap), it->second, -2);
        return;
    }
    const auto it = m_pic.window->spans.find(row.id);
    if (it != m_pic.window->spans.end()) paintSpans(p, row, plot, it->second);
}

void TimelinePainter::paintSpans(QPainter& p, const TimelineRow& row, const QRectF& plot, const std::vector<PlacedSpan>& spans) {
    std::array<double, kMaxDepth> painted{};
    painted.fill(-1);
    const bool choosing = !m_pic.selectedSteps.isEmpty();
    std::vector<QRectF> selected;
    for (const PlacedSpan& s : spans) {
        const double x0 = m_pic.viewport.toX(static_cast<double>(s.span.startNs)), x1 = m_pic.viewport.toX(static_cast<double>(s.span.startNs + s.span.durNs));
        if (x1 < 0) continue;
        if (x0 > m_pic.viewport.width()) break;
        const int depth = std::min<int>(s.depth, row.depth - 1);
        const double left = std::max(x0, -4.0), right = std::max(std::min(x1, m_pic.viewport.width() + 4), left + 1);
        const QRectF box(plot.left() + left, plot.top() + m_pic.metrics.gap + depth * m_pic.metrics.level, right - left, m_pic.metrics.level - 2);
        if (choosing && m_pic.selectedSteps.contains(s.span.stepId)) selected.push_back(box);
        // What would land on a pixel column that already has a span adds nothing but time.
        if (right <= painted[static_cast<std::size_t>(depth)]) continue;
        painted[static_cast<std::size_t>(depth)] = std::ceil(right - 0.5);
        paintSpan(p, s, box);
    }
    // The text colour stands out from every operator's colour in both themes; the accent below it says "selected".
    const QColor accent = m_theme.color(Token::Accent), outline = m_theme.color(Token::Text);
    for (const QRectF& box : selected) {
        p.fillRect(QRectF(box.left() - 0.5, box.bottom() - 1, std::max(3.0, box.width()), 4), accent);
        p.setBrush(Qt::NoBrush);
        p.setPen(QPen(outline, 2));
        if (box.width() < 5)
            p.fillRect(QRectF(box.left() - 0.5, box.top() - 2, std::max(2.0, box.width()), box.height() + 2), outline);
        else
            p.drawRect(box.adjusted(0, -1, -1, 0));
    }
}

void TimelinePainter::paintSpan(QPainter& p, const PlacedSpan& s, const QRectF& box) {
    QColor fill = stepColor(s.span.stepId, QString::fromStdString(s.span.category));
    if (s.kind == SpanKind::Wait) fill = m_theme.color(Token::Track);
    if (s.kind == SpanKind::Other && s.span.stepId < 0) fill = m_theme.deviceColor(-1);
    if (s.span.id == m_pic.hoveredSpan) fill = m_theme.dark() ? fill.lighter(125) : fill.darker(112);
    const double gap = box.width() > 4 ? 1 : 0;  // neighbours stay apart once there is room
    const QRectF body = box.adjusted(0, 0, -gap, 0);
    p.fillRect(body, fill);
    if (s.kind == SpanKind::Copy || s.kind == SpanKind::Wait) hatch(p, body, fill);
    if (box.width() < 26) return;
    const QFontMetricsF metrics(p.font());
    const QRectF inside = body.intersected(QRectF(TimelinePicture::kNames, body.top(), m_pic.viewport.width(), body.height())).adjusted(4, 0, -3, 0);
    QString text = spanLabel(s.span, *m_pic.meta);
    const auto step = m_pic.meta->steps.find(s.span.stepId);
    if (step != m_pic.meta->steps.end()) {
        const QString type = QString::fromStdString(step->second.opType);
        const QString both = type + QStringLiteral("  ") + text;
        text = metrics.horizontalAdvance(both) <= inside.width() ? both : type;
    }
    if (metrics.horizontalAdvance(text) > inside.width()) {
        if (inside.width() < 40) return;
        text = metrics.elidedText(text, Qt::ElideRight, inside.width());
    }
    p.setPen(textOn(fill));
    p.drawText(inside, static_cast<int>(Qt::AlignVCenter | Qt::AlignLeft), text);
}

/// A summary: as high as the share of its time that the track was busy, in the colour of what took most of it.
void TimelinePainter::paintBuckets(QPainter& p, const QRectF& plot, const std::vector<LodBucket>& buckets, int deviceIndex) {
    for (const LodBucket& b : buckets) {
        const double x0 = m_pic.viewport.toX(static_cast<double>(b.startNs)), x1 = m_pic.viewport.toX(static_cast<double>(b.startNs + b.widthNs));
        if (x1 < 0 || x0 > m_pic.viewport.width() || b.spans == 0) continue;
        const double busy = std::clamp(static_cast<double>(b.busyNs) / static_cast<double>(std::max<std::int64_t>(1, b.widthNs)), 0.0, 1.0);
        const double height = std::max(1.0, busy * plot.height());
        const QRectF box(plot.left() + x0, plot.bottom() - height, std::max(1.0, x1 - x0), height);
        const SpanKind kind = spanKind(b.topCategory);
        QColor fill = deviceIndex == -2 ? stepColor(b.topStepId, QString::fromStdString(b.topCategory)) : m_theme.deviceColor(deviceIndex);
        if (deviceIndex == -2 && kind == SpanKind::Other && b.topStepId < 0) fill = m_theme.deviceColor(-1);
        p.fillRect(box, fill);
        if (kind == SpanKind::Copy || kind == SpanKind::Wait) hatch(p, box, fill);
        if (m_pic.selectedSteps.contains(b.topStepId)) p.fillRect(QRectF(box.left(), plot.top() - 3, box.width(), 2), m_theme.color(Token::Accent));
    }
}

/// A folded device in one strip: how busy it is, column by column.
void TimelinePainter::paintUtilisation(QPainter& p, const TimelineRow& row, const QRectF& plot) {
    const QRectF strip = plot.adjusted(0, 3, 0, -3);
    const int columns = static_cast<int>(m_pic.viewport.width());
    std::vector<double> busy(static_cast<std::size_t>(std::max(columns, 1)), 0);
    const auto add = [&](double x0, double x1, double share) {
        const int last = std::min(columns - 1, static_cast<int>(x1));
        for (int x = std::max(0, static_cast<int>(std::floor(x0))); x <= last; ++x)
            busy[static_cast<std::size_t>(x)] += share * (std::min<double>(x + 1, x1) - std::max<double>(x, x0));
    };
    for (const std::int64_t track : row.tracks) {
        if (const auto it = m_pic.window->buckets.find(track); it != m_pic.window->buckets.end())
            for (const LodBucket& b : it->second)
                add(m_pic.viewport.toX(static_cast<double>(b.startNs)), m_pic.viewport.toX(static_cast<double>(b.startNs + b.widthNs)),
                    static_cast<double>(b.busyNs) / static_cast<double>(std::max<std::int64_t>(1, b.widthNs)));
        if (const auto it = m_pic.window->spans.find(track); it != m_pic.window->spans.end())
            for (const PlacedSpan& s : it->second)
                if (s.kind != SpanKind::Wait && s.span.category != "api" && s.selfNs > 0)
                    add(m_pic.viewport.toX(static_cast<double>(s.span.startNs)), m_pic.viewport.toX(static_cast<double>(s.span.startNs + s.span.durNs)),
                        static_cast<double>(s.selfNs) / static_cast<double>(s.span.durNs));
    }
    const QColor color = deviceColor(row);
    for (int x = 0; x < columns; ++x) {
        const double share = std::min(1.0, busy[static_cast<std::size_t>(x)]);
        if (share > 0) p.fillRect(QRectF(strip.left() + x, strip.bottom() - share * strip.height(), 1, share * strip.height()), color);
    }
}

void TimelinePainter::paintCounter(QPainter& p, const TimelineRow& row, const QRectF& plot) {
    const auto it = m_pic.window->counters.find(row.id);
    if (it == m_pic.window->counters.end() || it->second.empty()) return;
    double high = 0, low = 0;
    for (const CounterPoint& c : it->second) {
        high = std::max(high, c.value);
        low = std::min(low, c.value);
    }
    if (high <= low) high = low + 1;
    const QRectF area = plot.adjusted(0, 6, 0, -4);
    const auto map = [&](const CounterPoint& c) {
        return QPointF(plot.left() + std::clamp(m_pic.viewport.toX(static_cast<double>(c.tsNs)), -1e5, 1e5),
                       area.bottom() - (c.value - low) / (high - low) * area.height());
    };
    QPolygonF line;
    double lastX = -1e9;
    double cursor = std::nan("");
    for (const CounterPoint& c : it->second) {
        const QPointF at = map(c);
        if (m_pic.cursorX && at.x() <= plot.left() + *m_pic.cursorX) cursor = c.value;
        if (at.x() - lastX < 0.75 && line.size() > 1) continue;
        lastX = at.x();
        line << at;
    }
    const QColor color = row.deviceIndex < 0 ? m_theme.color(Token::Accent) : m_theme.deviceColor(row.deviceIndex);
    QPolygonF fill = line;
    fill << QPointF(line.last().x(), area.bottom()) << QPointF(line.first().x(), area.bottom());
    p.setRenderHint(QPainter::Antialiasing);
    p.setPen(Qt::NoPen);
    p.setBrush(faded(color, 40));
    p.drawPolygon(fill);
    p.setBrush(Qt::NoBrush);
    p.setPen(QPen(color, 1.2));
    p.drawPolyline(line);
    p.setRenderHint(QPainter::Antialiasing, false);
    p.save();
    p.setClipping(false);
    p.setPen(m_theme.color(Token::MutedText));
    const QString value = std::isnan(cursor) ? QStringLiteral("≤ %1").arg(formatCounter(high, QString::fromStdString(row.unit)))
                                             : formatCounter(cursor, QString::fromStdString(row.unit));
    p.setClipRect(QRectF(0, std::max<double>(plot.top(), m_pic.rulerHeight()), TimelinePicture::kNames - 4, plot.height()));
    p.drawText(QRectF(26, plot.center().y(), TimelinePicture::kNames - 34, plot.height() / 2 - 2), static_cast<int>(Qt::AlignVCenter | Qt::AlignLeft), value);
    p.restore();
}

}  // namespace hs::ui
