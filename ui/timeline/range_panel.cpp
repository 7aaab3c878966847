// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/range_panel.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QVBoxLayout>

#include "ui/models/theme.h"

namespace hs::ui {

RangePanel::RangePanel(QWidget* parent) : QWidget(parent), m_top(new QLabel(this)), m_close(new QToolButton(this)) {
    setAutoFillBackground(true);
    auto* row = new QHBoxLayout;
    row->setSpacing(20);
    for (std::size_t i = 0; i < FieldCount; ++i) {
        auto* cell = new QVBoxLayout;
        cell->setSpacing(0);
        m_names[i] = new QLabel(this);
        m_names[i]->setForegroundRole(QPalette::PlaceholderText);
        m_values[i] = new QLabel(this);
        m_values[i]->setTextInteractionFlags(Qt::TextSelectableByMouse);
        cell->addWidget(m_names[i]);
        cell->addWidget(m_values[i]);
        row->addLayout(cell);
    }
    row->addStretch(1);
    m_close->setText(QStringLiteral("✕"));
    m_close->setAutoRaise(true);
    row->addWidget(m_close, 0, Qt::AlignTop);
    connect(m_close, &QToolButton::clicked, this, &RangePanel::closed);
    m_top->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_top->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(10, 6, 8, 6);
    column->setSpacing(4);
    column->addLayout(row);
    column->addWidget(m_top);
    retranslate();
}

void RangePanel::retranslate() {
    const std::array<QString, FieldCount> names = {tr("Range"), tr("Spans"), tr("Total"), tr("Mean"), tr("Median"), tr("95th percentile"), tr("Busy")};
    for (std::size_t i = 0; i < FieldCount; ++i) {
        m_names[i]->setText(names[i]);
        m_values[i]->setAccessibleName(names[i]);
    }
    setAccessibleName(tr("Statistics of the selected time range"));
    m_close->setToolTip(tr("Clear the range (Esc)"));
    m_close->setAccessibleName(m_close->toolTip());
    m_top->setAccessibleName(tr("Operators with most time in the range"));
    if (m_stats)
        showStats(*m_stats);
    else if (!m_top->text().isEmpty())
        m_stats.reset();
    m_top->setText(tr("Counting …"));
}

void RangePanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QWidget::changeEvent(event);
}

void RangePanel::showPending(qint64 fromNs, qint64 toNs) {
    m_values[Range]->setText(formatDuration(static_cast<double>(toNs - fromNs)));
    m_values[Range]->setToolTip(exactDuration(static_cast<double>(toNs - fromNs)));
    for (std::size_t i = Count; i < FieldCount; ++i)
        m_values[i]->setText(QStringLiteral("…"));
    m_top->setText(tr("Counting …"));
}

void RangePanel::showStats(const RangeStats& shown) {
    m_stats = shown;
    const RangeStats& stats = *m_stats;
    const QString least = stats.truncated ? QStringLiteral("≥ ") : QString();
    m_values[Count]->setText(least + QStringLiteral("%L1").arg(stats.count));
    const auto set = [&](Field field, double ns, const QString& prefix = {}) {
        m_values[field]->setText(stats.count > 0 ? prefix + formatDuration(ns) : QStringLiteral("–"));
        m_values[field]->setToolTip(exactDuration(ns));
    };
    set(Total, stats.totalNs, least);
    set(Mean, stats.meanNs);
    set(P50, stats.p50Ns);
    set(P95, stats.p95Ns);
    m_values[Busy]->setText(least + formatPercent(stats.busyShare));
    QStringList top;
    for (const auto& entry : stats.top)
        top << QStringLiteral("%1 %2 (%L3 ×)").arg(QString::fromStdString(entry.opType), formatDuration(entry.ns)).arg(entry.count);
    m_top->setText(top.isEmpty() ? tr("Nothing ran in this range") : top.join(QStringLiteral("   ·   ")));
    m_top->setToolTip(stats.truncated ? tr("Only the first %L1 spans of the range were read").arg(stats.count) : QString());
}

}  // namespace hs::ui
