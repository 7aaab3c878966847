// SPDX-License-Identifier: Apache-2.0
#include "executors/reference/resize_taps.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace hs::ref {
namespace {

template <std::size_t N>
bool among(const std::string& text, const std::array<const char*, N>& known) {
    return std::find(known.begin(), known.end(), text) != known.end();
}

struct AxisSizes {
    std::int64_t input, output;
    double scale, roiStart, roiEnd;
};

/// Where output position x lies in the input.
double original(const std::string& how, double x, const AxisSizes& s) {
    const auto in = static_cast<double>(s.input);
    const double out = s.scale * in;  // not rounded: the definition works on the exact product
    if (how == "align_corners") return out == 1 ? 0 : x * (in - 1) / (out - 1);
    if (how == "asymmetric") return x / s.scale;
    if (how == "tf_crop_and_resize") {
        const double span = (s.roiEnd - s.roiStart) * (in - 1);
        return s.roiStart * (in - 1) + (out == 1 ? span / 2 : x * span / (out - 1));
    }
    if (how == "pytorch_half_pixel") return out == 1 ? -0.5 : (x + 0.5) / s.scale - 0.5;
    if (how == "tf_half_pixel_for_nn") return (x + 0.5) / s.scale;
    if (how == "half_pixel_symmetric") {
        const double adjustment = static_cast<double>(s.output) / out;
        return in / 2 * (1 - adjustment) + (x + 0.5) / s.scale - 0.5;
    }
    return (x + 0.5) / s.scale - 0.5;
}

double cubic(double x, double a) {
    x = std::fabs(x);
    if (x <= 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
    return x < 2 ? (((x - 5) * x + 8) * x - 4) * a : 0;
}

/// Weights of the elements base+first, base+first+1, …, for a point `ratio` beyond base.
std::vector<double> weights(const ResizeMode& mode, double ratio, double scale, std::int64_t& first) {
    std::vector<double> out;
    if (mode.mode == "nearest") {
        bool upper = true;
        if (ratio != 1) {
            if (mode.nearest == "round_prefer_floor") upper = ratio > 0.5;
            if (mode.nearest == "round_prefer_ceil") upper = ratio >= 0.5;
            if (mode.nearest == "floor") upper = false;
            if (mode.nearest == "simple") upper = scale < 1;
        }
        first = 0;
        return {upper ? 0.0 : 1.0, upper ? 1.0 : 0.0};
    }
    const bool linear = mode.mode == "linear";
    const double shrink = mode.antialias ? std::max(std::min(scale, 1.0), 1e-6) : 1;
    first = static_cast<std::int64_t>(std::floor((linear ? -1 : -2) / shrink)) + 1;
    double sum = 0;
    for (std::int64_t i = first; i <= 1 - first; ++i) {
        const double distance = (static_cast<double>(i) - ratio) * shrink;
        out.push_back(linear ? std::max(0.0, 1 - std::fabs(distance)) : cubic(distance, mode.cubicA));
        sum += out.back();
    }
    for (double& w : out)
        w /= sum;
    return out;
}

}  // namespace

Status checkMode(const Call& call, const ResizeMode& mode) {
    if (!among<3>(mode.mode, {"nearest", "linear", "cubic"})) return call.bad("mode \"{}\" is not known", mode.mode);
    if (!among<7>(mode.coordinates,
                  {"half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners", "asymmetric", "tf_crop_and_resize", "tf_half_pixel_for_nn"}))
        return call.bad("coordinate_transformation_mode \"{}\" is not known", mode.coordinates);
    if (!among<5>(mode.nearest, {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil", "simple"}))
        return call.bad("nearest_mode \"{}\" is not known", mode.nearest);
    return {};
}

std::vector<Taps> resizeTaps(const ResizeMode& mode, std::int64_t input, std::int64_t output, double scale, double roiStart, double roiEnd) {
    std::vector<Taps> out;
    const AxisSizes sizes{input, output, scale, roiStart, roiEnd};
    for (std::int64_t x = 0; x < output; ++x) {
        const double at = original(mode.coordinates, static_cast<double>(x), sizes);
        Taps taps;
        taps.outside = mode.coordinates == "tf_crop_and_resize" && !(at >= 0 && at <= static_cast<double>(input - 1));
        const double safe = std::isfinite(at) ? std::clamp(at, -1e12, 1e12) : 0;
        const double below = std::floor(safe);
        const bool whole = below == safe;  // then the point is its own upper neighbour
        const std::int64_t base = static_cast<std::int64_t>(below) - (whole ? 1 : 0);
        std::int64_t first = 0;
        std::vector<double> w = weights(mode, whole ? 1 : safe - below, scale, first);
        if (mode.excludeOutside) {
            double sum = 0;
            for (std::size_t k = 0; k < w.size(); ++k) {
                const std::int64_t index = base + first + static_cast<std::int64_t>(k);
                if (index < 0 || index >= input) w[k] = 0;
                sum += w[k];
            }
            for (double& v : w)
                v = sum == 0 ? 0 : v / sum;
        }
        for (std::size_t k = 0; k < w.size(); ++k) {
            if (w[k] == 0) continue;
            taps.indices.push_back(std::clamp<std::int64_t>(base + first + static_cast<std::int64_t>(k), 0, input - 1));
            taps.weights.push_back(w[k]);
        }
        out.push_back(std::move(taps));
    }
    return out;
}

}  // namespace hs::ref
