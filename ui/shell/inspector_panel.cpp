// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/inspector_panel.h"

#include <QEvent>
#include <QScrollBar>
#include <QTextBrowser>
#include <QUrl>
#include <QVBoxLayout>

#include "ui/models/document.h"
#include "ui/models/node_table_model.h"
#include "ui/models/selection.h"
#include "ui/models/theme.h"

namespace hs::ui {

InspectorPanel::InspectorPanel(Document* document, NodeTableModel* nodes, Selection* selection, Theme* theme, QWidget* parent)
    : QWidget(parent), m_selection(selection), m_text(*document, *nodes, *theme), m_view(new QTextBrowser(this)) {
    m_view->setOpenLinks(false);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setAccessibleName(tr("Inspector"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(4, 4, 4, 4);
    layout->addWidget(m_view);
    connect(m_view, &QTextBrowser::anchorClicked, this, [this](const QUrl& link) {
        if (link.scheme() == QLatin1String("node")) m_selection->reveal(NodeId(link.path().toUInt()));
    });
    connect(selection, &Selection::nodesChanged, this, &InspectorPanel::show);
    connect(nodes, &QAbstractItemModel::modelReset, this, &InspectorPanel::show);
    connect(document, &Document::stepsChanged, this, &InspectorPanel::show);
    connect(document, &Document::statsChanged, this, &InspectorPanel::show);
    connect(theme, &Theme::changed, this, &InspectorPanel::show);
    show();
}

void InspectorPanel::show() {
    const QString html = m_selection->nodes().size() > 1 ? m_text.group(*m_selection)
                         : m_selection->current()        ? m_text.node(m_selection->current())
                                                         : m_text.overview();
    if (html == m_shown) return;
    m_shown = html;
    const int at = m_view->verticalScrollBar()->value();
    m_view->setHtml(html);
    m_view->verticalScrollBar()->setValue(at);
}

QString InspectorPanel::plainText() const {
    return m_view->toPlainText();
}

void InspectorPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) {
        m_view->setAccessibleName(tr("Inspector"));
        show();
    }
    QWidget::changeEvent(event);
}

}  // namespace hs::ui
