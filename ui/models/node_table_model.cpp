// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/node_table_model.h"

#include <QCoreApplication>
#include <QFont>
#include <QLocale>
#include <array>
#include <cmath>
#include <limits>

#include "ui/models/icon.h"
#include "ui/models/reason_text.h"
#include "ui/models/theme.h"

namespace hs::ui {
namespace {

/// Column names in files: the session's own words, in no language.
constexpr std::array<const char*, NodeTableModel::ColumnCount> kExportNames = {"name",    "op_type", "device",  "executor",   "calls",  "total_ns",
                                                                               "mean_ns", "p50_ns",  "p95_ns",  "share",      "gflops", "gbps",
                                                                               "flops",   "kernel",  "outcome", "fused_with", "graph"};

QString text(const std::string& s) {
    return QString::fromStdString(s);
}

}  // namespace

NodeTableModel::NodeTableModel(Document* document, const Theme* theme, QObject* parent) : QAbstractTableModel(parent), m_document(document), m_theme(theme) {
    connect(document, &Document::modelChanged, this, &NodeTableModel::rebuild);
    connect(document, &Document::runChanged, this, &NodeTableModel::rebuild);
    connect(document, &Document::stepsChanged, this, [this] {
        readKernels();
        refresh();
    });
    connect(document, &Document::statsChanged, this, &NodeTableModel::refresh);
    rebuild();
}

void NodeTableModel::rebuild() {
    beginResetModel();
    m_rows.clear();
    const auto run = m_document->run();
    if (const ModelPtr model = m_document->model()) {
        m_rows.reserve(static_cast<qsizetype>(model->nodes().size()));
        for (const Node& node : model->nodes()) {
            const auto index = node.id.index();
            double flops = index < run->nodes.size() ? run->nodes[index].flops : 0;
            if (flops == 0 && m_document->types()) flops = nodeCost(*model, node, *m_document->types()).flops;
            const Graph& graph = model->graph(node.graph);
            m_rows.append({index, text(node.name), text(node.opType), text(node.domain), graph.parent ? text(graph.name) : QString(), flops});
        }
    } else {
        for (std::size_t i = 0; i < run->nodes.size(); ++i) {
            const NodeRecord& node = run->nodes[i];
            if (node.id != 0) m_rows.append({static_cast<quint32>(i), text(node.name), text(node.opType), text(node.domain), text(node.graph), node.flops});
        }
    }
    quint32 last = 0;
    for (const Row& row : m_rows)
        last = std::max(last, row.node + 1);
    m_rowOf.fill(-1, static_cast<qsizetype>(last));
    for (int i = 0; i < m_rows.size(); ++i)
        m_rowOf[static_cast<qsizetype>(m_rows[i].node)] = i;
    readKernels();
    endResetModel();
}

void NodeTableModel::readKernels() {
    m_kernels.clear();
    const auto run = m_document->run();
    for (const StepRecord& step : run->steps)
        for (const qint64 node : step.nodes)
            if (const auto at = run->nodeIndexByRow.constFind(node); at != run->nodeIndexByRow.cend()) m_kernels.insert(*at, text(step.kernel));
}

void NodeTableModel::refresh() {
    if (!m_rows.isEmpty()) emit dataChanged(index(0, Device), index(static_cast<int>(m_rows.size()) - 1, ColumnCount - 1));
}

void NodeTableModel::retranslate() {
    emit headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1);
    refresh();
}

int NodeTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int NodeTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

const OpStat* NodeTableModel::stat(quint32 node) const {
    const auto stats = m_document->stats();
    return node < stats->ops.size() && stats->ops[node].calls > 0 ? &stats->ops[node] : nullptr;
}

const NodePlacement* NodeTableModel::placement(quint32 node) const {
    const auto run = m_document->run();
    return node < static_cast<quint32>(run->placement.size()) ? &run->placement[static_cast<qsizetype>(node)] : nullptr;
}

bool NodeTableModel::estimated(quint32 node) const {
    const OpStat* op = stat(node);
    return op != nullptr && !op->fusedWith.empty();
}

double NodeTableModel::number(const Row& row, Column column) const {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    if (column == Work) return row.flops > 0 ? row.flops : kNone;
    const OpStat* op = stat(row.node);
    if (op == nullptr) return kNone;
    switch (column) {
        case Calls: return static_cast<double>(op->calls);
        case Total: return op->totalNs;
        case Mean: return op->meanNs;
        case P50: return op->p50Ns;
        case P95: return op->p95Ns;
        case Share: return op->share;
        case GFlops: return op->gflops > 0 ? op->gflops : kNone;
        case GBytes: return op->gbps > 0 ? op->gbps : kNone;
        default: return kNone;
    }
}

QString outcomeText(const QString& outcome) {
    if (outcome == QLatin1String("executed")) return QCoreApplication::translate("hs::ui::NodeTableModel", "executed");
    if (outcome == QLatin1String("fused")) return QCoreApplication::translate("hs::ui::NodeTableModel", "fused");
    if (outcome == QLatin1String("folded")) return QCoreApplication::translate("hs::ui::NodeTableModel", "folded");
    if (outcome == QLatin1String("eliminated")) return QCoreApplication::translate("hs::ui::NodeTableModel", "eliminated");
    if (outcome == QLatin1String("not_reached")) return QCoreApplication::translate("hs::ui::NodeTableModel", "not reached");
    return outcome;
}

QString NodeTableModel::display(const Row& row, Column column) const {
    const NodePlacement* place = placement(row.node);
    const OpStat* op = stat(row.node);
    switch (column) {
        case Name: return row.name;
        case OpType: return row.domain.isEmpty() || row.domain == QLatin1String("ai.onnx") ? row.opType : row.domain + u'.' + row.opType;
        case Device: return place != nullptr ? place->device : QString();
        case Executor: return place != nullptr ? place->executor : QString();
        case Kernel: return m_kernels.value(row.node);
        case Outcome: {
            const auto stats = m_document->stats();
            if (row.node < stats->ops.size() && !stats->ops[row.node].outcome.empty()) return outcomeText(text(stats->ops[row.node].outcome));
            return place != nullptr ? outcomeText(place->outcome) : QString();
        }
        case FusedWith: return op != nullptr ? text(op->fusedWith) : QString();
        case Subgraph: return row.graph;
        default: break;
    }
    const double value = number(row, column);
    if (std::isnan(value)) return {};
    const QString mark = estimated(row.node) && column != Calls && column != Work ? QStringLiteral("~") : QString();
    switch (column) {
        case Calls: return QLocale().toString(static_cast<qlonglong>(value));
        case Share: return mark + formatPercent(value);
        case Work: return formatCount(value);
        case GFlops:
        case GBytes: return mark + formatCount(value);
        default: return mark + formatDuration(value);
    }
}

QString NodeTableModel::exact(const Row& row, Column column) const {
    const double value = number(row, column);
    switch (column) {
        case Total:
        case Mean:
        case P50:
        case P95:
            if (std::isnan(value)) return {};
            return estimated(row.node) ? tr("%1 (this node's share of the fused group, by cost)").arg(exactDuration(value)) : exactDuration(value);
        case Share: return std::isnan(value) ? QString() : tr("%1 % of the time of all operators").arg(QLocale().toString(value * 100, 'f', 4));
        case Work: return std::isnan(value) ? QString() : tr("%1 floating-point operations").arg(QLocale().toString(value, 'f', 0));
        case GFlops: return std::isnan(value) ? QString() : tr("%1 GFLOP/s").arg(QLocale().toString(value, 'f', 4));
        case GBytes: return std::isnan(value) ? QString() : tr("%1 GB/s").arg(QLocale().toString(value, 'f', 4));
        case Device: {
            const NodePlacement* place = placement(row.node);
            if (place == nullptr) return {};
            const QString why = reasonText(place->reason, place->reasonText);
            if (place->requestedDevice.isEmpty() || place->requestedDevice == place->device)
                return place->device.isEmpty() ? why : why.isEmpty() ? place->device : place->device + QStringLiteral(": ") + why;
            return tr("requested %1, runs on %2: %3").arg(place->requestedDevice, place->device, why);
        }
        default: return display(row, column);
    }
}

QVariant NodeTableModel::sortKey(const Row& row, Column column) const {
    if (column >= Calls && column <= Work) {
        const double value = number(row, column);
        return std::isnan(value) ? -1.0 : value;
    }
    return display(row, column);
}

QVariant NodeTableModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
    const Row& row = m_rows[index.row()];
    const auto column = static_cast<Column>(index.column());
    const bool numeric = column >= Calls && column <= Work;
    switch (role) {
        case Qt::DisplayRole: return display(row, column);
        case Qt::ToolTipRole: return exact(row, column);
        case Qt::TextAlignmentRole: return QVariant::fromValue(Qt::Alignment(Qt::AlignVCenter | (numeric ? Qt::AlignRight : Qt::AlignLeft)));
        case SortRole: return sortKey(row, column);
        case NodeRole: return row.node;
        case ShareRole: return column == Share && stat(row.node) != nullptr ? QVariant(stat(row.node)->share) : QVariant();
        case ExportRole: {
            const double value = number(row, column);
            return numeric ? (std::isnan(value) ? QString() : QString::number(value, 'g', 15)) : display(row, column);
        }
        case Qt::FontRole: {
            if (!numeric || column == Calls || column == Work || !estimated(row.node)) return {};
            QFont font;
            font.setItalic(true);
            return font;
        }
        case Qt::DecorationRole: {
            const NodePlacement* place = placement(row.node);
            if (column != Device || place == nullptr || place->device.isEmpty()) return {};
            return deviceBadgeIcon(*m_theme, place->device, place->deviceIndex, 14, 2.0);
        }
        case Qt::ForegroundRole: {
            const NodePlacement* place = placement(row.node);
            const bool moved = place != nullptr && !place->requestedDevice.isEmpty() && place->requestedDevice != place->device;
            return column == Device && moved ? QVariant(m_theme->color(Token::Warning)) : QVariant();
        }
        default: return {};
    }
}

QVariant NodeTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount) return {};
    if (role == ExportRole) return QLatin1String(kExportNames[static_cast<std::size_t>(section)]);
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::Alignment(Qt::AlignVCenter | (section >= Calls && section <= Work ? Qt::AlignRight : Qt::AlignLeft)));
    if (role != Qt::DisplayRole) return {};
    switch (static_cast<Column>(section)) {
        case Name: return tr("Node");
        case OpType: return tr("Operator");
        case Device: return tr("Device");
        case Executor: return tr("Executor");
        case Kernel: return tr("Kernel");
        case Calls: return tr("Calls");
        case Total: return tr("Total");
        case Mean: return tr("Mean");
        case P50: return tr("Median");
        case P95: return tr("P95");
        case Share: return tr("Share");
        case GFlops: return tr("GFLOP/s");
        case GBytes: return tr("GB/s");
        case Work: return tr("FLOPs");
        case Outcome: return tr("Outcome");
        case FusedWith: return tr("Fused group");
        case Subgraph: return tr("Subgraph");
        case ColumnCount: break;
    }
    return {};
}

}  // namespace hs::ui
