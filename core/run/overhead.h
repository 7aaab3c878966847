// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

namespace hs {

/// What recording adds to a run, as a fraction of the run's time, and how well that is known.
struct OverheadEstimate {
    double relative = 0;  ///< Below `noise` in size: nothing was measurable.
    double noise = 0;     ///< Half the width of the 95 % interval; with fewer than 8 pairs half the range of the differences.
    int pairs = 0;
};

/// From pairs of neighbouring runs, (with, without) recording, in any one unit. Compares lower quartiles, since whatever else
/// the machine does only ever adds to a run. The interval is a percentile bootstrap over the pairs (Efron 1979), which
/// resamples both runs of a pair together, so that a slow drift of the machine cancels. Always the same for the same pairs.
OverheadEstimate estimateOverhead(const std::vector<std::pair<double, double>>& pairs);

}  // namespace hs
