// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "ui/graph/layout.h"

namespace hs::ui {

/// Neighbour lists in one array.
class Adjacency {
public:
    Adjacency() = default;
    /// Lists by the first of each pair, in the pairs' order.
    Adjacency(std::size_t vertexCount, const std::vector<std::pair<std::uint32_t, std::uint32_t>>& pairs);
    std::span<const std::uint32_t> of(std::uint32_t v) const { return {m_items.data() + m_first[v], m_first[v + 1] - m_first[v]}; }
    std::span<std::uint32_t> of(std::uint32_t v) { return {m_items.data() + m_first[v], m_first[v + 1] - m_first[v]}; }
    std::uint32_t firstIndex(std::uint32_t v) const { return m_first[v]; }
    std::size_t size() const { return m_items.size(); }

private:
    std::vector<std::uint32_t> m_first = {0};
    std::vector<std::uint32_t> m_items;
};

/// A graph whose edges join neighbouring layers only. Vertices below realCount are nodes, the rest are bends of long edges.
struct LayeredGraph {
    std::uint32_t realCount = 0;
    std::vector<std::uint32_t> layer;     ///< By vertex.
    std::vector<std::uint32_t> position;  ///< By vertex: index in its layer.
    std::vector<double> width;            ///< By vertex.
    std::vector<std::vector<std::uint32_t>> layers;
    Adjacency up, down;
    /// By input edge: its bend vertices are firstBend … firstBend + bendCount - 1, from top to bottom.
    struct Chain {
        std::uint32_t firstBend = 0;
        std::uint32_t bendCount = 0;
        bool lane = false;  ///< No bend vertices: runs beside the layers.
    };
    std::vector<Chain> chains;

    bool isBend(std::uint32_t v) const { return v >= realCount; }
    void renumber(std::uint32_t layerIndex);  ///< Writes position from the order of a layer.
    void renumberAll();
    void sortNeighbours();  ///< By position.
};

using CancelFlag = const std::atomic<bool>*;
inline bool cancelled(CancelFlag flag) {
    return flag != nullptr && flag->load(std::memory_order_relaxed);
}

/// Layer of each node: longest path from the sources, then nodes with more outputs than inputs sink towards their consumers.
std::vector<std::uint32_t> assignLayers(const LayoutInput& input);
/// Splits long edges at every layer within a budget of bends, longest edges last.
LayeredGraph makeLayered(const LayoutInput& input, const LayoutOptions& options);
/// First order by depth-first search, then barycentre sweeps; keeps the order with fewest crossings.
void orderLayers(LayeredGraph& graph, int sweeps, CancelFlag cancel);
std::uint64_t countCrossings(const LayeredGraph& graph);
/// x of each vertex's centre.
std::vector<double> assignX(const LayeredGraph& graph, const LayoutOptions& options, CancelFlag cancel);

}  // namespace hs::ui
