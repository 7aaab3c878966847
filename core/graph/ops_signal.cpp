// SPDX-License-Identifier: Apache-2.0
// Fourier transforms, windows, mel filters.
#include <cmath>

#include "core/graph/cost.h"
#include "core/graph/ops.h"

namespace hs::ops {
namespace {

/// Signal [batch, …, 1 or 2]; inputs: signal, dft_length, axis (since 20; before an attribute).
Status inferDft(InferContext& c) {
    HS_CHECK(wantMinRank(c, 0, 2));
    const Shape& in = shapeOf(c, 0);
    if (!in.ranked()) return inferUnknownTensor(c);
    std::optional<std::int64_t> axis = c.node().opset >= 20 ? std::optional<std::int64_t>(-2) : c.node().intOr("axis", 1);
    if (c.hasInput(2)) {
        const auto given = c.inputInts(2);
        axis = given && given->size() == 1 ? std::optional(given->front()) : std::nullopt;
    }
    const bool oneSided = c.node().intOr("onesided", 0) != 0;
    const bool inverse = c.node().intOr("inverse", 0) != 0;
    std::vector<Dim> out = in.dims();
    out.back() = Dim(oneSided && inverse ? 1 : 2);
    if (!axis) {
        std::vector<Dim> unknown(in.rank());
        unknown.back() = out.back();
        c.setOutput(0, dtypeOf(c, 0), Shape(std::move(unknown)));
        return {};
    }
    HS_TRY(const std::size_t at, axisOf(c, *axis, in.rank()));
    if (at + 1 == in.rank()) return bad(c, "the last axis holds the complex parts, it cannot be transformed");
    Element length = Element::of(in[at]);
    if (oneSided && inverse) length = mul(sub(length, Element(1)), Element(2));
    if (c.hasInput(1)) {
        const auto* given = c.inputData(1);
        length = given != nullptr && given->size() == 1 ? given->front() : Element();
        if (length.known() && length.value() < 1) return bad(c, "dft_length is {}", length.value());
    }
    out[at] = (oneSided && !inverse ? add(floorDiv(length, Element(2)), Element(1)) : length).dim();
    c.setOutput(0, dtypeOf(c, 0), Shape(std::move(out)));
    return {};
}

double dftFlops(const Model& model, const Node& node, const TypeTable& types) {
    // 5 n log2 n for a fast transform of n complex points; n is estimated by the longest axis.
    const auto dims = types.type(node.inputs[0]).shape.concrete();
    double longest = 2;
    if (dims)
        for (const std::int64_t d : *dims)
            longest = std::fmax(longest, static_cast<double>(d));
    return perOutput<1>(model, node, types) * 2.5 * std::log2(longest);
}

/// signal [batch, length(, 1)], frame_step, window?, frame_length?
Status inferStft(InferContext& c) {
    HS_CHECK(wantMinRank(c, 0, 2));
    const Shape& in = shapeOf(c, 0);
    const auto step = c.inputInts(1);
    Element frame;
    if (const auto length = c.inputInts(3); length && length->size() == 1)
        frame = Element(length->front());
    else if (!c.hasInput(3) && c.hasInput(2) && shapeOf(c, 2).ranked() && shapeOf(c, 2).rank() == 1)
        frame = Element::of(shapeOf(c, 2)[0]);
    if (step && (step->size() != 1 || step->front() < 1)) return bad(c, "frame_step must be one positive number");
    if (frame.known() && frame.value() < 1) return bad(c, "frame_length is {}", frame.value());
    Dim frames;
    if (in.ranked() && step && frame.known()) {
        const Element room = sub(Element::of(in[1]), frame);
        if (room.known() && room.value() < 0) return bad(c, "a frame of {} is longer than the signal of {}", frame.value(), in[1].text());
        frames = add(floorDiv(room, Element(step->front())), Element(1)).dim();
    }
    const bool oneSided = c.node().intOr("onesided", 1) != 0;
    const Dim bins = (oneSided ? add(floorDiv(frame, Element(2)), Element(1)) : frame).dim();
    c.setOutput(0, dtypeOf(c, 0), Shape({in.ranked() ? in[0] : Dim(), frames, bins, Dim(2)}));
    return {};
}

Result<DType> outputType(const InferContext& c) {
    const auto type = dtypeFromOnnx(c.node().intOr("output_datatype", 1));
    if (!type || *type == DType::Undefined) return bad(c, "output_datatype names no known element type");
    return *type;
}

Result<Dim> sizeFrom(const InferContext& c, std::size_t i) {
    const auto* data = c.inputData(i);
    if (data == nullptr || data->size() != 1) return Dim();
    if (data->front().known() && data->front().value() < 0) return bad(c, "a size is {}", data->front().value());
    return data->front().dim();
}

Status inferWindow(InferContext& c) {
    HS_TRY(const DType type, outputType(c));
    HS_TRY(const Dim size, sizeFrom(c, 0));
    c.setOutput(0, type, Shape({size}));
    return {};
}

/// num_mel_bins, dft_length, sample_rate, lower and upper edge.
Status inferMelWeights(InferContext& c) {
    HS_TRY(const DType type, outputType(c));
    HS_TRY(const Dim bins, sizeFrom(c, 0));
    HS_TRY(const Dim length, sizeFrom(c, 1));
    c.setOutput(0, type, Shape({add(floorDiv(Element::of(length), Element(2)), Element(1)).dim(), bins}));
    return {};
}

}  // namespace

void registerSignal(OpRegistry& r) {
    define(r, "DFT", {1, 3}, inferDft, dftFlops);
    define(r, "STFT", {2, 4}, inferStft, perOutput<20>);
    for (const auto* name : {"BlackmanWindow", "HammingWindow", "HannWindow"})
        define(r, name, {1, 1}, inferWindow, perOutput<4>);
    define(r, "MelWeightMatrix", {5, 5}, inferMelWeights, perOutput<4>);
}

}  // namespace hs::ops
