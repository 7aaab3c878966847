// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/query_result_model.h"

#include <QLocale>
#include <algorithm>
#include <cmath>

namespace hs::ui {
namespace {

/// Eight significant digits; an exponent only for what no column of this schema holds.
QString realText(double value) {
    const double size = std::abs(value);
    if (value == 0 || size < 1e-6 || size >= 1e15) return QLocale().toString(value, 'g', 8);
    const int decimals = std::clamp(7 - static_cast<int>(std::floor(std::log10(size))), 0, 12);
    return QLocale().toString(value, 'f', std::min(decimals, 8));
}

}  // namespace

void QueryResultModel::setResult(QueryResult result) {
    beginResetModel();
    m_result = std::move(result);
    endResetModel();
}

int QueryResultModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_result.rows.size());
}

int QueryResultModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_result.columns.size());
}

QVariant QueryResultModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
    const Cell& cell = m_result.rows[static_cast<std::size_t>(index.row())][static_cast<std::size_t>(index.column())];
    const bool isText = std::holds_alternative<std::string>(cell);
    if (role == Qt::TextAlignmentRole) return QVariant::fromValue(Qt::Alignment(Qt::AlignVCenter | (isText ? Qt::AlignLeft : Qt::AlignRight)));
    if (role == Qt::EditRole) {  // What sorting compares.
        if (const auto* i = std::get_if<std::int64_t>(&cell)) return static_cast<qlonglong>(*i);
        if (const auto* d = std::get_if<double>(&cell)) return *d;
        return isText ? QVariant(QString::fromStdString(std::get<std::string>(cell))) : QVariant();
    }
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
    if (const auto* i = std::get_if<std::int64_t>(&cell)) return QLocale().toString(static_cast<qlonglong>(*i));
    if (const auto* d = std::get_if<double>(&cell)) return realText(*d);
    return isText ? QString::fromStdString(std::get<std::string>(cell)) : QStringLiteral("NULL");
}

QVariant QueryResultModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 || section >= columnCount()) return {};
    return QString::fromStdString(m_result.columns[static_cast<std::size_t>(section)]);
}

}  // namespace hs::ui
