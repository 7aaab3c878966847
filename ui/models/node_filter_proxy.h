// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSortFilterProxyModel>
#include <QStringList>

#include "ui/models/node_table_model.h"

namespace hs::ui {

/// Sorts nodes by value (not by text) and keeps those that match every word of the filter: anywhere in name, operator,
/// device, executor or kernel, or in one of them with `op:`, `device:`, `name:`, `executor:`, `outcome:`.
class NodeFilterProxy : public QSortFilterProxyModel {
    Q_OBJECT
public:
    explicit NodeFilterProxy(NodeTableModel* source, QObject* parent = nullptr);
    void setFilterText(const QString& text);
    QString filterText() const { return m_text; }

protected:
    bool filterAcceptsRow(int sourceRow, const QModelIndex& sourceParent) const override;

private:
    QString m_text;
    QStringList m_words;
};

}  // namespace hs::ui
