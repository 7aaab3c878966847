// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/graph/graph_looks.h"

#include <cmath>

namespace hs::ui {
namespace {

QRgb mixed(const QColor& a, const QColor& b, double t) {
    const auto lerp = [t](int x, int y) { return static_cast<int>(std::lround(x + (y - x) * t)); };
    return qRgb(lerp(a.red(), b.red()), lerp(a.green(), b.green()), lerp(a.blue(), b.blue()));
}

double luminance(QRgb c) {
    return (0.299 * qRed(c) + 0.587 * qGreen(c) + 0.114 * qBlue(c)) / 255;
}

/// Root scale: a node with a hundredth of the largest time is still a tenth of the ramp.
double heatFraction(double ns, double maxNs) {
    return std::isfinite(ns) && ns > 0 && maxNs > 0 ? std::sqrt(ns / maxNs) : 0;
}

ItemLook terminalLook(const Theme& theme) {
    ItemLook look;
    look.fill = theme.color(Token::Track).rgb();
    look.stripe = theme.color(Token::MutedText).rgb();
    look.block = mixed(theme.color(Token::Track), theme.color(Token::MutedText), 0.6);
    look.text = theme.color(Token::Text).rgb();
    look.muted = theme.color(Token::MutedText).rgb();
    return look;
}

ItemLook nodeLook(const Node& node, const GraphData& data, const Theme& theme, double maxNs) {
    ItemLook look = terminalLook(theme);
    const NodePlacement* placement = data.placementOf(node.id);
    look.stripe = placement != nullptr ? theme.deviceColor(placement->device.isEmpty() ? -1 : placement->deviceIndex).rgb()
                                       : theme.opTypeColor(QString::fromStdString(node.opType)).rgb();
    if (placement != nullptr) {
        if (!placement->device.isEmpty()) look.badge = Theme::deviceBadge(placement->device);
        look.warned = isMisplaced(*placement);
        look.faded = placement->outcome == QLatin1String("folded") || placement->outcome == QLatin1String("eliminated");
        look.estimated = placement->outcome == QLatin1String("fused");
    }
    look.fill = theme.color(look.faded ? Token::Track : Token::NodeFill).rgb();
    look.block = mixed(theme.color(Token::NodeFill), QColor(look.stripe), look.faded ? 0.3 : 0.8);
    if (data.heat) {
        look.fill = theme.heat(heatFraction(data.timeOf(node.id), maxNs)).rgb();
        look.block = look.fill;
        const QRgb light = theme.color(theme.dark() ? Token::Text : Token::Surface).rgb(),
                   dark = theme.color(theme.dark() ? Token::Background : Token::Text).rgb();
        look.text = luminance(look.fill) < 0.5 ? light : dark;
        look.muted = mixed(QColor(look.text), QColor(look.fill), 0.25);
    }
    return look;
}

}  // namespace

double GraphData::timeOf(NodeId node) const {
    return node && node.index() < timesNs.size() ? timesNs[static_cast<qsizetype>(node.index())] : std::nan("");
}

bool isMisplaced(const NodePlacement& placement) {
    return !placement.requestedDevice.isEmpty() && !placement.device.isEmpty() && placement.requestedDevice != placement.device;
}

GraphLooks makeLooks(const GraphScene& scene, const GraphData& data, const Theme& theme) {
    GraphLooks looks;
    double maxNs = 0;
    for (const double ns : data.timesNs)
        if (std::isfinite(ns)) maxNs = std::max(maxNs, ns);
    const ItemLook terminal = terminalLook(theme);
    looks.items.reserve(static_cast<qsizetype>(scene.items.size()));
    for (const SceneItem& item : scene.items)
        looks.items.append(item.kind == ItemKind::Operator ? nodeLook(data.model->node(item.node), data, theme, maxNs) : terminal);

    looks.crossing.fill(0, static_cast<qsizetype>(scene.edges.size()));
    looks.crossingColor.fill(0, static_cast<qsizetype>(scene.edges.size()));
    for (qsizetype e = 0; !data.placement.isEmpty() && e < looks.crossing.size(); ++e) {
        const SceneEdge& edge = scene.edges[static_cast<std::size_t>(e)];
        const NodePlacement* from = data.placementOf(scene.items[edge.from].node);
        const NodePlacement* to = data.placementOf(scene.items[edge.to].node);
        if (from == nullptr || to == nullptr || from->device.isEmpty() || to->device.isEmpty() || from->device == to->device) continue;
        looks.crossing[e] = 1;
        looks.crossingColor[e] = theme.deviceColor(to->deviceIndex).rgb();
    }
    return looks;
}

}  // namespace hs::ui
