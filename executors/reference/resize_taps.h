// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "executors/reference/call.h"

namespace hs::ref {

/// The attributes of Resize that decide how one output position is made.
struct ResizeMode {
    std::string mode;         ///< "nearest", "linear", "cubic"
    std::string coordinates;  ///< coordinate_transformation_mode
    std::string nearest;      ///< nearest_mode, or "simple": below, above when shrinking
    double cubicA = -0.75;
    bool excludeOutside = false;
    bool antialias = false;
    double extrapolation = 0;
};

/// BadInput for a spelling that is not known.
Status checkMode(const Call& call, const ResizeMode& mode);

/// The input elements that make one output position, and their weights.
struct Taps {
    std::vector<std::int64_t> indices;
    std::vector<double> weights;
    bool outside = false;  ///< tf_crop_and_resize: the position lies beyond the input
};

/// Taps for every output position of one axis. Follows the definition of Resize-19: coordinates, then the weights of the
/// 2 (nearest, linear) or 4 (cubic; Keys 1981) neighbours, widened by 1/scale when antialiasing a shrinking axis.
std::vector<Taps> resizeTaps(const ResizeMode& mode, std::int64_t input, std::int64_t output, double scale, double roiStart, double roiEnd);

}  // namespace hs::ref
