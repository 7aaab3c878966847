// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "executors/reference/registry.h"
#include "executors/reference/resize_taps.h"
#include "executors/reference/values.h"

namespace hs::ref {
namespace {

/// What one axis of the input becomes.
struct AxisPlan {
    std::size_t axis = 0;
    std::int64_t size = 0;  ///< Of the output.
    double scale = 1;
    double roiStart = 0, roiEnd = 1;
};

bool given(const Call& c, std::size_t i) {
    return c.has(i) && c.in(i).count() != 0;
}

double roundHalfUp(double v) {
    return std::floor(v + 0.5);
}

Status setSize(const Call& c, AxisPlan& plan, double size) {
    if (!(size >= 0 && size <= static_cast<double>(kMaxElements))) return c.bad("an output size of {} is out of range", size);
    plan.size = static_cast<std::int64_t>(size);
    return {};
}

Status planFromSizes(Call& c, std::size_t input, std::vector<AxisPlan>& plans) {
    const Dims& dims = c.dims(0);
    HS_TRY(const Values sizes, values(c, input));
    if (sizes.size() != plans.size()) return c.bad("sizes has {} elements for {} axes", sizes.size(), plans.size());
    const std::string policy = c.node().stringOr("keep_aspect_ratio_policy", "stretch");
    double common = 0;
    for (std::size_t i = 0; i < plans.size(); ++i) {
        const auto from = static_cast<double>(dims[plans[i].axis]);
        plans[i].scale = from == 0 ? 1 : sizes[i] / from;
        if (i == 0 || (policy == "not_larger" ? plans[i].scale < common : plans[i].scale > common)) common = plans[i].scale;
    }
    for (std::size_t i = 0; i < plans.size(); ++i) {
        if (policy != "stretch") plans[i].scale = common;
        HS_CHECK(setSize(c, plans[i], policy == "stretch" ? sizes[i] : roundHalfUp(common * static_cast<double>(dims[plans[i].axis]))));
    }
    return {};
}

Status planFromScales(Call& c, const Values& scales, std::vector<AxisPlan>& plans) {
    if (scales.size() != plans.size()) return c.bad("scales has {} elements for {} axes", scales.size(), plans.size());
    for (std::size_t i = 0; i < plans.size(); ++i) {
        if (!(scales[i] > 0)) return c.bad("a scale must be positive, not {}", scales[i]);
        plans[i].scale = scales[i];
        // In float32, so that 10 × 0.7 is 7.
        HS_CHECK(setSize(c, plans[i], static_cast<double>(std::floor(static_cast<float>(c.dims(0)[plans[i].axis]) * static_cast<float>(scales[i])))));
    }
    return {};
}

Result<std::vector<AxisPlan>> axisPlans(Call& c) {
    std::vector<AxisPlan> plans;
    std::vector<std::int64_t> axes = c.node().intsOr("axes");
    if (axes.empty())
        for (std::size_t d = 0; d < c.dims(0).size(); ++d)
            axes.push_back(static_cast<std::int64_t>(d));
    HS_CHECK(c.axes(axes, c.dims(0).size()));
    for (const std::int64_t a : axes) {
        AxisPlan plan;
        HS_TRY(plan.axis, c.axis(a, c.dims(0).size()));
        plans.push_back(plan);
    }
    return plans;
}

/// One pass along one axis.
Values resample(const Values& x, const AxisView& from, const std::vector<Taps>& taps, double outside) {
    const auto size = static_cast<std::int64_t>(taps.size());
    Values y(static_cast<std::size_t>(from.outer * size * from.inner));
    std::size_t at = 0;
    for (std::int64_t o = 0; o < from.outer; ++o)
        for (const Taps& tap : taps)
            for (std::int64_t i = 0; i < from.inner; ++i) {
                double sum = 0;
                for (std::size_t k = 0; k < tap.indices.size(); ++k)
                    sum += tap.weights[k] * x[from.at(o, tap.indices[k], i)];
                y[at++] = tap.outside ? outside : sum;
            }
    return y;
}

Status apply(Call& c, const std::vector<AxisPlan>& plans, const ResizeMode& mode) {
    Dims dims = c.dims(0);
    for (const AxisPlan& plan : plans)
        dims[plan.axis] = plan.size;
    if (!elementCount(dims)) return c.bad("the output {} is too large", toString(dims));
    if (c.in(0).count() == 0 && product(dims) != 0) return c.bad("an empty input cannot be resized to {}", toString(dims));
    HS_CHECK(c.out(0, c.declared(), dims));  // a size that does not fit into memory fails before any work
    HS_TRY(Values x, values(c, 0));
    Dims now = c.dims(0);
    for (const AxisPlan& plan : plans) {
        const std::int64_t size = now[plan.axis];
        if (plan.size == size && plan.scale == 1 && mode.coordinates != "tf_crop_and_resize") continue;
        const auto taps = resizeTaps(mode, size, plan.size, plan.scale, plan.roiStart, plan.roiEnd);
        x = resample(x, AxisView(now, plan.axis), taps, mode.extrapolation);
        now[plan.axis] = plan.size;
    }
    return emit(c, 0, c.declared(), now, x);
}

/// Opset 10 and Upsample: corner-aligned coordinates x / scale; nearest takes the element below (above when shrinking).
Status resizeOld(Call& c) {
    HS_CHECK(c.need(1));
    ResizeMode mode;
    mode.mode = c.node().stringOr("mode", "nearest");
    if (mode.mode == "bilinear") mode.mode = "linear";
    mode.coordinates = "asymmetric";
    mode.nearest = "simple";
    HS_TRY(std::vector<AxisPlan> plans, axisPlans(c));
    Values scales;
    if (given(c, 1)) {
        HS_TRY(scales, values(c, 1));
    } else {
        for (const float s : c.node().getOr<std::vector<float>>("scales", {}))
            scales.push_back(static_cast<double>(s));
        if (scales.empty())  // Upsample of opset 1
            scales = {1, 1, static_cast<double>(c.node().floatOr("height_scale", 1)), static_cast<double>(c.node().floatOr("width_scale", 1))};
    }
    HS_CHECK(checkMode(c, mode));
    HS_CHECK(planFromScales(c, scales, plans));
    return apply(c, plans, mode);
}

Status resize(Call& c) {
    HS_CHECK(c.need(1));
    ResizeMode mode;
    mode.mode = c.node().stringOr("mode", "nearest");
    mode.coordinates = c.node().stringOr("coordinate_transformation_mode", "half_pixel");
    mode.nearest = c.node().stringOr("nearest_mode", "round_prefer_floor");
    mode.cubicA = c.node().floatOr("cubic_coeff_a", -0.75F);
    mode.excludeOutside = c.node().intOr("exclude_outside", 0) != 0;
    mode.antialias = c.node().intOr("antialias", 0) != 0;
    mode.extrapolation = c.node().floatOr("extrapolation_value", 0.0F);
    HS_CHECK(checkMode(c, mode));
    HS_TRY(std::vector<AxisPlan> plans, axisPlans(c));
    if (given(c, 3)) {
        HS_CHECK(planFromSizes(c, 3, plans));
    } else {
        if (!given(c, 2)) return c.bad("neither scales nor sizes are given");
        HS_TRY(const Values scales, values(c, 2));
        HS_CHECK(planFromScales(c, scales, plans));
    }
    if (mode.coordinates == "tf_crop_and_resize") {
        HS_TRY(const Values roi, values(c, 1));
        if (roi.size() != plans.size() * 2) return c.bad("roi must have {} elements", plans.size() * 2);
        for (std::size_t i = 0; i < plans.size(); ++i) {
            plans[i].roiStart = roi[i];
            plans[i].roiEnd = roi[i + plans.size()];
        }
    }
    return apply(c, plans, mode);
}

const Operator kOperators[] = {
    {"Resize", resize, kNumbers, Widen::None, 0, 11},
    {"Resize", resizeOld, kNumbers, Widen::None, 0, 10, 10},
    {"Upsample", resizeOld, kNumbers},
};

}  // namespace

std::span<const Operator> resizeOperators() {
    return kOperators;
}

}  // namespace hs::ref
