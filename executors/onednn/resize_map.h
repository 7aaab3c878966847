// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "core/graph/model.h"

namespace hs::dnn {

/// How ONNX's Resize (and Upsample) maps an output position of one axis to the input.
struct ResizeRule {
    bool linear = false;
    std::string transform;  ///< coordinate_transformation_mode
    std::string nearest;    ///< nearest_mode
};

/// The rule that a node asks for, with the defaults of its opset. `mode` may be one that is neither nearest nor linear;
/// the caller checks.
ResizeRule resizeRule(const Node& node);

/// Does oneDNN's fixed rule (half-pixel; nearest rounds halves up) give the same for every output position of this axis?
/// Compared position by position: the answer depends on the sizes.
bool sameAsOneDnn(const ResizeRule& rule, std::int64_t in, std::int64_t out, double scale);

}  // namespace hs::dnn
