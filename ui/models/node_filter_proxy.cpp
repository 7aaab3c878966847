// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/node_filter_proxy.h"

#include <QRegularExpression>
#include <array>

namespace hs::ui {
namespace {

struct Field {
    const char* key;
    NodeTableModel::Column column;
    bool whole;  ///< The word must be the whole cell: "op:Conv" is not ConvTranspose.
};
constexpr std::array kFields = {Field{"op:", NodeTableModel::OpType, true}, Field{"device:", NodeTableModel::Device, false},
                                Field{"name:", NodeTableModel::Name, false}, Field{"executor:", NodeTableModel::Executor, false},
                                Field{"outcome:", NodeTableModel::Outcome, false}};
constexpr std::array kAnywhere = {NodeTableModel::Name, NodeTableModel::OpType, NodeTableModel::Device, NodeTableModel::Executor, NodeTableModel::Kernel};

}  // namespace

NodeFilterProxy::NodeFilterProxy(NodeTableModel* source, QObject* parent) : QSortFilterProxyModel(parent) {
    setSortRole(NodeTableModel::SortRole);
    setSortCaseSensitivity(Qt::CaseInsensitive);
    setSourceModel(source);
}

void NodeFilterProxy::setFilterText(const QString& text) {
    if (text == m_text) return;
    m_text = text;
    m_words = text.split(QRegularExpression(QStringLiteral("\\s+")), Qt::SkipEmptyParts);
    invalidateFilter();
}

bool NodeFilterProxy::filterAcceptsRow(int sourceRow, const QModelIndex& sourceParent) const {
    const auto cell = [&](int column) { return sourceModel()->index(sourceRow, column, sourceParent).data().toString(); };
    const auto matches = [&](const QString& word) {
        for (const Field& field : kFields) {
            if (!word.startsWith(QLatin1String(field.key), Qt::CaseInsensitive)) continue;
            const QString wanted = word.mid(static_cast<qsizetype>(qstrlen(field.key)));
            const QString value = cell(field.column);
            return field.whole ? value.compare(wanted, Qt::CaseInsensitive) == 0 : value.contains(wanted, Qt::CaseInsensitive);
        }
        return std::any_of(kAnywhere.begin(), kAnywhere.end(), [&](int column) { return cell(column).contains(word, Qt::CaseInsensitive); });
    };
    return std::all_of(m_words.cbegin(), m_words.cend(), matches);
}

}  // namespace hs::ui
