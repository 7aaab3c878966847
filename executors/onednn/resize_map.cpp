// SPDX-License-Identifier: Apache-2.0
#include "executors/onednn/resize_map.h"

#include <algorithm>
#include <cmath>

namespace hs::dnn {
namespace {

/// ONNX operator specification, Resize, coordinate_transformation_mode. The reference computes in float, which decides ties.
float onnxPosition(const ResizeRule& rule, std::int64_t x, std::int64_t in, std::int64_t out, float scale) {
    const auto position = static_cast<float>(x);
    if (rule.transform == "asymmetric") return position / scale;
    if (rule.transform == "align_corners") return out == 1 ? 0.0F : position * static_cast<float>(in - 1) / static_cast<float>(out - 1);
    const float half = (position + 0.5F) / scale - 0.5F;
    if (rule.transform == "pytorch_half_pixel") return out > 1 ? half : 0.0F;
    if (rule.transform == "half_pixel_symmetric") {
        const auto inSize = static_cast<float>(in);
        const float adjustment = static_cast<float>(out) / (scale * inSize);
        return inSize / 2 * (1 - adjustment) + half;
    }
    return half;
}

float onnxNearest(const ResizeRule& rule, float position) {
    if (rule.nearest == "floor") return std::floor(position);
    if (rule.nearest == "ceil") return std::ceil(position);
    if (rule.nearest == "round_prefer_ceil") return std::floor(position + 0.5F);
    return std::ceil(position - 0.5F);
}

/// linear_map of oneDNN's resampling: ((o + 1/2) · I / O) - 1/2
float oneDnnPosition(std::int64_t x, std::int64_t in, std::int64_t out) {
    return (static_cast<float>(x) + 0.5F) * static_cast<float>(in) / static_cast<float>(out) - 0.5F;
}

}  // namespace

ResizeRule resizeRule(const Node& node) {
    ResizeRule rule;
    rule.linear = node.stringOr("mode", "nearest") == "linear";
    if (node.opType == "Upsample" || node.opset < 11) {
        rule.transform = "asymmetric";
        rule.nearest = "floor";
        return rule;
    }
    rule.transform = node.stringOr("coordinate_transformation_mode", "half_pixel");
    rule.nearest = node.stringOr("nearest_mode", "round_prefer_floor");
    return rule;
}

bool sameAsOneDnn(const ResizeRule& rule, std::int64_t in, std::int64_t out, double scale) {
    constexpr float kTolerance = 1e-4F;  // of a pixel: weights this close give values this close
    const auto last = static_cast<float>(in - 1);
    for (std::int64_t x = 0; x < out; ++x) {
        const float wanted = onnxPosition(rule, x, in, out, static_cast<float>(scale));
        const float given = oneDnnPosition(x, in, out);
        if (rule.linear) {
            if (std::abs(std::clamp(wanted, 0.0F, last) - std::clamp(given, 0.0F, last)) > kTolerance) return false;
        } else {
            // so near a tie that rounding in another order may fall to the other side
            if (std::abs(std::abs(given - std::trunc(given)) - 0.5F) < kTolerance) return false;
            if (std::clamp(onnxNearest(rule, wanted), 0.0F, last) != std::clamp(std::round(given), 0.0F, last)) return false;
        }
    }
    return true;
}

}  // namespace hs::dnn
