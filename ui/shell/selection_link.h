// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractItemView>
#include <QObject>

#include "ui/models/node_filter_proxy.h"
#include "ui/models/selection.h"

namespace hs::ui {

/// Keeps the selected rows of a node table and the window's selection the same, both ways.
class SelectionLink : public QObject {
    Q_OBJECT
public:
    SelectionLink(QAbstractItemView* view, NodeFilterProxy* proxy, NodeTableModel* nodes, Selection* selection);

private:
    void fromView();
    void fromSelection();

    QAbstractItemView* m_view;
    NodeFilterProxy* m_proxy;
    NodeTableModel* m_nodes;
    Selection* m_selection;
    bool m_busy = false;
};

}  // namespace hs::ui
