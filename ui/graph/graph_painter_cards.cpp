// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFontMetricsF>
#include <QPainterPath>
#include <cmath>

#include "ui/graph/graph_painter.h"

namespace hs::ui {
namespace {

constexpr double kRadius = 4;
constexpr double kStripe = 4;

QRectF rectOf(const Box& b) {
    return {QPointF(b.x0, b.y0), QPointF(b.x1, b.y1)};
}

}  // namespace

void GraphPainter::paintBadge(QPainter& p, const QRectF& box, const ItemLook& look) const {
    if (look.badge.isNull()) return;
    p.setPen(Qt::NoPen);
    p.setBrush(QColor(look.stripe));
    p.drawRoundedRect(box, 3, 3);
    p.setFont(m_small);
    p.setPen(QColor(look.stripe).lightness() > 150 ? m_theme.color(m_theme.dark() ? Token::Background : Token::Text)
                                                   : m_theme.color(m_theme.dark() ? Token::Text : Token::Surface));
    p.drawText(box, static_cast<int>(Qt::AlignCenter), QString(look.badge));
}

void GraphPainter::paintCard(QPainter& p, const SceneItem& item, const ItemLook& look) {
    QRectF box = rectOf(item.box);
    const QRectF whole = box;
    if (item.expanded) box.setHeight(GraphScene::kNodeHeight);
    if (!item.expanded) {
        p.setPen(QPen(m_theme.color(Token::NodeBorder), 1, look.faded ? Qt::DashLine : Qt::SolidLine));
        p.setBrush(QColor(look.fill));
        p.drawRoundedRect(box, kRadius, kRadius);
    }
    QPainterPath stripe;
    stripe.addRoundedRect(box, kRadius, kRadius);
    QPainterPath left;
    left.addRect(QRectF(box.left(), box.top(), kStripe, box.height()));
    p.fillPath(stripe.intersected(left), QColor(look.stripe));
    if (look.warned) {
        p.setPen(QPen(m_theme.color(Token::Warning), 2));
        p.setBrush(Qt::NoBrush);
        p.drawRoundedRect(whole.adjusted(-1, -1, 1, 1), kRadius + 1, kRadius + 1);
    }
    paintCardText(p, item, look, box);
}

void GraphPainter::paintCardText(QPainter& p, const SceneItem& item, const ItemLook& look, const QRectF& box) {
    const Node& node = m_data.model->node(item.node);
    QRectF inside = box.adjusted(kStripe + 7, 4, -8, -4);
    const double half = inside.height() / 2;
    QRectF first(inside.left(), inside.top(), inside.width(), half), second(inside.left(), inside.top() + half, inside.width(), half);
    if (item.expandable) {
        const QPointF c(inside.left() + 4, first.center().y());
        const QPolygonF arrow = item.expanded ? QPolygonF({c + QPointF(-4, -2.5), c + QPointF(4, -2.5), c + QPointF(0, 3.5)})
                                              : QPolygonF({c + QPointF(-2.5, -4), c + QPointF(3.5, 0), c + QPointF(-2.5, 4)});
        p.setPen(Qt::NoPen);
        p.setBrush(QColor(look.muted));
        p.drawPolygon(arrow);
        first.setLeft(first.left() + 13);
    }
    const double ns = m_data.timeOf(item.node);
    if (std::isfinite(ns) && ns > 0) {
        QFont font = m_name;
        font.setItalic(look.estimated);
        const QString text = (look.estimated ? QStringLiteral("~") : QString()) + formatDuration(ns);
        p.setFont(font);
        p.setPen(QColor(look.muted));
        p.drawText(first, static_cast<int>(Qt::AlignRight | Qt::AlignVCenter), text);
        first.setRight(first.right() - QFontMetricsF(font).horizontalAdvance(text) - 6);
    }
    p.setFont(m_title);
    p.setPen(QColor(look.faded ? look.muted : look.text));
    p.drawText(first, static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter),
               QFontMetricsF(m_title).elidedText(QString::fromStdString(node.opType), Qt::ElideRight, first.width()));
    if (!look.badge.isNull()) {
        paintBadge(p, QRectF(second.right() - 15, second.center().y() - 7, 15, 14), look);
        second.setRight(second.right() - 20);
    }
    p.setFont(m_name);
    p.setPen(QColor(look.muted));
    p.drawText(second, static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter),
               QFontMetricsF(m_name).elidedText(QString::fromStdString(node.name), Qt::ElideMiddle, second.width()));
}

void GraphPainter::paintTerminal(QPainter& p, const SceneItem& item, const ItemLook& look) const {
    const QRectF box = rectOf(item.box);
    p.setPen(QPen(m_theme.color(Token::NodeBorder), 1, item.kind == ItemKind::Capture ? Qt::DashLine : Qt::SolidLine));
    p.setBrush(QColor(look.fill));
    p.drawRoundedRect(box, box.height() / 2, box.height() / 2);
    p.setFont(m_name);
    p.setPen(QColor(look.text));
    const QRectF inside = box.adjusted(10, 0, -10, 0);
    p.drawText(inside, static_cast<int>(Qt::AlignCenter),
               QFontMetricsF(m_name).elidedText(QString::fromStdString(m_data.model->value(item.value).name), Qt::ElideMiddle, inside.width()));
}

/// Middle zoom: a box and the operator type. Axis-aligned boxes and ready-made text, as there may be a thousand of them.
void GraphPainter::paintLabels(QPainter& p, const View& view) {
    const double pixel = std::clamp(view.scale * 24, 7.0, 15.0);
    QFont font = m_title;
    font.setPixelSize(static_cast<int>(pixel));
    p.setFont(font);
    const QFontMetricsF metrics(font);
    const QColor border = m_theme.color(Token::NodeBorder), warning = m_theme.color(Token::Warning);
    for (const std::uint32_t i : m_items) {
        const SceneItem& item = m_scene.items[i];
        if (item.kind == ItemKind::Body) continue;
        const ItemLook& look = m_looks.items[i];
        Box b = view.map(item.box);
        if (item.expanded) b.y1 = b.y0 + GraphScene::kNodeHeight * view.scale;
        const QRectF box(std::round(b.x0), std::round(b.y0), std::round(b.width()), std::round(b.height()));
        if (!item.expanded) {
            p.fillRect(box, look.warned ? warning : border);
            const double w = look.warned ? 2 : 1;
            p.fillRect(box.adjusted(w, w, -w, -w), QColor(look.fill));
        }
        if (item.kind != ItemKind::Operator) continue;
        p.fillRect(QRectF(box.left(), box.top(), std::max(2.0, kStripe * view.scale * 1.5), box.height()), QColor(look.stripe));
        const QString type = QString::fromStdString(m_data.model->node(item.node).opType);
        auto text = m_typeText.find(type);
        if (text == m_typeText.end()) {
            QStaticText made(metrics.elidedText(type, Qt::ElideRight, box.width() - 10));
            made.setTextFormat(Qt::PlainText);
            made.prepare(QTransform(), font);
            text = m_typeText.insert(type, made);
        }
        p.setPen(QColor(look.text));
        p.drawStaticText(QPointF(std::round(box.center().x() - text->size().width() / 2), std::round(box.center().y() - text->size().height() / 2)), *text);
    }
}

}  // namespace hs::ui
