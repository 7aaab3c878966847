// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <QVector>
#include <limits>
#include <utility>

#include "ui/models/document.h"

namespace hs::ui {

/// Where the time of one iteration of a run goes, in ns; NaN where the run doesn't say.
struct IterationTime {
    double wallNs = std::numeric_limits<double>::quiet_NaN();  ///< Mean time that a person waits for an iteration.
    double sumNs = std::numeric_limits<double>::quiet_NaN();   ///< Sum of the mean times of its operators.
    /// Named parts of the gap as the runner measured them; empty where it only knows the whole.
    QVector<std::pair<QString, double>> parts;
    /// What no operator accounts for; negative where operators overlap.
    double gapNs() const { return wallNs - sumNs; }
    bool known() const { return wallNs > 0 && sumNs > 0; }
};
IterationTime iterationTime(const RunStats& stats);
/// "wall 1.45 s = sum of operators 1.44 s + gap 6.12 ms (idle, launch, copy, wait)"; empty where it is not known.
QString iterationText(const RunStats& stats);

/// How much of the run was recorded: every span, or those of every k-th iteration; and whether something was dropped.
QString recordingText(const RunInfo& run);
/// Cost of profiling as a share of the time of an iteration; empty where it was not measured.
QString overheadText(const RunInfo& run);
/// A run on a few lines, for a tooltip.
QString runSummary(const RunInfo& run);

}  // namespace hs::ui
