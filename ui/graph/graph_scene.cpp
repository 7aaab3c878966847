// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/graph/graph_scene.h"

#include <numeric>

namespace hs::ui {

void GraphScene::finish() {
    std::vector<Box> boxes;
    boxes.reserve(items.size());
    for (std::uint32_t i = 0; i < items.size(); ++i) {
        boxes.push_back(items[i].box);
        bounds.unite(items[i].box);
        if (items[i].kind == ItemKind::Operator) itemOfNode[items[i].node.index()] = i;
    }
    itemIndex = SpatialIndex(boxes);
    boxes.clear();
    boxes.reserve(segments.size());
    for (const Segment& s : segments) {
        boxes.push_back(Box::around(s.a, s.b));
        bounds.unite(boxes.back());
    }
    segmentIndex = SpatialIndex(boxes);

    m_firstIncident.assign(items.size() + 1, 0);
    for (const SceneEdge& e : edges) {
        ++m_firstIncident[e.from + 1];
        ++m_firstIncident[e.to + 1];
    }
    std::partial_sum(m_firstIncident.begin(), m_firstIncident.end(), m_firstIncident.begin());
    m_incident.resize(2 * edges.size());
    std::vector<std::uint32_t> next(m_firstIncident.begin(), m_firstIncident.end() - 1);
    for (std::uint32_t e = 0; e < edges.size(); ++e) {
        m_incident[next[edges[e].from]++] = e;
        m_incident[next[edges[e].to]++] = e;
    }
}

std::uint32_t GraphScene::itemAt(Vec2 point) const {
    std::uint32_t best = kNoItem;
    itemIndex.query({point.x, point.y, point.x, point.y}, [&](std::uint32_t i) {
        if (best == kNoItem || i > best) best = i;
    });
    // A body's frame is scenery: its owner is what a person points at.
    while (best != kNoItem && items[best].kind == ItemKind::Body)
        best = itemOfNode[items[best].node.index()];
    return best;
}

std::uint32_t GraphScene::visibleItem(const Model& model, NodeId node) const {
    while (node) {
        const std::uint32_t item = itemOfNode[node.index()];
        if (item != kNoItem) return item;
        for (const ValueId output : model.node(node).outputs)  // a hidden constant: who reads it
            for (const NodeId consumer : output ? model.value(output).consumers : std::vector<NodeId>{})
                if (itemOfNode[consumer.index()] != kNoItem) return itemOfNode[consumer.index()];
        node = model.graph(model.node(node).graph).parent;
    }
    return kNoItem;
}

}  // namespace hs::ui
