// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_painter.h"

#include <QFontMetricsF>
#include <cmath>

#include "ui/models/counter_text.h"

namespace hs::ui {

QString TimelinePainter::spanLabel(const SpanRecord& span, const TimelineMeta& meta) {
    const auto step = meta.steps.find(span.stepId);
    return QString::fromStdString(step != meta.steps.end() && span.name.empty() ? step->second.label : span.name);
}

QColor TimelinePainter::textOn(const QColor& fill) const {
    const bool light = 0.299 * fill.redF() + 0.587 * fill.greenF() + 0.114 * fill.blueF() > 0.5;
    return m_theme.color(light == m_theme.dark() ? Token::Background : Token::Text);
}

QColor TimelinePainter::stepColor(qint64 step, const QString& fallback) {
    const auto known = m_colors.constFind(step);
    if (step >= 0 && known != m_colors.constEnd()) return *known;
    const auto it = m_pic.meta->steps.find(step);
    const QColor color = it != m_pic.meta->steps.end() ? m_theme.opTypeColor(QString::fromStdString(it->second.opType)) : m_theme.opTypeColor(fallback);
    if (step >= 0) m_colors.insert(step, color);
    return color;
}

QColor TimelinePainter::deviceColor(const TimelineRow& row) const {
    const auto it = m_pic.deviceColors.constFind(QString::fromStdString(row.name));
    return m_theme.deviceColor(it != m_pic.deviceColors.constEnd() && row.kind == RowKind::Group ? *it : row.deviceIndex);
}

void TimelinePainter::hatch(QPainter& p, const QRectF& box, const QColor& over) const {
    if (box.width() < 4) return;  // no room for a stroke, and pattern fills are slow
    QColor line = textOn(over);
    line.setAlpha(110);
    p.fillRect(box, QBrush(line, Qt::BDiagPattern));
}

void TimelinePainter::paint(QPainter& p, QSize size) {
    p.setFont(m_font);
    p.fillRect(QRect(QPoint(), size), m_theme.color(Token::Surface));
    const int ruler = m_pic.rulerHeight();
    p.save();
    p.setClipRect(QRect(0, ruler, size.width(), size.height() - ruler));
    for (const TimelineRow& row : m_pic.rows) {
        const double y = ruler + row.y - m_pic.scroll;
        if (y + row.height < ruler || y > size.height()) continue;
        if (row.kind == RowKind::Group) p.fillRect(QRectF(0, y, size.width(), row.height), m_theme.color(Token::Track));
    }
    paintBands(p, size);
    for (const TimelineRow& row : m_pic.rows) {
        const double y = ruler + row.y - m_pic.scroll;
        if (y + row.height < ruler || y > size.height()) continue;
        p.setPen(m_theme.color(Token::GridLine));
        p.drawLine(QPointF(0, y + row.height - 0.5), QPointF(size.width(), y + row.height - 0.5));
        p.save();
        p.setClipRect(QRectF(TimelinePicture::kNames, y, size.width() - TimelinePicture::kNames, row.height), Qt::IntersectClip);
        paintRow(p, row, QRectF(TimelinePicture::kNames, y, m_pic.viewport.width(), row.height));
        p.restore();
        paintName(p, row, QRectF(0, y, TimelinePicture::kNames, row.height));
    }
    p.restore();
    paintRuler(p, size);
    paintIterationLane(p, size);
    paintRange(p, size);
    paintCursor(p, size);
    p.setPen(m_theme.color(Token::Line));
    p.drawLine(TimelinePicture::kNames - 1, 0, TimelinePicture::kNames - 1, size.height());
}

/// Every other iteration a shade darker, and a rule where one starts, as long as they can be told apart.
void TimelinePainter::paintBands(QPainter& p, QSize size) {
    const int top = m_pic.rulerHeight();
    QColor shade = m_theme.color(Token::MutedText);
    shade.setAlpha(m_theme.dark() ? 26 : 18);
    const auto bottom = std::min<double>(size.height(), top + rowsHeight(m_pic.rows) - m_pic.scroll);
    double lastRule = -100;
    for (const auto& it : m_pic.meta->iterations) {
        const double x0 = m_pic.viewport.toX(static_cast<double>(it.startNs)), x1 = m_pic.viewport.toX(static_cast<double>(it.startNs + it.durNs));
        if (x1 < 0 || x1 - x0 < 3) continue;
        if (x0 > m_pic.viewport.width()) break;
        const double left = TimelinePicture::kNames + std::max(0.0, x0);
        if (it.index % 2 == 0) p.fillRect(QRectF(left, top, std::min(x1, m_pic.viewport.width()) - std::max(0.0, x0), bottom - top), shade);
        if (x0 < 0 || x0 - lastRule < 6) continue;
        lastRule = x0;
        p.setPen(m_theme.color(Token::GridLine));
        p.drawLine(QPointF(left, top), QPointF(left, bottom));
    }
}

void TimelinePainter::paintRuler(QPainter& p, QSize size) {
    p.fillRect(QRect(0, 0, size.width(), m_pic.rulerHeight()), m_theme.color(Token::Background));
    p.save();
    p.setClipRect(QRect(TimelinePicture::kNames, 0, size.width(), size.height()));
    const auto step = m_pic.viewport.tickStepNs();
    for (const TimeTick& tick : m_pic.viewport.ticks()) {
        const double x = std::round(TimelinePicture::kNames + tick.x) + 0.5;
        p.setPen(m_theme.color(tick.major ? Token::MutedText : Token::Line));
        p.drawLine(QPointF(x, tick.major ? 16 : 22), QPointF(x, 28));
        if (!tick.major) continue;
        p.setPen(m_theme.color(Token::MutedText));
        p.drawText(QPointF(x + 4, 19), QString::fromStdString(tickLabel(tick.ns, step)));
    }
    p.restore();
    p.setPen(m_theme.color(Token::Line));
    p.drawLine(0, m_pic.rulerHeight() - 1, size.width(), m_pic.rulerHeight() - 1);
    p.drawLine(TimelinePicture::kNames, 28, size.width(), 28);
}

void TimelinePainter::paintIterationLane(QPainter& p, QSize size) {
    if (m_pic.meta->iterations.empty()) return;
    p.setPen(m_theme.color(Token::MutedText));
    p.drawText(QRectF(10, 28, TimelinePicture::kNames - 16, 18), static_cast<int>(Qt::AlignVCenter | Qt::AlignLeft), tr("Iterations"));
    p.save();
    p.setClipRect(QRect(TimelinePicture::kNames, 28, size.width(), 18));
    double lastEnd = -1;
    for (const auto& it : m_pic.meta->iterations) {
        const double x0 = m_pic.viewport.toX(static_cast<double>(it.startNs)), x1 = m_pic.viewport.toX(static_cast<double>(it.startNs + it.durNs));
        if (x1 < 0 || x1 < lastEnd + 1) continue;
        if (x0 > m_pic.viewport.width()) break;
        const QRectF box(TimelinePicture::kNames + std::max(x0, -5.0), 31, std::max(1.0, std::min(x1, m_pic.viewport.width() + 5) - std::max(x0, -5.0) - 1),
                         12);
        lastEnd = x1;
        QColor fill = m_theme.color(Token::Accent);
        fill.setAlpha(it.index % 2 == 0 ? 70 : 110);
        p.fillRect(box, fill);
        const QString text = QStringLiteral("#%1  %2").arg(it.index).arg(formatDuration(static_cast<double>(it.durNs)));
        p.setPen(m_theme.color(Token::Text));
        if (QFontMetricsF(p.font()).horizontalAdvance(text) + 8 < box.width())
            p.drawText(box.adjusted(4, -3, -4, 3), static_cast<int>(Qt::AlignVCenter | Qt::AlignLeft), text);
    }
    p.restore();
}

void TimelinePainter::paintName(QPainter& p, const TimelineRow& row, const QRectF& box) {
    QFont font = m_font;
    QRectF inside = box.adjusted(10, 0, -8, 0);
    if (row.kind == RowKind::Group) {
        p.setRenderHint(QPainter::Antialiasing);
        const QPointF c(12, box.center().y());
        p.setPen(Qt::NoPen);
        p.setBrush(m_theme.color(Token::MutedText));
        p.drawPolygon(row.folded ? QPolygonF({c + QPointF(-2.5, -4), c + QPointF(3.5, 0), c + QPointF(-2.5, 4)})
                                 : QPolygonF({c + QPointF(-4, -2.5), c + QPointF(4, -2.5), c + QPointF(0, 3.5)}));
        const QRectF badge(24, box.center().y() - 7, 15, 14);
        const QColor color = deviceColor(row);
        p.setBrush(color);
        p.drawRoundedRect(badge, 3, 3);
        font.setBold(true);
        QFont small = font;
        small.setPixelSize(10);
        p.setFont(small);
        p.setPen(textOn(color));
        p.drawText(badge, static_cast<int>(Qt::AlignCenter),
                   row.id == kHostGroup ? QStringLiteral("H") : QString(Theme::deviceBadge(QString::fromStdString(row.name))));
        p.setRenderHint(QPainter::Antialiasing, false);
        inside.setLeft(46);
    }
    p.setFont(font);
    p.setPen(m_theme.color(row.kind == RowKind::Group ? Token::Text : Token::MutedText));
    const QString name = row.kind == RowKind::Group && row.id == kHostGroup ? tr("Host")
                         : row.kind == RowKind::Counter                     ? counterName(QString::fromStdString(row.name))
                                                                            : QString::fromStdString(row.name);
    if (row.kind == RowKind::Spans) inside.setHeight(std::min(inside.height(), m_pic.metrics.level + 2 * m_pic.metrics.gap));
    if (row.kind != RowKind::Group) inside.setLeft(26);
    if (row.kind == RowKind::Counter) inside.setHeight(inside.height() / 2);
    p.drawText(inside, static_cast<int>(Qt::AlignVCenter | Qt::AlignLeft), QFontMetricsF(font).elidedText(name, Qt::ElideMiddle, inside.width()));
    p.setFont(m_font);
}

void TimelinePainter::paintRange(QPainter& p, QSize size) {
    if (!m_pic.range) return;
    const double x0 = TimelinePicture::kNames + std::clamp(m_pic.viewport.toX(static_cast<double>(m_pic.range->first)), -2.0, m_pic.viewport.width() + 2);
    const double x1 = TimelinePicture::kNames + std::clamp(m_pic.viewport.toX(static_cast<double>(m_pic.range->second)), -2.0, m_pic.viewport.width() + 2);
    p.save();
    p.setClipRect(QRect(TimelinePicture::kNames, 0, size.width(), size.height()));
    QColor tint = m_theme.color(Token::Accent);
    p.setPen(tint);
    p.drawLine(QPointF(x0, 0), QPointF(x0, size.height()));
    p.drawLine(QPointF(x1, 0), QPointF(x1, size.height()));
    tint.setAlpha(36);
    p.fillRect(QRectF(QPointF(x0, 0), QPointF(x1, size.height())), tint);
    const QString text = formatDuration(static_cast<double>(m_pic.range->second - m_pic.range->first));
    const double w = QFontMetricsF(m_font).horizontalAdvance(text) + 10;
    if (x1 - x0 > w + 12) {
        const QRectF label((x0 + x1 - w) / 2, 4, w, 18);
        p.fillRect(label, m_theme.color(Token::Accent));
        p.setPen(m_theme.color(Token::AccentText));
        p.drawText(label, static_cast<int>(Qt::AlignCenter), text);
    }
    p.restore();
}

void TimelinePainter::paintCursor(QPainter& p, QSize size) {
    if (!m_pic.cursorX) return;
    const double x = std::round(TimelinePicture::kNames + *m_pic.cursorX) + 0.5;
    QColor line = m_theme.color(Token::Text);
    line.setAlpha(120);
    p.setPen(line);
    p.drawLine(QPointF(x, 0), QPointF(x, size.height()));
    const auto ns = static_cast<qint64>(m_pic.viewport.toNsAt(*m_pic.cursorX));
    const QString text = QString::fromStdString(tickLabel(ns, std::max<qint64>(1, m_pic.viewport.tickStepNs() / 100)));
    const double w = QFontMetricsF(m_font).horizontalAdvance(text) + 10;
    const QRectF label(x + w + 6 > size.width() ? x - w - 4 : x + 4, 5, w, 18);
    p.fillRect(label, m_theme.color(Token::Text));
    p.setPen(m_theme.color(Token::Surface));
    p.drawText(label, static_cast<int>(Qt::AlignCenter), text);
}

}  // namespace hs::ui
