// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QChar>
#include <QRgb>
#include <QString>
#include <QVector>
#include <memory>

#include "core/graph/model.h"
#include "core/graph/op_registry.h"
#include "ui/graph/graph_scene.h"
#include "ui/models/document.h"
#include "ui/models/theme.h"

namespace hs::ui {

/// What the graph's picture shows besides geometry.
struct GraphData {
    ModelPtr model;
    std::shared_ptr<const TypeTable> types;
    QVector<NodePlacement> placement;  ///< By NodeId; empty before a run.
    QVector<double> timesNs;           ///< By NodeId; NaN: not measured.
    bool heat = false;

    const NodePlacement* placementOf(NodeId node) const {
        return node && node.index() < placement.size() ? &placement[static_cast<qsizetype>(node.index())] : nullptr;
    }
    /// NaN when not measured.
    double timeOf(NodeId node) const;
};

/// How one item is painted, worked out once per change of data, theme or scene.
struct ItemLook {
    QRgb fill = 0;    ///< Of the card.
    QRgb block = 0;   ///< Of the coloured block at low zoom.
    QRgb stripe = 0;  ///< Device colour; by operator type before there is a placement.
    QRgb text = 0, muted = 0;
    QChar badge;             ///< Null: no device.
    bool warned = false;     ///< Runs elsewhere than asked.
    bool faded = false;      ///< Folded or eliminated: takes no time of its own.
    bool estimated = false;  ///< Its time is a share of a fused group's.
};

struct GraphLooks {
    QVector<ItemLook> items;      ///< By item.
    QVector<qint8> crossing;      ///< By edge: 1 where data goes to another device.
    QVector<QRgb> crossingColor;  ///< By edge; only meaningful where crossing.
};

GraphLooks makeLooks(const GraphScene& scene, const GraphData& data, const Theme& theme);

/// Requested device differs from the actual one.
bool isMisplaced(const NodePlacement& placement);

}  // namespace hs::ui
