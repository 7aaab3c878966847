// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/selection_link.h"

#include <QScopedValueRollback>
#include <algorithm>

namespace hs::ui {

SelectionLink::SelectionLink(QAbstractItemView* view, NodeFilterProxy* proxy, NodeTableModel* nodes, Selection* selection)
    : QObject(view), m_view(view), m_proxy(proxy), m_nodes(nodes), m_selection(selection) {
    connect(view->selectionModel(), &QItemSelectionModel::selectionChanged, this, &SelectionLink::fromView);
    connect(selection, &Selection::nodesChanged, this, &SelectionLink::fromSelection);
    connect(proxy, &QAbstractItemModel::modelReset, this, &SelectionLink::fromSelection);
    connect(view, &QAbstractItemView::doubleClicked, this,
            [this](const QModelIndex& index) { m_selection->reveal(NodeId(index.data(NodeTableModel::NodeRole).toUInt())); });
}

void SelectionLink::fromView() {
    if (m_busy) return;
    const QScopedValueRollback guard(m_busy, true);
    QSet<quint32> nodes;
    for (const QItemSelectionRange& range : m_view->selectionModel()->selection())
        for (int row = range.top(); row <= range.bottom(); ++row)
            nodes.insert(m_proxy->index(row, 0).data(NodeTableModel::NodeRole).toUInt());
    const QModelIndex current = m_view->currentIndex();
    const quint32 node = current.isValid() ? current.data(NodeTableModel::NodeRole).toUInt() : NodeId::kInvalid;
    m_selection->setNodes(nodes, nodes.contains(node) ? NodeId(node) : NodeId{});
}

void SelectionLink::fromSelection() {
    if (m_busy) return;
    const QScopedValueRollback guard(m_busy, true);
    QVector<int> rows;
    for (const quint32 node : m_selection->nodes()) {
        const int source = m_nodes->rowOf(node);
        if (source < 0) continue;
        const QModelIndex at = m_proxy->mapFromSource(m_nodes->index(source, 0));
        if (at.isValid()) rows.append(at.row());
    }
    std::sort(rows.begin(), rows.end());
    QItemSelection ranges;
    for (qsizetype i = 0; i < rows.size();) {  // Whole runs of rows: a range each, not a range a row.
        qsizetype end = i;
        while (end + 1 < rows.size() && rows[end + 1] == rows[end] + 1)
            ++end;
        ranges.append(QItemSelectionRange(m_proxy->index(rows[i], 0), m_proxy->index(rows[end], m_proxy->columnCount() - 1)));
        i = end + 1;
    }
    m_view->selectionModel()->select(ranges, QItemSelectionModel::ClearAndSelect);
    const NodeId current = m_selection->current();
    const int source = current ? m_nodes->rowOf(current.index()) : -1;
    if (source < 0) return;
    const QModelIndex at = m_proxy->mapFromSource(m_nodes->index(source, 0));
    if (!at.isValid()) return;
    m_view->selectionModel()->setCurrentIndex(at, QItemSelectionModel::NoUpdate);
    m_view->scrollTo(at, QAbstractItemView::EnsureVisible);
}

}  // namespace hs::ui
