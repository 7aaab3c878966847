// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/node_list_delegate.h"

#include "ui/models/node_table_model.h"

namespace hs::ui {

void NodeListDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const {
    QStyledItemDelegate::initStyleOption(option, index);
    option->textElideMode = index.column() == NodeTableModel::Name ? Qt::ElideLeft : Qt::ElideRight;
    if (index.column() != NodeTableModel::Device) return;
    option->text.clear();
    option->features &= ~QStyleOptionViewItem::HasDisplay;
    option->decorationAlignment = Qt::AlignCenter;
}

}  // namespace hs::ui
