// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/run_facts.h"

#include <QCoreApplication>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLocale>
#include <algorithm>
#include <cmath>

#include "ui/models/run_list_model.h"
#include "ui/models/theme.h"

namespace hs::ui {
namespace {

struct RunFacts {
    Q_DECLARE_TR_FUNCTIONS(hs::ui::RunFacts)
};

QJsonObject object(const std::string& json) {
    return QJsonDocument::fromJson(QByteArray::fromStdString(json)).object();
}

}  // namespace

IterationTime iterationTime(const RunStats& stats) {
    IterationTime out;
    const QJsonObject result = runResult(stats.info);
    const QJsonValue mean = result[QLatin1String("latency")].toObject().value(QLatin1String("mean_ms"));
    if (mean.isDouble()) out.wallNs = mean.toDouble() * 1e6;
    double sum = 0;
    qint64 calls = 0;
    for (const OpStat& op : stats.ops) {
        sum += op.totalNs;
        calls = std::max<qint64>(calls, op.calls);
    }
    if (calls > 0) out.sumNs = sum / static_cast<double>(calls);
    return out;
}

QString iterationText(const RunStats& stats) {
    const IterationTime time = iterationTime(stats);
    if (!time.known()) return {};
    const QString wall = formatDuration(time.wallNs);
    const QString sum = formatDuration(time.sumNs);
    const double gap = time.gapNs();
    return gap >= 0 ? RunFacts::tr("per iteration: wall %1 = operators %2 + gap %3 (idle, launch, copy, wait)").arg(wall, sum, formatDuration(gap))
                    : RunFacts::tr("per iteration: wall %1 = operators %2 − overlap %3").arg(wall, sum, formatDuration(-gap));
}

QString recordingText(const RunInfo& run) {
    const QJsonObject recording = object(run.recordingJson);
    if (recording.isEmpty()) return {};
    const int iterations = recording[QLatin1String("iterations")].toInt();
    const int detailed = recording[QLatin1String("detailed_iterations")].toInt(iterations);
    const int every = recording[QLatin1String("detail_every")].toInt(1);
    QString words = recording[QLatin1String("mode")].toString() == QLatin1String("full") || (every <= 1 && detailed >= iterations)
                        ? RunFacts::tr("every span of every iteration")
                        : RunFacts::tr("sampled: spans of 1 iteration in %1 (%2 of %3), statistics of all").arg(every).arg(detailed).arg(iterations);
    const double dropped = recording[QLatin1String("dropped")].toDouble();
    if (dropped > 0) words += QStringLiteral(" · ") + RunFacts::tr("%1 events dropped").arg(QLocale().toString(dropped, 'f', 0));
    return words;
}

QString overheadText(const RunInfo& run) {
    const QJsonValue overhead = runResult(run).value(QLatin1String("profile_overhead"));
    return overhead.isDouble() ? formatPercent(overhead.toDouble()) : QString();
}

QString runSummary(const RunInfo& run) {
    QStringList lines = {(run.label.empty() ? RunFacts::tr("Run %1").arg(run.id) : QString::fromStdString(run.label)) + QStringLiteral(": ") +
                         runStatusText(QString::fromStdString(run.status))};
    if (const double median = medianNs(run); !std::isnan(median)) lines << RunFacts::tr("Median: %1").arg(exactDuration(median));
    if (const QString recorded = recordingText(run); !recorded.isEmpty()) lines << RunFacts::tr("Recorded: %1").arg(recorded);
    if (const QString overhead = overheadText(run); !overhead.isEmpty()) lines << RunFacts::tr("Cost of profiling: %1").arg(overhead);
    if (!run.message.empty()) lines << QString::fromStdString(run.message);
    return lines.join(u'\n');
}

}  // namespace hs::ui
