// SPDX-License-Identifier: GPL-3.0-or-later
#include <QHash>
#include <QLocale>
#include <algorithm>
#include <array>

#include "ui/models/node_table_model.h"
#include "ui/models/theme.h"

namespace hs::ui {

OpTypeModel::OpTypeModel(NodeTableModel* nodes, QObject* parent) : QAbstractTableModel(parent), m_nodes(nodes) {
    connect(nodes, &QAbstractItemModel::modelReset, this, &OpTypeModel::rebuild);
    connect(nodes, &QAbstractItemModel::dataChanged, this, &OpTypeModel::rebuild);
    rebuild();
}

void OpTypeModel::rebuild() {
    QHash<QString, Row> byType;
    for (int i = 0; i < m_nodes->rowCount(); ++i) {
        const NodeTableModel::Row& node = m_nodes->row(i);
        Row& row = byType[node.opType];
        row.opType = node.opType;
        ++row.nodes;
        if (const OpStat* op = m_nodes->stat(node.node)) {
            row.calls += op->calls;
            row.totalNs += op->totalNs;
            row.share += op->share;
        }
    }
    QVector<Row> rows(byType.cbegin(), byType.cend());
    std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.opType < b.opType; });
    const bool sameTypes =
        std::equal(rows.cbegin(), rows.cend(), m_rows.cbegin(), m_rows.cend(), [](const Row& a, const Row& b) { return a.opType == b.opType; });
    if (sameTypes) {  // Keeps a person's selection while a run grows.
        m_rows = rows;
        if (!m_rows.isEmpty()) emit dataChanged(index(0, 0), index(static_cast<int>(m_rows.size()) - 1, ColumnCount - 1));
        return;
    }
    beginResetModel();
    m_rows = rows;
    endResetModel();
}

void OpTypeModel::retranslate() {
    emit headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1);
}

int OpTypeModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int OpTypeModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

double OpTypeModel::number(const Row& row, int column) const {
    switch (column) {
        case Nodes: return static_cast<double>(row.nodes);
        case Calls: return static_cast<double>(row.calls);
        case Total: return row.totalNs;
        case Share: return row.share;
        default: return row.calls > 0 ? row.totalNs / static_cast<double>(row.calls) : 0;
    }
}

QVariant OpTypeModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
    const Row& row = m_rows[index.row()];
    const int column = index.column();
    const bool measured = row.calls > 0 || column == Nodes;
    if (role == Qt::TextAlignmentRole) return QVariant::fromValue(Qt::Alignment(Qt::AlignVCenter | (column == OpType ? Qt::AlignLeft : Qt::AlignRight)));
    if (role == NodeTableModel::SortRole) return column == OpType ? QVariant(row.opType) : QVariant(number(row, column));
    if (role == NodeTableModel::ShareRole) return column == Share && measured ? QVariant(row.share) : QVariant();
    if (role == NodeTableModel::ExportRole) return column == OpType ? row.opType : QString::number(number(row, column), 'g', 15);
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
    if (column == OpType) return row.opType;
    if (!measured) return {};
    const double value = number(row, column);
    if (column == Nodes || column == Calls) return QLocale().toString(static_cast<qlonglong>(value));
    if (column == Share) return role == Qt::ToolTipRole ? QLocale().toString(value * 100, 'f', 4) + QStringLiteral(" %") : formatPercent(value);
    return role == Qt::ToolTipRole ? exactDuration(value) : formatDuration(value);
}

QVariant OpTypeModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount) return {};
    constexpr std::array<const char*, ColumnCount> kExportNames = {"op_type", "nodes", "calls", "total_ns", "share", "mean_ns"};
    if (role == NodeTableModel::ExportRole) return QLatin1String(kExportNames[static_cast<std::size_t>(section)]);
    if (role == Qt::TextAlignmentRole) return QVariant::fromValue(Qt::Alignment(Qt::AlignVCenter | (section == OpType ? Qt::AlignLeft : Qt::AlignRight)));
    if (role != Qt::DisplayRole) return {};
    switch (section) {
        case OpType: return tr("Operator");
        case Nodes: return tr("Nodes");
        case Calls: return tr("Calls");
        case Total: return tr("Total");
        case Share: return tr("Share");
        default: return tr("Mean per call");
    }
}

}  // namespace hs::ui
