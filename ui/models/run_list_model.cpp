// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/run_list_model.h"

#include <QDateTime>
#include <QJsonDocument>
#include <QLocale>
#include <cmath>
#include <limits>

#include "ui/models/run_facts.h"
#include "ui/models/theme.h"

namespace hs::ui {

QJsonObject runResult(const RunInfo& run) {
    return QJsonDocument::fromJson(QByteArray::fromStdString(run.resultJson)).object();
}

double medianNs(const RunInfo& run) {
    const QJsonValue median = runResult(run).value(QLatin1String("latency")).toObject().value(QLatin1String("median_ms"));
    return median.isDouble() ? median.toDouble() * 1e6 : std::numeric_limits<double>::quiet_NaN();
}

QString runStatusText(const QString& status) {
    if (status == QLatin1String("running")) return RunListModel::tr("running");
    if (status == QLatin1String("finished")) return RunListModel::tr("finished");
    if (status == QLatin1String("failed")) return RunListModel::tr("failed");
    if (status == QLatin1String("cancelled")) return RunListModel::tr("cancelled");
    if (status == QLatin1String("interrupted")) return RunListModel::tr("interrupted");
    return status;
}

RunListModel::RunListModel(Document* document, QObject* parent) : QAbstractTableModel(parent), m_document(document) {
    connect(document, &Document::runsChanged, this, &RunListModel::rebuild);
    rebuild();
}

void RunListModel::rebuild() {
    std::vector<RunInfo> runs(m_document->runs().rbegin(), m_document->runs().rend());
    const bool same =
        runs.size() == m_runs.size() && std::equal(runs.begin(), runs.end(), m_runs.begin(), [](const RunInfo& a, const RunInfo& b) { return a.id == b.id; });
    if (same) {  // Keeps the view's selection while a run goes on.
        m_runs = std::move(runs);
        if (!m_runs.empty()) emit dataChanged(index(0, 0), index(static_cast<int>(m_runs.size()) - 1, ColumnCount - 1));
        return;
    }
    beginResetModel();
    m_runs = std::move(runs);
    endResetModel();
}

void RunListModel::retranslate() {
    emit headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1);
    if (!m_runs.empty()) emit dataChanged(index(0, 0), index(static_cast<int>(m_runs.size()) - 1, ColumnCount - 1));
}

int RunListModel::rowOf(qint64 runId) const {
    for (std::size_t i = 0; i < m_runs.size(); ++i)
        if (m_runs[i].id == runId) return static_cast<int>(i);
    return -1;
}

int RunListModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_runs.size());
}

int RunListModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant RunListModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
    const RunInfo& run = m_runs[static_cast<std::size_t>(index.row())];
    if (role == RunIdRole) return static_cast<qlonglong>(run.id);
    if (role == Qt::TextAlignmentRole && index.column() == Median) return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
    if (role == Qt::ToolTipRole) return runSummary(run);
    if (role != Qt::DisplayRole) return {};
    switch (index.column()) {
        case Run: return run.label.empty() ? tr("Run %1").arg(run.id) : QString::fromStdString(run.label);
        case Status: return runStatusText(QString::fromStdString(run.status));
        case Median: return std::isnan(medianNs(run)) ? QString() : formatDuration(medianNs(run));
        case Started: {
            const QDateTime at = QDateTime::fromString(QString::fromStdString(run.startedAt), Qt::ISODate);
            return at.isValid() ? QLocale().toString(at.toLocalTime(), QLocale::ShortFormat) : QString::fromStdString(run.startedAt);
        }
        default: return {};
    }
}

QVariant RunListModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole) return QVariant::fromValue(Qt::Alignment(Qt::AlignVCenter | (section == Median ? Qt::AlignRight : Qt::AlignLeft)));
    if (role != Qt::DisplayRole) return {};
    switch (section) {
        case Run: return tr("Run");
        case Status: return tr("Status");
        case Median: return tr("Median");
        case Started: return tr("Started");
        default: return {};
    }
}

}  // namespace hs::ui
