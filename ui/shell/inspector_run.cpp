// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDateTime>
#include <QJsonObject>
#include <QLocale>
#include <algorithm>
#include <cmath>

#include "ui/models/run_facts.h"
#include "ui/models/run_list_model.h"
#include "ui/models/theme.h"
#include "ui/shell/inspector_text.h"

namespace hs::ui {
namespace {

constexpr std::size_t kMostMessages = 20;

QString text(const std::string& s) {
    return QString::fromStdString(s).toHtmlEscaped();
}

}  // namespace

QString InspectorText::duration(const QJsonObject& from, const char* key, const QString& name) const {
    const QJsonValue ms = from.value(QLatin1String(key));
    return ms.isDouble() ? row(name, formatDuration(ms.toDouble() * 1e6), exactDuration(ms.toDouble() * 1e6)) : QString();
}

QString InspectorText::runFacts() const {
    if (!m_document.hasRun()) return {};
    const RunInfo& run = m_document.stats()->info;
    const QJsonObject result = runResult(run);
    const QJsonObject latency = result.value(QLatin1String("latency")).toObject();
    QString rows = row(tr("Status"), runStatusText(QString::fromStdString(run.status)).toHtmlEscaped());
    if (const QDateTime at = QDateTime::fromString(QString::fromStdString(run.startedAt), Qt::ISODate); at.isValid())
        rows += row(tr("Started"), QLocale().toString(at.toLocalTime(), QLocale::ShortFormat));
    rows += row(tr("Message"), text(run.message));
    if (latency.contains(QLatin1String("runs"))) rows += row(tr("Measured runs"), QLocale().toString(latency.value(QLatin1String("runs")).toInt()));
    if (result.contains(QLatin1String("throughput_per_s")))
        rows += row(tr("Throughput"), tr("%1 samples/s").arg(formatCount(result.value(QLatin1String("throughput_per_s")).toDouble())));
    if (result.contains(QLatin1String("peak_rss_bytes"))) {
        const double bytes = result.value(QLatin1String("peak_rss_bytes")).toDouble();
        rows += row(tr("Peak memory of the process"), formatBytes(bytes), exactBytes(bytes));
    }
    QString once = duration(result, "load_ms", tr("Loading the model"));
    once += duration(result, "plan_ms", tr("Planning"));
    once += duration(result, "first_run_ms", tr("First run"));
    const QString waits = duration(latency, "median_ms", tr("Median")) + duration(latency, "mean_ms", tr("Mean")) + duration(latency, "min_ms", tr("Fastest")) +
                          duration(latency, "p90_ms", tr("90th percentile")) + duration(latency, "p99_ms", tr("99th percentile")) +
                          duration(latency, "stddev_ms", tr("Standard deviation"));
    QString recorded = row(tr("Recorded"), recordingText(run).toHtmlEscaped()) + row(tr("Cost of profiling"), overheadText(run));
    return section(run.label.empty() ? tr("Run %1").arg(run.id) : text(run.label), rows) + section(tr("Latency"), waits) +
           section(tr("One iteration"), iterationFacts()) + section(tr("Once a run"), once) + section(tr("Recording"), recorded) + messages();
}

/// Operators may run side by side or leave gaps: their sum is not the time that a person waits.
QString InspectorText::iterationFacts() const {
    const IterationTime time = iterationTime(*m_document.stats());
    QString rows;
    if (time.wallNs > 0) rows += row(tr("Wall time, mean"), formatDuration(time.wallNs), exactDuration(time.wallNs));
    if (time.sumNs > 0) rows += row(tr("Sum of operators"), formatDuration(time.sumNs), exactDuration(time.sumNs));
    if (!time.known()) return rows;
    const double gap = time.gapNs();
    rows += row(gap >= 0 ? tr("Gap (idle, launch, copy, wait)") : tr("Overlap of operators"),
                tr("%1 (%2)").arg(formatDuration(std::abs(gap)), formatPercent(std::abs(gap) / time.wallNs)), exactDuration(std::abs(gap)));
    for (const auto& [name, ns] : time.parts)
        rows += row(QStringLiteral("– ") + name.toHtmlEscaped(), formatDuration(ns), exactDuration(ns));
    return rows;
}

QString InspectorText::messages() const {
    const auto& all = m_document.stats()->messages;
    QString html;
    for (std::size_t i = 0; i < std::min(all.size(), kMostMessages); ++i) {
        const QString line = text(all[i].text);
        html += all[i].severity == "info" ? QStringLiteral("<p style='margin:2px 0'>%1</p>").arg(line) : warning(line);
    }
    return html.isEmpty() ? QString() : QStringLiteral("<p style='margin:10px 0 2px 0'><b>%1</b></p>%2").arg(tr("Messages"), html);
}

}  // namespace hs::ui
