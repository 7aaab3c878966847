// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <memory>
#include <set>
#include <vector>

#include "core/graph/model.h"
#include "ui/graph/layout.h"
#include "ui/graph/spatial_index.h"

namespace hs::ui {

inline constexpr std::uint32_t kNoItem = 0xFFFFFFFFU;

enum class ItemKind : std::uint8_t {
    Operator,  ///< A node, also the frame of an expanded If, Loop or Scan.
    Input,     ///< An input of the graph or body.
    Output,
    Capture,  ///< A value of an enclosing graph that a body reads.
    Body,     ///< The frame of one body inside its expanded owner.
};

struct SceneItem {
    ItemKind kind = ItemKind::Operator;
    bool expandable = false;
    bool expanded = false;
    NodeId node;                     ///< Of operators; of bodies: the owner.
    ValueId value;                   ///< Of inputs, outputs and captures.
    GraphId graph;                   ///< Of bodies.
    std::uint32_t parent = kNoItem;  ///< The body that it stands in. Smaller than the item's own index.
    Box box;
};

struct SceneEdge {
    std::uint32_t from = 0, to = 0;  ///< Items.
    ValueId value;                   ///< The first of the values that it stands for.
    std::uint32_t values = 1;
    LayoutResult::Path path;
};

struct SceneOptions {
    bool showConstants = false;  ///< Also Constant nodes.
    std::set<NodeId> expanded;   ///< Owners whose bodies stand open.
    int sweeps = 12;
    bool balanced = true;
};

/// Geometry of a model's picture: what stands where. Immutable once built, safe to share between threads.
class GraphScene {
public:
    static constexpr double kNodeWidth = 216, kNodeHeight = 46, kTerminalWidth = 160, kTerminalHeight = 26, kHeader = 28, kPadding = 14;

    std::vector<SceneItem> items;  ///< Frames before what stands in them.
    std::vector<SceneEdge> edges;
    std::vector<Bend> bends;
    std::vector<Segment> segments;  ///< Segment::edge is an index of `edges`.
    Box bounds;
    SpatialIndex itemIndex, segmentIndex;
    std::vector<std::uint32_t> itemOfNode;  ///< By NodeId: kNoItem when hidden or in a closed body.

    /// Innermost item at a point, or kNoItem.
    std::uint32_t itemAt(Vec2 point) const;
    /// The item of a node; of a hidden one, that of a consumer, or of the closest visible owner of the body it stands in.
    std::uint32_t visibleItem(const Model& model, NodeId node) const;
    /// Edges that start or end at an item.
    std::span<const std::uint32_t> edgesOf(std::uint32_t item) const {
        return {m_incident.data() + m_firstIncident[item], m_firstIncident[item + 1] - m_firstIncident[item]};
    }
    void finish();  ///< Builds the indexes; call once everything is in place.

private:
    std::vector<std::uint32_t> m_firstIncident, m_incident;
};

/// Lays the model out. nullptr when `cancel` became true.
std::shared_ptr<const GraphScene> buildScene(const Model& model, const SceneOptions& options, const std::atomic<bool>* cancel = nullptr);

/// How many nodes the options leave out of sight, besides those in closed bodies.
std::size_t hiddenConstants(const Model& model);

}  // namespace hs::ui
