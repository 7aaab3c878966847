// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include "ui/graph/graph_view.h"

namespace hs::ui {
namespace {

constexpr std::size_t kMaxValues = 6;

QString escaped(const std::string& text) {
    return QString::fromStdString(text).toHtmlEscaped();
}

}  // namespace

QString GraphView::valueText(ValueId id) const {
    const Value& value = m_data.model->value(id);
    const ValueType& type = m_data.types && id.index() < m_data.types->size() ? m_data.types->type(id) : value.type;
    const QString name = value.name.empty() ? tr("(unnamed)") : escaped(value.name);
    QString text = name + QStringLiteral("&nbsp; ") + escaped(type.text());
    if (const auto bytes = type.byteSize()) text += QStringLiteral("&nbsp; ") + exactBytes(static_cast<double>(*bytes));
    return text;
}

QString GraphView::tooltipFor(const SceneItem& item) const {
    switch (item.kind) {
        case ItemKind::Operator:
        case ItemKind::Body: return tooltipForNode(m_data.model->node(item.node));
        case ItemKind::Input: return QStringLiteral("<b>%1</b><br>%2").arg(tr("Input"), valueText(item.value));
        case ItemKind::Output: return QStringLiteral("<b>%1</b><br>%2").arg(tr("Output"), valueText(item.value));
        case ItemKind::Capture: return QStringLiteral("<b>%1</b><br>%2").arg(tr("From the enclosing graph"), valueText(item.value));
    }
    return {};
}

QString GraphView::tooltipForNode(const Node& node) const {
    QStringList lines;
    lines << QStringLiteral("<b>%1</b>&nbsp; %2").arg(escaped(node.domain.empty() ? node.opType : node.domain + "." + node.opType), escaped(node.name));
    const auto list = [&](const QString& label, const std::vector<ValueId>& values) {
        for (std::size_t i = 0; i < std::min(values.size(), kMaxValues); ++i)
            if (values[i]) lines << QStringLiteral("%1&nbsp; %2").arg(label, valueText(values[i]));
        if (values.size() > kMaxValues) lines << tr("… and %n more", nullptr, static_cast<int>(values.size() - kMaxValues));
    };
    list(tr("in"), node.inputs);
    list(tr("out"), node.outputs);
    if (const NodePlacement* placement = m_data.placementOf(node.id)) {
        if (!placement->device.isEmpty()) lines << tr("device %1, executor %2").arg(placement->device.toHtmlEscaped(), placement->executor.toHtmlEscaped());
        if (isMisplaced(*placement)) {
            const QString why = placement->reason.empty() ? placement->reasonText : QString::fromStdString(placement->reason.text());
            lines << tr("asked for %1: %2").arg(placement->requestedDevice.toHtmlEscaped(), why.toHtmlEscaped());
        } else if (placement->outcome == QLatin1String("folded")) {
            lines << tr("computed once, while planning");
        } else if (placement->outcome == QLatin1String("eliminated")) {
            lines << tr("not needed: its output is another value");
        }
    }
    const double ns = m_data.timeOf(node.id);
    if (std::isfinite(ns) && ns > 0) {
        const NodePlacement* placement = m_data.placementOf(node.id);
        const bool share = placement != nullptr && placement->outcome == QLatin1String("fused");
        lines << (share ? tr("<i>~%1 a call (its share of a fused group, estimated)</i>") : tr("%1 a call")).arg(exactDuration(ns));
    }
    return QStringLiteral("<p style='white-space:pre'>%1</p>").arg(lines.join(QStringLiteral("<br>")));
}

}  // namespace hs::ui
