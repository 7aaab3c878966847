// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/models/node_filter_proxy.h"
#include "ui/models/selection.h"

class QLabel;
class QLineEdit;
class QTreeView;

namespace hs::ui {

class Document;
class RunListModel;
class Theme;

/// The left dock: what is open, a search over its nodes, and the runs of the session.
class ModelPanel : public QWidget {
    Q_OBJECT
public:
    ModelPanel(Document* document, NodeTableModel* nodes, Selection* selection, Theme* theme, QWidget* parent = nullptr);
    void focusSearch();
    QLineEdit* search() const { return m_search; }
    QTreeView* nodeList() const { return m_nodeList; }
    QTreeView* runList() const { return m_runList; }

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void retranslate();
    void showDocument();
    void showRun();

    Document* m_document;
    NodeTableModel* m_nodes;
    Selection* m_selection;
    NodeFilterProxy* m_proxy;
    RunListModel* m_runs;
    QLabel* m_title;
    QLineEdit* m_search;
    QTreeView* m_nodeList;
    QLabel* m_count;
    QLabel* m_runsTitle;
    QTreeView* m_runList;
};

}  // namespace hs::ui
