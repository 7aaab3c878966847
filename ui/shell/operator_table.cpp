// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/operator_table.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSettings>
#include <QSortFilterProxyModel>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/models/icon.h"
#include "ui/models/run_facts.h"
#include "ui/models/theme.h"
#include "ui/shell/selection_link.h"
#include "ui/shell/share_delegate.h"

namespace hs::ui {
namespace {

QString csvCell(QString text) {
    const QString quote = QStringLiteral("\"");
    if (text.contains(u',') || text.contains(quote) || text.contains(u'\n')) text = quote + text.replace(quote, quote + quote) + quote;
    return text;
}

}  // namespace

OperatorTable::OperatorTable(Document* document, NodeTableModel* nodes, Selection* selection, Theme* theme, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_nodes(nodes),
      m_selection(selection),
      m_theme(theme),
      m_proxy(new NodeFilterProxy(nodes, this)),
      m_types(new OpTypeModel(nodes, this)),
      m_typesProxy(new QSortFilterProxyModel(this)),
      m_filter(new QLineEdit(this)),
      m_group(new QToolButton(this)),
      m_stack(new QStackedWidget(this)),
      m_table(new QTableView(this)),
      m_groupTable(new QTableView(this)),
      m_sums(new QLabel(this)),
      m_iteration(new QLabel(this)) {
    m_typesProxy->setSourceModel(m_types);
    m_typesProxy->setSortRole(NodeTableModel::SortRole);
    m_table->setModel(m_proxy);
    m_groupTable->setModel(m_typesProxy);
    setUpTable(m_table, QStringLiteral("operatorTable/columns"));
    setUpTable(m_groupTable, QStringLiteral("operatorTable/typeColumns"));
    m_table->sortByColumn(NodeTableModel::Total, Qt::DescendingOrder);
    m_groupTable->sortByColumn(OpTypeModel::Total, Qt::DescendingOrder);
    // Fits the middle of a laptop's window up to the share without scrolling.
    for (int column = 0; column < NodeTableModel::ColumnCount; ++column)
        m_table->setColumnWidth(column, 74);
    m_table->setColumnWidth(NodeTableModel::Name, 210);
    m_table->setColumnWidth(NodeTableModel::OpType, 96);
    m_table->setColumnWidth(NodeTableModel::Executor, 84);
    m_table->setColumnWidth(NodeTableModel::Calls, 56);
    m_table->setColumnWidth(NodeTableModel::Kernel, 260);
    if (!QSettings().contains(QStringLiteral("operatorTable/columns")))
        for (const int column : {NodeTableModel::P50, NodeTableModel::GBytes, NodeTableModel::Work, NodeTableModel::Subgraph})
            m_table->setColumnHidden(column, true);
    m_stack->addWidget(m_table);
    m_stack->addWidget(m_groupTable);

    m_filter->setClearButtonEnabled(true);
    m_group->setCheckable(true);
    m_group->setIcon(icon(QStringLiteral("group")));
    m_group->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_sums->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_sums->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_iteration->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_iteration->setForegroundRole(QPalette::PlaceholderText);
    m_iteration->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* head = new QHBoxLayout;
    head->addWidget(m_filter, 1);
    head->addWidget(m_group);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(4, 4, 4, 4);
    layout->setSpacing(4);
    layout->addLayout(head);
    layout->addWidget(m_stack, 1);
    layout->addWidget(m_sums);
    layout->addWidget(m_iteration);

    new SelectionLink(m_table, m_proxy, nodes, selection);
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_proxy->setFilterText(text);
        updateSums();
    });
    connect(m_group, &QToolButton::toggled, this, [this](bool grouped) { m_stack->setCurrentIndex(grouped ? 1 : 0); });
    connect(m_groupTable, &QTableView::doubleClicked, this, &OperatorTable::pickType);
    connect(selection, &Selection::nodesChanged, this, &OperatorTable::updateSums);
    connect(document, &Document::statsChanged, this, &OperatorTable::updateSums);
    connect(document, &Document::modelChanged, this, &OperatorTable::updateSums);
    retranslate();
    updateSums();
}

void OperatorTable::setUpTable(QTableView* table, const QString& settingsKey) {
    table->setSortingEnabled(true);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    table->setAlternatingRowColors(true);
    table->setShowGrid(false);
    table->setWordWrap(false);
    table->setFrameShape(QFrame::NoFrame);
    table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table->setItemDelegate(new ShareDelegate(m_theme, table));
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    table->horizontalHeader()->setHighlightSections(false);
    table->horizontalHeader()->setSectionsMovable(true);
    table->horizontalHeader()->setStretchLastSection(true);
    table->horizontalHeader()->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(table->horizontalHeader(), &QWidget::customContextMenuRequested, this,
            [this, table, settingsKey](const QPoint& at) { chooseColumns(table, settingsKey, at); });
    const QVariantList hidden = QSettings().value(settingsKey).toList();
    for (const QVariant& column : hidden)
        table->setColumnHidden(column.toInt(), true);
}

void OperatorTable::chooseColumns(QTableView* table, const QString& settingsKey, const QPoint& at) {
    auto* menu = new QMenu(table);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (int column = 0; column < table->model()->columnCount(); ++column) {
        QAction* action = menu->addAction(table->model()->headerData(column, Qt::Horizontal).toString());
        action->setCheckable(true);
        action->setChecked(!table->isColumnHidden(column));
        action->setEnabled(column != 0);
        connect(action, &QAction::toggled, this, [table, settingsKey, column](bool shown) {
            table->setColumnHidden(column, !shown);
            QVariantList hidden;
            for (int i = 0; i < table->model()->columnCount(); ++i)
                if (table->isColumnHidden(i)) hidden.append(i);
            QSettings().setValue(settingsKey, hidden);
        });
    }
    menu->popup(table->horizontalHeader()->mapToGlobal(at));
}

void OperatorTable::retranslate() {
    m_filter->setPlaceholderText(tr("Filter: any word, or op:Conv device:cpu name:layer1 executor:reference outcome:fused"));
    m_filter->setAccessibleName(tr("Filter the operators"));
    m_group->setText(tr("Group by type"));
    m_group->setToolTip(tr("One row per operator type, with sums; double click picks its nodes"));
    m_table->setAccessibleName(tr("Operators"));
    m_groupTable->setAccessibleName(tr("Operator types"));
}

void OperatorTable::focusSearch() {
    m_group->setChecked(false);
    m_filter->setFocus();
    m_filter->selectAll();
}

void OperatorTable::setFilter(const QString& text) {
    m_filter->setText(text);
}

void OperatorTable::setGrouped(bool grouped) {
    m_group->setChecked(grouped);
}

void OperatorTable::pickType(const QModelIndex& index) {
    const QString opType = index.siblingAtColumn(OpTypeModel::OpType).data().toString();
    QSet<quint32> nodes;
    for (int row = 0; row < m_nodes->rowCount(); ++row)
        if (m_nodes->row(row).opType == opType) nodes.insert(m_nodes->row(row).node);
    m_group->setChecked(false);
    m_filter->setText(QStringLiteral("op:") + opType);
    m_selection->setNodes(nodes);
}

void OperatorTable::updateSums() {
    double total = 0;
    double share = 0;
    qint64 calls = 0;
    int count = 0;
    const auto add = [&](quint32 node) {
        ++count;
        if (const OpStat* op = m_nodes->stat(node)) {
            total += op->totalNs;
            share += op->share;
            calls += op->calls;
        }
    };
    const bool selected = !m_selection->nodes().isEmpty();
    if (selected) {
        for (const quint32 node : m_selection->nodes())
            add(node);
    } else {
        for (int row = 0; row < m_proxy->rowCount(); ++row)
            add(m_proxy->index(row, 0).data(NodeTableModel::NodeRole).toUInt());
    }
    QString text = selected ? tr("%n node(s) selected", nullptr, count) : tr("%n node(s) shown", nullptr, count);
    if (m_document->hasRun())
        text += QStringLiteral(" · ") + tr("%n call(s)", nullptr, static_cast<int>(calls)) + QStringLiteral(" · ") +
                tr("sum %1, %2 of operator time").arg(formatDuration(total), formatPercent(share));
    m_sums->setText(text);
    m_sums->setToolTip(exactDuration(total));
    m_iteration->setText(iterationText(*m_document->stats()));
    m_iteration->setToolTip(m_iteration->text());
    m_iteration->setVisible(!m_iteration->text().isEmpty());
}

QString OperatorTable::summary() const {
    return m_sums->text();
}

QString OperatorTable::iteration() const {
    return m_iteration->text();
}

QString OperatorTable::toCsv() const {
    const QTableView* table = m_stack->currentIndex() == 0 ? m_table : m_groupTable;
    const QAbstractItemModel* model = table->model();
    QVector<int> columns;
    for (int i = 0; i < model->columnCount(); ++i)
        if (!table->isColumnHidden(i)) columns.append(i);
    QStringList lines;
    QStringList cells;
    for (const int column : columns)
        cells << csvCell(model->headerData(column, Qt::Horizontal, NodeTableModel::ExportRole).toString());
    lines << cells.join(u',');
    for (int row = 0; row < model->rowCount(); ++row) {
        cells.clear();
        for (const int column : columns)
            cells << csvCell(model->index(row, column).data(NodeTableModel::ExportRole).toString());
        lines << cells.join(u',');
    }
    return lines.join(u'\n') + u'\n';
}

void OperatorTable::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        m_nodes->retranslate();
        m_types->retranslate();
        updateSums();
    }
    QWidget::changeEvent(event);
}

}  // namespace hs::ui
