// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace hs::ui {

class Theme;

/// Draws a bar of the cell's share behind its number.
class ShareDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    explicit ShareDelegate(const Theme* theme, QObject* parent = nullptr) : QStyledItemDelegate(parent), m_theme(theme) {}
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    const Theme* m_theme;
};

}  // namespace hs::ui
