// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/models/node_filter_proxy.h"
#include "ui/models/selection.h"

class QLabel;
class QLineEdit;
class QSortFilterProxyModel;
class QStackedWidget;
class QTableView;
class QToolButton;

namespace hs::ui {

class Document;
class Theme;

/// The operators table: every node with what was measured, to sort and filter, or grouped by operator type; sums of the
/// selection (or of everything shown) below.
class OperatorTable : public QWidget {
    Q_OBJECT
public:
    OperatorTable(Document* document, NodeTableModel* nodes, Selection* selection, Theme* theme, QWidget* parent = nullptr);
    void focusSearch();
    void setFilter(const QString& text);
    void setGrouped(bool grouped);
    QTableView* table() const { return m_table; }
    QTableView* groupTable() const { return m_groupTable; }
    QString summary() const;
    QString iteration() const;
    /// What the table shows, visible columns only, with exact values.
    QString toCsv() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();
    void setUpTable(QTableView* table, const QString& settingsKey);
    void chooseColumns(QTableView* table, const QString& settingsKey, const QPoint& at);
    void updateSums();
    void pickType(const QModelIndex& index);

    Document* m_document;
    NodeTableModel* m_nodes;
    Selection* m_selection;
    Theme* m_theme;
    NodeFilterProxy* m_proxy;
    OpTypeModel* m_types;
    QSortFilterProxyModel* m_typesProxy;
    QLineEdit* m_filter;
    QToolButton* m_group;
    QStackedWidget* m_stack;
    QTableView* m_table;
    QTableView* m_groupTable;
    QLabel* m_sums;
    QLabel* m_iteration;  ///< Wall time against the sum.
};

}  // namespace hs::ui
