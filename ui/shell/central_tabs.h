// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTabWidget>

#include "ui/models/document.h"
#include "ui/models/node_table_model.h"
#include "ui/models/selection.h"

namespace hs::ui {

class ActionSet;
class GraphView;
class OperatorTable;
class QueryPanel;
class Theme;
class TimelineView;

/// The views in the middle of the window, fed from the document.
class CentralTabs : public QTabWidget {
    Q_OBJECT
public:
    CentralTabs(Document* document, NodeTableModel* nodes, Selection* selection, Theme* theme, const ActionSet& actions, QWidget* parent = nullptr);
    GraphView* graph() const { return m_graph; }
    TimelineView* timeline() const { return m_timeline; }
    OperatorTable* table() const { return m_table; }
    QueryPanel* query() const { return m_query; }

public slots:
    void fitCurrent();
    /// Puts the cursor into the search field of the view in front; false where it has none.
    bool focusSearch();

signals:
    void problem(const QString& what);  ///< Worth a line in the log.

protected:
    void changeEvent(QEvent* event) override;

private:
    void connectActions(const ActionSet& actions);
    void retranslate();
    void showRun();

    Document* m_document;
    GraphView* m_graph;
    TimelineView* m_timeline;
    OperatorTable* m_table;
    QueryPanel* m_query;
};

}  // namespace hs::ui
