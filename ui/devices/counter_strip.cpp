// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/devices/counter_strip.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "ui/models/counter_text.h"
#include "ui/models/theme.h"

namespace hs::ui {
namespace {

constexpr int kNameWidth = 190;
constexpr int kValueWidth = 84;

}  // namespace

CounterStrip::CounterStrip(const Theme* theme, QWidget* parent) : QWidget(parent), m_theme(theme) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QSize CounterStrip::sizeHint() const {
    return {kNameWidth + kValueWidth + 160, fontMetrics().height() * 2};
}

void CounterStrip::setSeries(const RunStats::CounterSeries& series, int deviceIndex, qint64 firstNs, qint64 lastNs) {
    m_series = series;
    m_deviceIndex = deviceIndex;
    m_firstNs = firstNs;
    m_lastNs = std::max(lastNs, firstNs + 1);
    const QString name = counterName(QString::fromStdString(series.track.name));
    const QString unit = QString::fromStdString(series.track.unit);
    setAccessibleName(name);
    if (series.points.empty()) {
        setToolTip(tr("%1: nothing was recorded yet").arg(name));
    } else {
        const auto [low, high] =
            std::minmax_element(series.points.begin(), series.points.end(), [](const auto& a, const auto& b) { return a.value < b.value; });
        setToolTip(tr("%1: lowest %2, highest %3, %n sample(s)", nullptr, static_cast<int>(series.points.size()))
                       .arg(name, formatCounter(low->value, unit), formatCounter(high->value, unit)));
    }
    update();
}

void CounterStrip::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRect nameRect(4, 0, kNameWidth - 8, height());
    painter.setPen(m_theme->color(Token::Text));
    painter.drawText(nameRect, Qt::AlignVCenter | Qt::AlignLeft,
                     fontMetrics().elidedText(counterName(QString::fromStdString(m_series.track.name)), Qt::ElideMiddle, nameRect.width()));
    const auto& points = m_series.points;
    if (!points.empty())
        painter.drawText(QRect(width() - kValueWidth, 0, kValueWidth - 4, height()), Qt::AlignVCenter | Qt::AlignRight,
                         formatCounter(points.back().value, QString::fromStdString(m_series.track.unit)));
    const QRectF area(kNameWidth, 3, std::max(1, width() - kNameWidth - kValueWidth), height() - 6);
    painter.fillRect(area, m_theme->color(Token::Track));
    if (points.empty()) return;
    double high = 0;
    for (const CounterPoint& point : points)
        high = std::max(high, point.value);
    if (high <= 0) high = 1;
    const auto toX = [&](qint64 ns) { return area.left() + area.width() * static_cast<double>(ns - m_firstNs) / static_cast<double>(m_lastNs - m_firstNs); };
    const auto toY = [&](double value) { return area.bottom() - (area.height() - 2) * std::clamp(value / high, 0.0, 1.0); };
    QPainterPath line(QPointF(std::clamp(toX(points.front().tsNs), area.left(), area.right()), toY(points.front().value)));
    double lastX = line.currentPosition().x();
    for (const CounterPoint& point : points) {
        const double x = std::clamp(toX(point.tsNs), area.left(), area.right());
        if (x - lastX < 0.5) continue;  // Several samples in a pixel: one is enough.
        line.lineTo(x, toY(point.value));
        lastX = x;
    }
    QPainterPath fill = line;
    fill.lineTo(lastX, area.bottom());
    fill.lineTo(std::clamp(toX(points.front().tsNs), area.left(), area.right()), area.bottom());
    const QColor color = m_theme->deviceColor(m_deviceIndex);
    QColor soft = color;
    soft.setAlpha(70);
    painter.fillPath(fill, soft);
    painter.setPen(QPen(color, 1.4));
    painter.drawPath(line);
}

}  // namespace hs::ui
