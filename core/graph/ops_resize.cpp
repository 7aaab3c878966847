// SPDX-License-Identifier: Apache-2.0
// Resampling, padding and cropping.
#include <algorithm>
#include <cmath>

#include "core/graph/cost.h"
#include "core/graph/ops.h"

namespace hs::ops {
namespace {

/// Axes that a list of sizes, scales or pads speaks of: the attribute, or all.
Result<std::vector<std::size_t>> axesNamed(const InferContext& c, std::size_t rank) {
    if (const auto* axes = c.node().get<std::vector<std::int64_t>>("axes")) return axesOf(c, *axes, rank);
    std::vector<std::size_t> all(rank);
    for (std::size_t i = 0; i < rank; ++i)
        all[i] = i;
    return all;
}

Result<Dim> scaled(const InferContext& c, const Dim& in, double scale) {
    if (!(scale > 0) || !std::isfinite(scale)) return bad(c, "scale {} is out of range", scale);
    if (scale == 1) return in;
    if (in.known()) {
        // Scales are float32 in the model; the specification takes floor(size * scale).
        const double size = std::floor(static_cast<double>(in.value()) * scale);
        if (size > static_cast<double>(kMaxElements)) return bad(c, "scaling {} by {} is too large", in.value(), scale);
        return Dim(static_cast<std::int64_t>(size));
    }
    if (scale == std::floor(scale) && scale < 1e9) return mul(in, Dim(static_cast<std::int64_t>(scale)));
    const double inverse = 1 / scale;
    if (inverse == std::floor(inverse) && inverse < 1e9) return floorDiv(Element::of(in), Element(static_cast<std::int64_t>(inverse))).dim();
    return Dim();
}

Status resizeByScales(InferContext& c, const std::vector<double>& scales, const std::vector<std::size_t>& axes) {
    const Shape& in = shapeOf(c, 0);
    if (scales.size() != axes.size()) return bad(c, "{} scales are given, {} are needed", scales.size(), axes.size());
    std::vector<Dim> out = in.dims();
    for (std::size_t i = 0; i < axes.size(); ++i) {
        HS_TRY(out[axes[i]], scaled(c, in[axes[i]], scales[i]));
    }
    c.setOutput(0, dtypeOf(c, 0), Shape(std::move(out)));
    return {};
}

/// keep_aspect_ratio_policy: one scale for all axes, the least or greatest; sizes round half up.
Status resizeKeepingAspect(InferContext& c, const std::vector<std::int64_t>& sizes, const std::vector<std::size_t>& axes, bool larger) {
    const Shape& in = shapeOf(c, 0);
    std::optional<double> scale;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        if (!in[axes[i]].known() || in[axes[i]].value() == 0) {
            c.setOutput(0, dtypeOf(c, 0), unknownOfRank(in.rank()));
            return {};
        }
        const double s = static_cast<double>(sizes[i]) / static_cast<double>(in[axes[i]].value());
        scale = !scale ? s : larger ? std::max(*scale, s) : std::min(*scale, s);
    }
    std::vector<Dim> out = in.dims();
    for (const std::size_t axis : axes) {
        const double size = std::floor(scale.value_or(1) * static_cast<double>(in[axis].value()) + 0.5);
        if (size > static_cast<double>(kMaxElements)) return bad(c, "the resized axis {} is too large", axis);
        out[axis] = Dim(static_cast<std::int64_t>(size));
    }
    c.setOutput(0, dtypeOf(c, 0), Shape(std::move(out)));
    return {};
}

Status resizeToSizes(InferContext& c, const std::vector<Element>& sizes, const std::vector<std::size_t>& axes) {
    if (sizes.size() != axes.size()) return bad(c, "{} sizes are given, {} are needed", sizes.size(), axes.size());
    std::vector<std::int64_t> known;
    for (const Element& size : sizes) {
        if (size.known() && size.value() < 0) return bad(c, "the sizes hold {}", size.value());
        if (size.known()) known.push_back(size.value());
    }
    const std::string policy = c.node().stringOr("keep_aspect_ratio_policy", "stretch");
    const Shape& in = shapeOf(c, 0);
    if (policy != "stretch") {
        if (known.size() == sizes.size()) return resizeKeepingAspect(c, known, axes, policy == "not_smaller");
        c.setOutput(0, dtypeOf(c, 0), unknownOfRank(in.rank()));
        return {};
    }
    std::vector<Dim> out = in.dims();
    for (std::size_t i = 0; i < axes.size(); ++i)
        out[axes[i]] = sizes[i].dim();
    c.setOutput(0, dtypeOf(c, 0), Shape(std::move(out)));
    return {};
}

std::optional<std::vector<double>> scalesOf(const InferContext& c, std::size_t input) {
    if (const auto* list = c.node().get<std::vector<float>>("scales")) return std::vector<double>(list->begin(), list->end());
    return c.inputFloats(input);
}

/// Inputs: X, scales (opset 10) or X, roi, scales, sizes (since 11). An empty scales tensor counts as absent.
Status inferResize(InferContext& c) {
    const Shape& in = shapeOf(c, 0);
    if (!in.ranked()) return inferUnknownTensor(c);
    HS_TRY(const auto axes, axesNamed(c, in.rank()));
    const std::size_t scalesAt = c.node().opset >= 11 ? 2 : 1;
    const auto scales = scalesOf(c, scalesAt);
    if (scales && !scales->empty()) return resizeByScales(c, *scales, axes);
    if (const auto* sizes = c.inputData(3)) return resizeToSizes(c, *sizes, axes);
    std::vector<Dim> out(in.rank());
    if (axes.size() < in.rank())
        for (std::size_t i = 0; i < in.rank(); ++i)
            if (std::find(axes.begin(), axes.end(), i) == axes.end()) out[i] = in[i];
    c.setOutput(0, dtypeOf(c, 0), Shape(std::move(out)));
    return {};
}

/// Scales: input 1 since opset 9, `scales` in 7, width_scale and height_scale in 1.
Status inferUpsample(InferContext& c) {
    const Shape& in = shapeOf(c, 0);
    if (!in.ranked()) return inferUnknownTensor(c);
    HS_TRY(const auto axes, axesNamed(c, in.rank()));
    if (const auto scales = scalesOf(c, 1)) return resizeByScales(c, *scales, axes);
    if (c.node().find("height_scale") != nullptr && in.rank() == 4)
        return resizeByScales(c, {1, 1, c.node().floatOr("height_scale", 1), c.node().floatOr("width_scale", 1)}, axes);
    c.setOutput(0, dtypeOf(c, 0), unknownOfRank(in.rank()));
    return {};
}

double resizeFlops(const Model& model, const Node& node, const TypeTable& types) {
    const std::string mode = node.stringOr("mode", "nearest");
    if (mode == "nearest") return 0;
    return mode == "cubic" ? perOutput<32>(model, node, types) : perOutput<7>(model, node, types);
}

/// Pads: `paddings` (opset 1), `pads` (2 to 10), input 1 since 11; axes: input 3 since 18.
Status inferPad(InferContext& c) {
    const Shape& in = shapeOf(c, 0);
    if (!in.ranked()) return inferUnknownTensor(c);
    std::optional<std::vector<Element>> pads;
    for (const auto* name : {"pads", "paddings"})
        if (const auto* list = c.node().get<std::vector<std::int64_t>>(name)) pads.emplace(list->begin(), list->end());
    if (!pads)
        if (const auto* data = c.inputData(1)) pads = *data;
    std::vector<std::size_t> axes;
    bool axesKnown = true;
    if (c.hasInput(3)) {
        const auto list = c.inputInts(3);
        axesKnown = list.has_value();
        if (list) {
            HS_TRY(axes, axesOf(c, *list, in.rank()));
        }
    } else {
        for (std::size_t i = 0; i < in.rank(); ++i)
            axes.push_back(i);
    }
    if (!pads || !axesKnown) {
        c.setOutput(0, dtypeOf(c, 0), unknownOfRank(in.rank()));
        return {};
    }
    if (pads->size() != 2 * axes.size()) return bad(c, "{} pads are given, {} are needed", pads->size(), 2 * axes.size());
    std::vector<Dim> out = in.dims();
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const Element size = add(add(Element::of(in[axes[i]]), (*pads)[i]), (*pads)[axes.size() + i]);
        if (size.known() && size.value() < 0) return bad(c, "the pads take more than the {} of axis {}", in[axes[i]].text(), axes[i]);
        if (size.known() && size.value() > kMaxElements) return bad(c, "the padded axis {} is too large", axes[i]);
        out[axes[i]] = size.dim();
    }
    c.setOutput(0, dtypeOf(c, 0), Shape(std::move(out)));
    return {};
}

Status inferCenterCropPad(InferContext& c) {
    const Shape& in = shapeOf(c, 0);
    if (!in.ranked()) return inferUnknownTensor(c);
    HS_TRY(const auto axes, axesNamed(c, in.rank()));
    std::vector<Dim> out = in.dims();
    const auto* sizes = c.inputData(1);
    if (sizes != nullptr && sizes->size() != axes.size()) return bad(c, "{} sizes are given, {} are needed", sizes->size(), axes.size());
    for (std::size_t i = 0; i < axes.size(); ++i) {
        if (sizes != nullptr && (*sizes)[i].known() && (*sizes)[i].value() < 0) return bad(c, "the shape holds {}", (*sizes)[i].value());
        out[axes[i]] = sizes != nullptr ? (*sizes)[i].dim() : Dim();
    }
    c.setOutput(0, dtypeOf(c, 0), Shape(std::move(out)));
    return {};
}

Status inferGridSample(InferContext& c) {
    const Shape& in = shapeOf(c, 0);
    const Shape& grid = shapeOf(c, 1);
    HS_CHECK(wantMinRank(c, 0, 3));
    if (in.ranked()) HS_CHECK(wantRank(c, 1, in.rank()));
    if (!in.ranked() || !grid.ranked()) return inferUnknownTensor(c);
    HS_TRY(const Dim batch, sameDim(c, "the batch sizes of input and grid", in[0], grid[0]));
    std::vector<Dim> out = {batch, in[1]};
    out.insert(out.end(), grid.dims().begin() + 1, grid.dims().end() - 1);
    c.setOutput(0, dtypeOf(c, 0), Shape(std::move(out)));
    return {};
}

/// size is [N, C, H, W] or [N, C, D, H, W]; the grid has one coordinate a spatial axis.
Status inferAffineGrid(InferContext& c) {
    const auto* size = c.inputData(1);
    if (size == nullptr || size->size() < 3) return inferUnknownTensor(c);
    std::vector<Dim> out = {(*size)[0].dim()};
    for (std::size_t i = 2; i < size->size(); ++i) {
        if ((*size)[i].known() && (*size)[i].value() < 0) return bad(c, "the size holds {}", (*size)[i].value());
        out.push_back((*size)[i].dim());
    }
    out.emplace_back(static_cast<std::int64_t>(size->size()) - 2);
    c.setOutput(0, dtypeOf(c, 0), Shape(std::move(out)));
    return {};
}

}  // namespace

void registerResize(OpRegistry& r) {
    define(r, "Resize", {1, 4}, inferResize, resizeFlops);
    define(r, "Upsample", {1, 2}, inferUpsample, resizeFlops);
    define(r, "Pad", {1, 4}, inferPad, noFlops);
    define(r, "CenterCropPad", {2, 2}, inferCenterCropPad, noFlops);
    define(r, "GridSample", {2, 2}, inferGridSample, perOutput<10>);
    define(r, "AffineGrid", {2, 2}, inferAffineGrid, perOutput<6>);
}

}  // namespace hs::ops
