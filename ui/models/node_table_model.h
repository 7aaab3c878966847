// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QPointer>
#include <QVector>

#include "ui/models/document.h"

namespace hs::ui {

class Theme;

/// Every node of the open model (or of the session, where the model is gone) as one row, with what the current run measured.
class NodeTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    // clang-format off
    enum Column { Name, OpType, Device, Executor, Calls, Total, Mean, P50, P95, Share, GFlops, GBytes, Work, Kernel, Outcome, FusedWith, Subgraph, ColumnCount };
    // clang-format on
    enum Role {
        SortRole = Qt::UserRole,  ///< Number or text to sort by.
        NodeRole,                 ///< quint32: NodeId index.
        ShareRole,                ///< double 0 … 1 for the in-cell bar; invalid: no bar.
        ExportRole,               ///< Full-precision text for files.
    };

    NodeTableModel(Document* document, const Theme* theme, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

    /// What a row is about, wherever it came from.
    struct Row {
        quint32 node = 0;
        QString name, opType, domain, graph;
        double flops = 0;
    };
    const Row& row(int index) const { return m_rows[index]; }
    const OpStat* stat(quint32 node) const;
    const NodePlacement* placement(quint32 node) const;
    const Document& document() const { return *m_document; }
    /// Row of a node, -1 where it has none.
    int rowOf(quint32 node) const { return node < static_cast<quint32>(m_rowOf.size()) ? m_rowOf[node] : -1; }
    /// True where a fused group was measured and this is the node's share of it: shown as an estimate.
    bool estimated(quint32 node) const;

public slots:
    void retranslate();

private:
    void rebuild();
    void readKernels();
    void refresh();
    QString display(const Row& row, Column column) const;
    QString exact(const Row& row, Column column) const;
    QVariant sortKey(const Row& row, Column column) const;
    double number(const Row& row, Column column) const;

    Document* m_document;
    const Theme* m_theme;
    QVector<Row> m_rows;
    QVector<int> m_rowOf;
    QHash<quint32, QString> m_kernels;  ///< By NodeId index.
};

/// The outcome of a node in the person's language ("executed", "fused" …).
QString outcomeText(const QString& outcome);

/// One row per operator type: how many nodes, calls and how much time.
class OpTypeModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { OpType, Nodes, Calls, Total, Share, Mean, ColumnCount };

    explicit OpTypeModel(NodeTableModel* nodes, QObject* parent = nullptr);
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

public slots:
    void retranslate();

private:
    struct Row {
        QString opType;
        qint64 nodes = 0, calls = 0;
        double totalNs = 0, share = 0;
        bool operator==(const Row&) const = default;
    };
    void rebuild();
    double number(const Row& row, int column) const;

    NodeTableModel* m_nodes;
    QVector<Row> m_rows;
};

}  // namespace hs::ui
