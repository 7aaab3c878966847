// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/central_tabs.h"

#include <QEvent>

#include "ui/graph/graph_view.h"
#include "ui/models/icon.h"
#include "ui/models/theme.h"
#include "ui/shell/action_set.h"
#include "ui/shell/operator_table.h"
#include "ui/shell/query_panel.h"
#include "ui/timeline/timeline_view.h"

namespace hs::ui {

CentralTabs::CentralTabs(Document* document, NodeTableModel* nodes, Selection* selection, Theme* theme, const ActionSet& actions, QWidget* parent)
    : QTabWidget(parent),
      m_document(document),
      m_graph(new GraphView(selection, theme, this)),
      m_timeline(new TimelineView(selection, theme, this)),
      m_table(new OperatorTable(document, nodes, selection, theme, this)),
      m_query(new QueryPanel(document, theme, this)) {
    setDocumentMode(true);
    addTab(m_graph, icon(QStringLiteral("graph")), {});
    addTab(m_timeline, icon(QStringLiteral("timeline")), {});
    addTab(m_table, icon(QStringLiteral("table")), {});
    addTab(m_query, icon(QStringLiteral("query")), {});
    connect(document, &Document::modelChanged, this, [this] {
        m_graph->setModel(m_document->model(), m_document->types());
        m_timeline->setModel(m_document->model());
        // A session's run is there before its model: a new picture needs it once more.
        m_graph->setPlacement(m_document->run()->placement);
        m_graph->setNodeTimes(m_document->nodeTimes());
    });
    connect(m_timeline, &TimelineView::failed, this, &CentralTabs::problem);
    connect(document, &Document::runChanged, this, &CentralTabs::showRun);
    connect(document, &Document::statsChanged, this, [this] {
        m_graph->setNodeTimes(m_document->nodeTimes());
        m_timeline->refresh();
    });
    connectActions(actions);
    retranslate();
}

void CentralTabs::connectActions(const ActionSet& actions) {
    connect(actions[ActionId::ShowGraph], &QAction::triggered, this, [this] { setCurrentWidget(m_graph); });
    connect(actions[ActionId::ShowTimeline], &QAction::triggered, this, [this] { setCurrentWidget(m_timeline); });
    connect(actions[ActionId::ShowTable], &QAction::triggered, this, [this] { setCurrentWidget(m_table); });
    connect(actions[ActionId::ShowQuery], &QAction::triggered, this, [this] { setCurrentWidget(m_query); });
    connect(actions[ActionId::Fit], &QAction::triggered, this, &CentralTabs::fitCurrent);
    connect(actions[ActionId::Heat], &QAction::toggled, m_graph, &GraphView::setHeat);
    connect(m_graph, &GraphView::heatChanged, actions[ActionId::Heat], &QAction::setChecked);
    connect(actions[ActionId::Constants], &QAction::toggled, m_graph, &GraphView::setConstantsShown);
    connect(m_graph, &GraphView::constantsShownChanged, actions[ActionId::Constants], &QAction::setChecked);
}

void CentralTabs::showRun() {
    m_graph->setPlacement(m_document->run()->placement);
    m_graph->setNodeTimes(m_document->nodeTimes());
    m_timeline->setPlacement(m_document->run()->placement);
    m_timeline->setSession(m_document->hasRun() ? m_document->sessionPath() : QString(), m_document->currentRun());
}

void CentralTabs::fitCurrent() {
    if (currentWidget() == m_graph) m_graph->fit();
    if (currentWidget() == m_timeline) m_timeline->fit();
}

bool CentralTabs::focusSearch() {
    if (currentWidget() == m_graph)
        m_graph->focusSearch();
    else if (currentWidget() == m_table)
        m_table->focusSearch();
    else
        return false;
    return true;
}

void CentralTabs::retranslate() {
    setTabText(indexOf(m_graph), tr("Graph"));
    setTabText(indexOf(m_timeline), tr("Timeline"));
    setTabText(indexOf(m_table), tr("Operators"));
    setTabText(indexOf(m_query), tr("Query"));
    m_graph->setAccessibleName(tr("Graph of the model"));
    m_timeline->setAccessibleName(tr("Timeline of the run"));
}

void CentralTabs::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QTabWidget::changeEvent(event);
}

}  // namespace hs::ui
