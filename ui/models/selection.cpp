// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/selection.h"

namespace hs::ui {

void Selection::clear() {
    setNodes({});
}

void Selection::select(NodeId node) {
    setNodes(node ? QSet<quint32>{node.index()} : QSet<quint32>{}, node);
}

void Selection::toggle(NodeId node) {
    QSet<quint32> next = m_nodes;
    if (!next.remove(node.index())) next.insert(node.index());
    setNodes(next, next.contains(node.index()) ? node : NodeId{});
}

void Selection::setNodes(const QSet<quint32>& nodes, NodeId current) {
    if (!current && !nodes.isEmpty()) current = nodes.contains(m_current.index()) ? m_current : NodeId(*nodes.cbegin());
    if (nodes == m_nodes && current == m_current) return;
    m_nodes = nodes;
    m_current = current;
    emit nodesChanged();
}

void Selection::setHovered(NodeId node) {
    if (node == m_hovered) return;
    m_hovered = node;
    emit hoveredChanged();
}

void Selection::setTimeRange(std::optional<std::pair<qint64, qint64>> range) {
    if (range == m_timeRange) return;
    m_timeRange = range;
    emit timeRangeChanged();
}

void Selection::reveal(NodeId node) {
    select(node);
    emit revealRequested(node);
}

}  // namespace hs::ui
