// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/model_panel.h"

#include <QEvent>
#include <QFileInfo>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QSplitter>
#include <QTreeView>
#include <QVBoxLayout>

#include "ui/models/icon.h"
#include "ui/models/run_list_model.h"
#include "ui/models/theme.h"
#include "ui/shell/node_list_delegate.h"
#include "ui/shell/selection_link.h"

namespace hs::ui {
namespace {

QTreeView* makeList(QWidget* parent) {
    auto* list = new QTreeView(parent);
    list->setRootIsDecorated(false);
    list->setUniformRowHeights(true);
    list->setAlternatingRowColors(true);
    list->setFrameShape(QFrame::NoFrame);
    list->header()->setStretchLastSection(false);
    return list;
}

/// In a narrow list the device is a badge, and its heading an icon.
class NodeListProxy : public NodeFilterProxy {
public:
    using NodeFilterProxy::NodeFilterProxy;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override {
        if (section != NodeTableModel::Device || orientation != Qt::Horizontal) return NodeFilterProxy::headerData(section, orientation, role);
        if (role == Qt::DisplayRole) return QString();
        if (role == Qt::DecorationRole) return icon(QStringLiteral("devices"));
        return NodeFilterProxy::headerData(section, orientation, role == Qt::ToolTipRole ? static_cast<int>(Qt::DisplayRole) : role);
    }
};

}  // namespace

ModelPanel::ModelPanel(Document* document, NodeTableModel* nodes, Selection* selection, Theme* /*theme*/, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_nodes(nodes),
      m_selection(selection),
      m_proxy(new NodeListProxy(nodes, this)),
      m_runs(new RunListModel(document, this)),
      m_title(new QLabel(this)),
      m_search(new QLineEdit(this)),
      m_nodeList(makeList(this)),
      m_count(new QLabel(this)),
      m_runsTitle(new QLabel(this)),
      m_runList(makeList(this)) {
    m_title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_search->setClearButtonEnabled(true);
    m_search->installEventFilter(this);
    m_nodeList->setModel(m_proxy);
    m_nodeList->setSortingEnabled(true);
    m_nodeList->setSelectionMode(QAbstractItemView::ExtendedSelection);
    for (int column = 0; column < NodeTableModel::ColumnCount; ++column)
        m_nodeList->setColumnHidden(
            column, column != NodeTableModel::Name && column != NodeTableModel::OpType && column != NodeTableModel::Device && column != NodeTableModel::Mean);
    m_nodeList->sortByColumn(-1, Qt::AscendingOrder);
    m_nodeList->header()->setSectionResizeMode(NodeTableModel::Name, QHeaderView::Stretch);
    m_nodeList->header()->setMinimumSectionSize(28);
    m_nodeList->header()->setSectionResizeMode(NodeTableModel::Device, QHeaderView::Fixed);
    m_nodeList->setColumnWidth(NodeTableModel::OpType, fontMetrics().horizontalAdvance(QStringLiteral("BatchNorma…")) + 8);
    m_nodeList->setColumnWidth(NodeTableModel::Device, 28);
    m_nodeList->setColumnWidth(NodeTableModel::Mean, fontMetrics().horizontalAdvance(QStringLiteral("000 µs")) + 14);
    m_nodeList->setItemDelegate(new NodeListDelegate(m_nodeList));
    m_runList->setModel(m_runs);
    m_runList->header()->setStretchLastSection(true);
    m_runList->header()->setDefaultSectionSize(72);
    m_runList->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);

    auto* upper = new QWidget(this);
    auto* upperLayout = new QVBoxLayout(upper);
    upperLayout->setContentsMargins(0, 0, 0, 0);
    upperLayout->setSpacing(4);
    upperLayout->addWidget(m_title);
    upperLayout->addWidget(m_search);
    upperLayout->addWidget(m_nodeList, 1);
    upperLayout->addWidget(m_count);
    auto* lower = new QWidget(this);
    auto* lowerLayout = new QVBoxLayout(lower);
    lowerLayout->setContentsMargins(0, 0, 0, 0);
    lowerLayout->setSpacing(4);
    lowerLayout->addWidget(m_runsTitle);
    lowerLayout->addWidget(m_runList, 1);
    auto* splitter = new QSplitter(Qt::Vertical, this);
    splitter->addWidget(upper);
    splitter->addWidget(lower);
    splitter->setStretchFactor(0, 4);
    splitter->setStretchFactor(1, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(4, 4, 4, 4);
    layout->addWidget(splitter);

    new SelectionLink(m_nodeList, m_proxy, nodes, selection);
    connect(m_search, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_proxy->setFilterText(text);
        showDocument();
    });
    connect(m_runList, &QAbstractItemView::clicked, this,
            [this](const QModelIndex& index) { m_document->selectRun(index.data(RunListModel::RunIdRole).toLongLong()); });
    connect(document, &Document::modelChanged, this, &ModelPanel::showDocument);
    connect(document, &Document::runChanged, this, [this] {
        showDocument();
        showRun();
    });
    connect(document, &Document::runsChanged, this, &ModelPanel::showRun);
    retranslate();
}

void ModelPanel::retranslate() {
    m_search->setPlaceholderText(tr("Search nodes ( / )"));
    m_search->setAccessibleName(tr("Search nodes"));
    m_nodeList->setAccessibleName(tr("Nodes"));
    m_runList->setAccessibleName(tr("Runs"));
    m_runsTitle->setText(QStringLiteral("<b>%1</b>").arg(tr("Runs")));
    m_runs->retranslate();
    showDocument();
    showRun();
}

void ModelPanel::showDocument() {
    const QString name = m_document->displayName();
    m_title->setText(name.isEmpty() ? QStringLiteral("<b>%1</b>").arg(tr("No model is open")) : QStringLiteral("<b>%1</b>").arg(name.toHtmlEscaped()));
    m_title->setToolTip(m_document->modelPath().isEmpty() ? m_document->sessionPath() : m_document->modelPath());
    m_count->setText(m_proxy->rowCount() == m_nodes->rowCount() ? tr("%n node(s)", nullptr, m_nodes->rowCount())
                                                                : tr("%1 of %n node(s)", nullptr, m_nodes->rowCount()).arg(m_proxy->rowCount()));
}

void ModelPanel::showRun() {
    const int row = m_runs->rowOf(m_document->currentRun());
    if (row < 0) return;
    m_runList->selectionModel()->setCurrentIndex(m_runs->index(row, 0), QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    m_runList->resizeColumnToContents(RunListModel::Run);
    m_runList->resizeColumnToContents(RunListModel::Status);
    m_runList->resizeColumnToContents(RunListModel::Median);
}

void ModelPanel::focusSearch() {
    m_search->setFocus();
    m_search->selectAll();
}

bool ModelPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched != m_search || event->type() != QEvent::KeyPress) return QWidget::eventFilter(watched, event);
    const int key = static_cast<QKeyEvent*>(event)->key();
    if ((key == Qt::Key_Return || key == Qt::Key_Enter) && m_proxy->rowCount() > 0) {  // The first hit, shown everywhere.
        m_selection->reveal(NodeId(m_proxy->index(0, 0).data(NodeTableModel::NodeRole).toUInt()));
        return true;
    }
    if (key == Qt::Key_Down) {
        m_nodeList->setFocus();
        if (!m_nodeList->currentIndex().isValid()) m_nodeList->setCurrentIndex(m_proxy->index(0, 0));
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

void ModelPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QWidget::changeEvent(event);
}

}  // namespace hs::ui
