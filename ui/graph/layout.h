// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "ui/graph/geometry.h"

namespace hs::ui {

/// What is laid out: boxes of given size and the edges between them. Parallel edges are one edge.
struct LayoutInput {
    struct Node {
        double width = 0;
        double height = 0;
    };
    struct Edge {
        std::uint32_t from = 0;
        std::uint32_t to = 0;
    };
    std::vector<Node> nodes;
    std::vector<Edge> edges;
};

struct LayoutOptions {
    double nodeGap = 20;   ///< Least distance between neighbours in a layer.
    double layerGap = 34;  ///< Distance between layers; wide fans get more.
    double laneGap = 6;    ///< Between long edges that run side by side.
    int sweeps = 12;       ///< Crossing reduction passes; 0 keeps the first order.
    bool balanced = true;  ///< Four alignments instead of one: better centred, four times the work.
};

/// Where an edge passes through layers: a vertical piece. Curves join the pieces.
struct Bend {
    double x = 0;
    double top = 0;
    double bottom = 0;
};

/// A piece to draw: a straight line when a.x == b.x, else a curve that leaves and arrives vertically.
struct Segment {
    Vec2 a, b;
    std::uint32_t edge = 0;  ///< The edge that it ends (last == true), or one of those that share it.
    bool last = false;
};

struct LayoutResult {
    std::vector<Vec2> centers;  ///< By node.
    struct Path {
        Vec2 from, to;
        std::uint32_t firstBend = 0;
        std::uint32_t bendCount = 0;
    };
    std::vector<Path> paths;  ///< By edge. Edges of one source share their bends.
    std::vector<Bend> bends;
    std::vector<Segment> segments;  ///< Every drawn piece once, also where edges share a trunk.
    Box bounds;
    std::uint32_t layerCount = 0;
};

/// Layered drawing, top to bottom: longest-path layers, barycentre ordering, Brandes-Köpf coordinates (U. Brandes, B. Köpf,
/// "Fast and Simple Horizontal Coordinate Assignment", GD 2001). Near O(n log n); deterministic. Edges of one source share a
/// trunk; those too long for the budget of bends run in lanes beside the layers. nullopt when `cancel` became true.
std::optional<LayoutResult> layoutGraph(const LayoutInput& input, const LayoutOptions& options = {}, const std::atomic<bool>* cancel = nullptr);

}  // namespace hs::ui
