// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/share_delegate.h"

#include <QPainter>
#include <algorithm>

#include "ui/models/node_table_model.h"
#include "ui/models/theme.h"

namespace hs::ui {

void ShareDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const QVariant share = index.data(NodeTableModel::ShareRole);
    if (share.isValid() && !(option.state & QStyle::State_Selected)) {
        QRect bar = option.rect.adjusted(2, 2, -2, -2);
        bar.setWidth(static_cast<int>(bar.width() * std::clamp(share.toDouble(), 0.0, 1.0)));
        QColor fill = m_theme->color(Token::Accent);
        fill.setAlpha(70);
        painter->fillRect(bar, fill);
    }
    QStyledItemDelegate::paint(painter, option, index);
}

}  // namespace hs::ui
