// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QJsonObject>
#include <vector>

#include "ui/models/document.h"

namespace hs::ui {

/// The JSON result of a run as the runner stored it; empty while it goes on.
QJsonObject runResult(const RunInfo& run);
/// Median latency in ns; NaN where the run has none.
double medianNs(const RunInfo& run);
/// "finished" … in the person's language.
QString runStatusText(const QString& status);

/// The runs of the open session, newest first.
class RunListModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Run, Status, Median, Started, ColumnCount };
    enum Role { RunIdRole = Qt::UserRole };

    explicit RunListModel(Document* document, QObject* parent = nullptr);
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    /// Row of a run, -1 where it has none.
    int rowOf(qint64 runId) const;

public slots:
    void retranslate();

private:
    void rebuild();
    Document* m_document;
    std::vector<RunInfo> m_runs;
};

}  // namespace hs::ui
