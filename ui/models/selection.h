// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QSet>
#include <optional>
#include <utility>

#include "core/base/ids.h"

namespace hs::ui {

/// What a person has selected, shared by every view. Views show it and change it; they never talk to each other.
class Selection : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    const QSet<quint32>& nodes() const { return m_nodes; }  ///< NodeId indices.
    bool contains(NodeId node) const { return m_nodes.contains(node.index()); }
    /// The node that the inspector shows: the last one picked; invalid when nothing is selected.
    NodeId current() const { return m_current; }
    /// The node under the mouse in any view; invalid: none.
    NodeId hovered() const { return m_hovered; }
    /// A measured stretch of the timeline, in run nanoseconds.
    std::optional<std::pair<qint64, qint64>> timeRange() const { return m_timeRange; }

public slots:
    void clear();
    void select(hs::NodeId node);
    void toggle(hs::NodeId node);
    /// Replaces the selection; `current` becomes one of them.
    void setNodes(const QSet<quint32>& nodes, hs::NodeId current = {});
    void setHovered(hs::NodeId node);
    void setTimeRange(std::optional<std::pair<qint64, qint64>> range);
    /// Asks views to bring the current node into sight ("show in graph / timeline").
    void reveal(hs::NodeId node);

signals:
    void nodesChanged();
    void hoveredChanged();
    void timeRangeChanged();
    void revealRequested(hs::NodeId node);

private:
    QSet<quint32> m_nodes;
    NodeId m_current;
    NodeId m_hovered;
    std::optional<std::pair<qint64, qint64>> m_timeRange;
};

}  // namespace hs::ui
