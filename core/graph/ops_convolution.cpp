// SPDX-License-Identifier: Apache-2.0
// Convolutions and pooling: sliding windows over spatial axes.
#include <algorithm>

#include "core/graph/cost.h"
#include "core/graph/ops.h"

namespace hs::ops {
namespace {

constexpr std::int64_t kMaxWindow = std::int64_t{1} << 31;  ///< Bound of a kernel, stride, dilation or pad.

/// Attributes of a sliding window, completed with defaults and checked.
struct Window {
    std::vector<std::int64_t> kernel, strides, dilations, padsBegin, padsEnd;
    std::string autoPad = "NOTSET";
    bool ceilMode = false;
    /// Size that the dilated kernel covers on one axis.
    std::int64_t extent(std::size_t i) const { return (kernel[i] - 1) * dilations[i] + 1; }
};

Status checkPositive(const InferContext& c, std::string_view what, const std::vector<std::int64_t>& values, std::size_t count, std::int64_t least) {
    if (values.size() != count) return bad(c, "{} has {} entries, {} are needed", what, values.size(), count);
    for (const std::int64_t v : values)
        if (v < least || v > kMaxWindow) return bad(c, "{} holds {}, which is out of range", what, v);
    return {};
}

/// `spatial`: number of spatial axes.
Result<Window> windowOf(const InferContext& c, std::vector<std::int64_t> kernel, std::size_t spatial) {
    const Node& node = c.node();
    Window w;
    w.kernel = std::move(kernel);
    w.strides = node.intsOr("strides", std::vector<std::int64_t>(spatial, 1));
    w.dilations = node.intsOr("dilations", std::vector<std::int64_t>(spatial, 1));
    w.autoPad = node.stringOr("auto_pad", "NOTSET");
    if (w.autoPad.empty()) w.autoPad = "NOTSET";
    w.ceilMode = node.intOr("ceil_mode", 0) != 0;
    std::vector<std::int64_t> pads = node.intsOr("pads", std::vector<std::int64_t>(2 * spatial, 0));
    HS_CHECK(checkPositive(c, "kernel_shape", w.kernel, spatial, 1));
    HS_CHECK(checkPositive(c, "strides", w.strides, spatial, 1));
    HS_CHECK(checkPositive(c, "dilations", w.dilations, spatial, 1));
    HS_CHECK(checkPositive(c, "pads", pads, 2 * spatial, 0));
    if (w.autoPad != "NOTSET" && w.autoPad != "VALID" && w.autoPad != "SAME_UPPER" && w.autoPad != "SAME_LOWER")
        return bad(c, "auto_pad \"{}\" is not known", w.autoPad);
    for (std::size_t i = 0; i < spatial; ++i)
        if (w.kernel[i] > 1 && w.dilations[i] > kMaxElements / w.kernel[i]) return bad(c, "the dilated kernel is too large");
    w.padsBegin.assign(pads.begin(), pads.begin() + static_cast<std::ptrdiff_t>(spatial));
    w.padsEnd.assign(pads.begin() + static_cast<std::ptrdiff_t>(spatial), pads.end());
    if (w.autoPad != "NOTSET") {
        std::fill(w.padsBegin.begin(), w.padsBegin.end(), 0);
        std::fill(w.padsEnd.begin(), w.padsEnd.end(), 0);
    }
    return w;
}

/// Number of window positions on spatial axis i, by the formula of the ONNX Conv and pooling operators.
Result<Dim> positions(const InferContext& c, const Window& w, std::size_t i, const Dim& in) {
    const Element size = Element::of(in);
    if (w.autoPad.starts_with("SAME")) return ceilDiv(size, w.strides[i]).dim();
    const std::int64_t slack = w.padsBegin[i] + w.padsEnd[i] - w.extent(i);
    const Element room = add(size, Element(slack));
    if (room.known() && room.value() < 0 && !(w.ceilMode && room.value() > -w.strides[i]))
        return bad(c, "the kernel covers {}, but the padded input only {} on spatial axis {}", w.extent(i), room.value() + w.extent(i), i);
    if (!w.ceilMode) return add(floorDiv(room, Element(w.strides[i])), Element(1)).dim();
    const Element out = add(ceilDiv(room, w.strides[i]), Element(1));
    // The last window must start inside the input or its left padding.
    if (out.known() && in.known() && (out.value() - 1) * w.strides[i] >= in.value() + w.padsBegin[i]) return Dim(out.value() - 1);
    return out.dim();
}

/// Kernel sizes: the attribute, or else the weight's spatial sizes. Empty when not known.
Result<std::vector<std::int64_t>> kernelOf(const InferContext& c, const Shape& weight) {
    std::vector<std::int64_t> kernel = c.node().intsOr("kernel_shape");
    if (!weight.ranked() || weight.rank() < 2) return kernel;
    if (kernel.empty()) {
        for (std::size_t i = 2; i < weight.rank(); ++i) {
            if (!weight[i].known()) return std::vector<std::int64_t>{};
            kernel.push_back(weight[i].value());
        }
        return kernel;
    }
    if (kernel.size() != weight.rank() - 2)
        return bad(c, "kernel_shape has {} entries, the weight {} has {} spatial axes", kernel.size(), weight.text(), weight.rank() - 2);
    for (std::size_t i = 0; i < kernel.size(); ++i)
        if (weight[i + 2].known() && weight[i + 2].value() != kernel[i]) return bad(c, "kernel_shape says {}, but the weight is {}", kernel[i], weight.text());
    return kernel;
}

}  // namespace

Result<Shape> convolvedShape(const InferContext& c, const Shape& in, const Shape& weight) {
    if (in.ranked() && in.rank() < 3) return bad(c, "the input is {}, at least rank 3 is needed", in.text());
    if (in.ranked() && weight.ranked() && in.rank() != weight.rank()) return bad(c, "input {} and weight {} must have one rank", in.text(), weight.text());
    if (!in.ranked() || !weight.ranked()) return in.ranked() ? unknownOfRank(in.rank()) : weight.ranked() ? unknownOfRank(weight.rank()) : Shape();
    const std::int64_t group = c.node().intOr("group", 1);
    if (group < 1 || group > kMaxWindow) return bad(c, "group {} is out of range", group);
    if (in[1].known() && weight[1].known() && in[1].value() != weight[1].value() * group)
        return bad(c, "the input has {} channels, but the weight {} with group {} needs {}", in[1].value(), weight.text(), group, weight[1].value() * group);
    if (weight[0].known() && weight[0].value() % group != 0) return bad(c, "{} output channels cannot be split into {} groups", weight[0].value(), group);
    std::vector<Dim> out(in.rank());
    out[0] = in[0];
    out[1] = weight[0];
    HS_TRY(std::vector<std::int64_t> kernel, kernelOf(c, weight));
    if (!kernel.empty()) {
        HS_TRY(const Window window, windowOf(c, std::move(kernel), in.rank() - 2));
        for (std::size_t i = 2; i < in.rank(); ++i) {
            HS_TRY(out[i], positions(c, window, i - 2, in[i]));
        }
    }
    return Shape(std::move(out));
}

Result<Shape> pooledShape(const InferContext& c, const Shape& in) {
    if (!in.ranked()) return in;
    if (in.rank() < 3) return bad(c, "the input is {}, at least rank 3 is needed", in.text());
    HS_TRY(const Window window, windowOf(c, c.node().intsOr("kernel_shape"), in.rank() - 2));
    std::vector<Dim> dims = in.dims();
    for (std::size_t i = 2; i < in.rank(); ++i) {
        HS_TRY(dims[i], positions(c, window, i - 2, in[i]));
    }
    return Shape(std::move(dims));
}

namespace {

/// Conv and its integer kin: data is input `x`, weight input `w`; sets output 0 to `type`.
Status convolve(InferContext& c, std::size_t x, std::size_t w, DType type) {
    HS_TRY(Shape out, convolvedShape(c, shapeOf(c, x), shapeOf(c, w)));
    c.setOutput(0, type, std::move(out));
    return {};
}

Status inferConv(InferContext& c) {
    HS_CHECK(wantFloat(c, 0));
    HS_CHECK(wantSameDType(c, {0, 1, 2}));
    return convolve(c, 0, 1, dtypeOf(c, 0));
}

Status inferConvInteger(InferContext& c) {
    return convolve(c, 0, 1, DType::I32);
}

Status inferQLinearConv(InferContext& c) {
    return convolve(c, 0, 3, dtypeOf(c, 7));
}

Status inferDeformConv(InferContext& c) {
    HS_CHECK(wantSameDType(c, {0, 1, 2}));
    return convolve(c, 0, 1, dtypeOf(c, 0));
}

Result<Dim> transposedSize(const InferContext& c, const Window& w, std::size_t i, const Dim& in, std::int64_t outputPadding) {
    Element full = mul(add(Element::of(in), Element(-1)), Element(w.strides[i]));
    if (w.autoPad.starts_with("SAME")) return mul(Element::of(in), Element(w.strides[i])).dim();
    full = add(full, Element(outputPadding + w.extent(i) - w.padsBegin[i] - w.padsEnd[i]));
    if (full.known() && full.value() < 0) return bad(c, "the pads are larger than the output on spatial axis {}", i);
    return full.dim();
}

Status inferConvTranspose(InferContext& c) {
    HS_CHECK(wantFloat(c, 0));
    HS_CHECK(wantSameDType(c, {0, 1, 2}));
    HS_CHECK(wantMinRank(c, 0, 3));
    const Shape& in = shapeOf(c, 0);
    const Shape& weight = shapeOf(c, 1);
    if (in.ranked()) HS_CHECK(wantRank(c, 1, in.rank()));
    if (!in.ranked() || !weight.ranked()) {
        c.setOutput(0, dtypeOf(c, 0), in.ranked() ? unknownOfRank(in.rank()) : Shape());
        return {};
    }
    const std::int64_t group = c.node().intOr("group", 1);
    if (group < 1 || group > kMaxWindow) return bad(c, "group {} is out of range", group);
    HS_CHECK(sameDim(c, "the input's channels and the weight's first size", in[1], weight[0]));
    const std::size_t spatial = in.rank() - 2;
    std::vector<Dim> out(in.rank());
    out[0] = in[0];
    out[1] = mul(weight[1], Dim(group));
    HS_TRY(std::vector<std::int64_t> kernel, kernelOf(c, weight));
    const auto given = c.node().intsOr("output_shape");
    const auto extra = c.node().intsOr("output_padding", std::vector<std::int64_t>(spatial, 0));
    HS_CHECK(checkPositive(c, "output_padding", extra, spatial, 0));
    if (!given.empty() && given.size() != spatial && given.size() != in.rank())
        return bad(c, "output_shape has {} entries, {} are needed", given.size(), spatial);
    if (!given.empty()) HS_CHECK(checkPositive(c, "output_shape", given, given.size(), 0));
    if (!kernel.empty()) {
        HS_TRY(const Window window, windowOf(c, std::move(kernel), spatial));
        for (std::size_t i = 0; i < spatial; ++i) {
            if (!given.empty()) {
                out[i + 2] = Dim(given[given.size() - spatial + i]);
                continue;
            }
            HS_TRY(out[i + 2], transposedSize(c, window, i, in[i + 2], extra[i]));
        }
    }
    c.setOutput(0, dtypeOf(c, 0), Shape(std::move(out)));
    return {};
}

Status inferPool(InferContext& c) {
    HS_TRY(Shape out, pooledShape(c, shapeOf(c, 0)));
    c.setOutput(0, dtypeOf(c, 0), out);
    if (c.node().opType == "MaxPool") c.setOutput(1, DType::I64, std::move(out));
    return {};
}

Status inferMaxUnpool(InferContext& c) {
    HS_CHECK(wantMinRank(c, 0, 3));
    const Shape& in = shapeOf(c, 0);
    if (c.hasInput(2)) {
        const auto given = c.inputInts(2);
        if (given && in.ranked() && given->size() != in.rank()) return bad(c, "output_shape has {} entries, rank {} is needed", given->size(), in.rank());
        c.setOutput(0, dtypeOf(c, 0), given ? Shape::of(*given) : in.ranked() ? unknownOfRank(in.rank()) : Shape());
        return {};
    }
    Shape out = in;
    if (in.ranked()) {
        HS_TRY(const Window window, windowOf(c, c.node().intsOr("kernel_shape"), in.rank() - 2));
        std::vector<Dim> dims = in.dims();
        for (std::size_t i = 2; i < in.rank(); ++i) {
            HS_TRY(dims[i], transposedSize(c, window, i - 2, in[i], 0));
        }
        out = Shape(std::move(dims));
    }
    c.setOutput(0, dtypeOf(c, 0), std::move(out));
    return {};
}

Status inferGlobalPool(InferContext& c) {
    HS_CHECK(wantMinRank(c, 0, 2));
    const Shape& in = shapeOf(c, 0);
    Shape out = in;
    if (in.ranked()) {
        std::vector<Dim> dims(in.rank(), Dim(1));
        dims[0] = in[0];
        dims[1] = in[1];
        out = Shape(std::move(dims));
    }
    c.setOutput(0, dtypeOf(c, 0), std::move(out));
    return {};
}

Status inferRoiPool(InferContext& c) {
    const auto pooled = c.node().intsOr("pooled_shape");
    HS_CHECK(checkPositive(c, "pooled_shape", pooled, 2, 1));
    HS_CHECK(wantRank(c, 0, 4));
    HS_CHECK(wantRank(c, 1, 2));
    const Dim rois = shapeOf(c, 1).ranked() ? shapeOf(c, 1)[0] : Dim();
    c.setOutput(0, dtypeOf(c, 0), Shape({rois, shapeOf(c, 0).ranked() ? shapeOf(c, 0)[1] : Dim(), Dim(pooled[0]), Dim(pooled[1])}));
    return {};
}

/// Depthwise over time: output like the input, state of k-1 positions.
Status inferCausalConv(InferContext& c) {
    HS_CHECK(wantRank(c, 0, 3));
    HS_CHECK(wantRank(c, 1, 3));
    const Shape& in = shapeOf(c, 0);
    const Shape& weight = shapeOf(c, 1);
    c.setOutput(0, c.inputType(0));
    const Dim state = weight.ranked() ? weight[2] : Dim();
    const Dim kept = add(Element::of(state), Element(-1)).dim();
    c.setOutput(1, dtypeOf(c, 0), Shape({in.ranked() ? in[0] : Dim(), in.ranked() ? in[1] : Dim(), kept}));
    return {};
}

Status inferCol2Im(InferContext& c) {
    const auto image = c.inputInts(1);
    const auto block = c.inputInts(2);
    HS_CHECK(wantRank(c, 0, 3));
    const Shape& in = shapeOf(c, 0);
    if (!image) {
        c.setOutput(0, dtypeOf(c, 0), Shape());
        return {};
    }
    HS_CHECK(checkPositive(c, "image_shape", *image, image->size(), 1));
    std::vector<Dim> out = {in.ranked() ? in[0] : Dim(), Dim()};
    if (block && in.ranked()) {
        HS_CHECK(checkPositive(c, "block_shape", *block, image->size(), 1));
        Element area(1);
        for (const std::int64_t b : *block)
            area = mul(area, Element(b));
        out[1] = floorDiv(Element::of(in[1]), area).dim();
    }
    out.insert(out.end(), image->begin(), image->end());
    c.setOutput(0, dtypeOf(c, 0), Shape(std::move(out)));
    return {};
}

}  // namespace

void registerConvolution(OpRegistry& r) {
    define(r, "Conv", {2, 3}, inferConv, convFlops);
    define(r, "ConvInteger", {2, 4}, inferConvInteger, convFlops);
    define(r, "QLinearConv", {8, 9}, inferQLinearConv, convFlops);
    define(r, "DeformConv", {3, 5}, inferDeformConv, convFlops);
    define(r, "ConvTranspose", {2, 3}, inferConvTranspose, convTransposeFlops);
    define(r, "CausalConvWithState", {2, 4, 1, 2}, inferCausalConv, convFlops);
    define(r, "MaxPool", {1, 1, 1, 2}, inferPool, poolFlops);
    define(r, "AveragePool", {1, 1}, inferPool, poolFlops);
    define(r, "LpPool", {1, 1}, inferPool, poolFlops);
    define(r, "MaxUnpool", {2, 3}, inferMaxUnpool, noFlops);
    define(r, "MaxRoiPool", {2, 2}, inferRoiPool, inputElements);
    for (const auto* name : {"GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool"})
        define(r, name, {1, 1}, inferGlobalPool, inputElements);
    define(r, "Col2Im", {3, 3}, inferCol2Im, inputElements);
}

}  // namespace hs::ops
