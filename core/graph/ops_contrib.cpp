// SPDX-License-Identifier: Apache-2.0
// Operators of com.microsoft: activations, normalisations, products, convolutions and twins of operators of ai.onnx.
#include <algorithm>

#include "core/graph/cost.h"
#include "core/graph/ops.h"

namespace hs::ops {
namespace {

constexpr std::string_view kDomain = "com.microsoft";

Dim dimOr(const Shape& shape, std::size_t axis) {
    return shape.ranked() && axis < shape.rank() ? shape[axis] : Dim();
}

/// Input `i` is one row of the last axis of input 0.
Status wantRow(const InferContext& c, std::size_t i) {
    HS_CHECK(wantRank(c, i, 1));
    const Shape& in = shapeOf(c, 0);
    const Shape& row = shapeOf(c, i);
    if (in.ranked() && in.rank() > 0 && row.ranked()) HS_CHECK(sameDim(c, "the input's last size and the vector", in[in.rank() - 1], row[0]));
    return {};
}

Status inferBiased(InferContext& c) {
    HS_CHECK(wantSameDType(c, {0, 1}));
    if (c.hasInput(1)) HS_CHECK(wantRow(c, 1));
    return inferSameFloat(c);
}

Status inferBiasSplit(InferContext& c) {
    HS_CHECK(wantFloat(c, 0));
    HS_CHECK(wantRow(c, 1));
    HS_CHECK(wantMinRank(c, 0, 1));
    const Shape& in = shapeOf(c, 0);
    if (!in.ranked()) return inferUnknownTensor(c);
    c.setOutput(0, dtypeOf(c, 0), withDim(in, in.rank() - 1, floorDiv(Element::of(in[in.rank() - 1]), Element(2)).dim()));
    return {};
}

/// One number for each row, in the type in which they are computed.
Shape statistics(const Shape& in, std::size_t axis) {
    if (!in.ranked()) return in;
    std::vector<Dim> dims = in.dims();
    std::fill(dims.begin() + static_cast<std::ptrdiff_t>(axis), dims.end(), Dim(1));
    return Shape(std::move(dims));
}

Status inferSimplifiedNorm(InferContext& c) {
    HS_CHECK(wantFloat(c, 0));
    const Shape& in = shapeOf(c, 0);
    c.setOutput(0, dtypeOf(c, 1), in);
    if (!in.ranked()) return {};
    HS_TRY(const std::size_t axis, axisOf(c, c.node().intOr("axis", -1), in.rank()));
    const auto stash = dtypeFromOnnx(c.node().intOr("stash_type", 1));
    if (!stash) return bad(c, "stash_type names no known element type");
    c.setOutput(1, *stash, statistics(in, axis));
    return {};
}

/// Outputs: the normalised sum, two statistics, the sum.
Status inferSkipNorm(InferContext& c) {
    HS_CHECK(wantMinRank(c, 0, 2));
    HS_CHECK(wantSameDType(c, {0, 1}));
    HS_CHECK(wantBroadcastsTo(c, shapeOf(c, 1), shapeOf(c, 0)));
    for (std::size_t i = 2; i < c.inputCount(); ++i)
        if (c.hasInput(i)) HS_CHECK(wantRow(c, i));
    HS_CHECK(inferSameFloat(c));
    const Shape& in = shapeOf(c, 0);
    const Shape rows = in.ranked() ? statistics(in, in.rank() - 1) : in;
    c.setOutput(1, DType::F32, rows);
    c.setOutput(2, DType::F32, rows);
    c.setOutput(3, dtypeOf(c, 0), in);
    return {};
}

Status inferEmbedNorm(InferContext& c) {
    for (const std::size_t i : {std::size_t{2}, std::size_t{3}, std::size_t{5}, std::size_t{6}})
        if (!c.hasInput(i)) return bad(c, "input {} is missing", i);
    HS_CHECK(wantRank(c, 0, 2));
    HS_CHECK(wantRank(c, 2, 2));
    const Shape& ids = shapeOf(c, 0);
    const Shape out({dimOr(ids, 0), dimOr(ids, 1), dimOr(shapeOf(c, 2), 1)});
    c.setOutput(0, dtypeOf(c, 2), out);
    c.setOutput(1, DType::I32, Shape({dimOr(ids, 0)}));
    c.setOutput(2, dtypeOf(c, 2), out);
    return {};
}

/// The operand's axes after the node's transpositions.
Shape arranged(const Shape& in, bool batch, bool matrix) {
    if (!in.ranked() || in.rank() < 2) return in;
    std::vector<Dim> dims = in.dims();
    if (batch) std::rotate(dims.begin(), dims.begin() + 1, dims.end() - 1);
    if (matrix) std::swap(dims[dims.size() - 1], dims[dims.size() - 2]);
    return Shape(std::move(dims));
}

Shape arrangedInput(const Shape& in, const Node& node, char operand) {
    return arranged(in, node.intOr(std::string("transBatch") + operand, 0) != 0, node.intOr(std::string("trans") + operand, 0) != 0);
}

Status inferFusedMatMul(InferContext& c) {
    HS_CHECK(wantFloat(c, 0));
    HS_CHECK(wantSameDType(c, {0, 1}));
    HS_TRY(Shape out, matMulShape(c, arrangedInput(shapeOf(c, 0), c.node(), 'A'), arrangedInput(shapeOf(c, 1), c.node(), 'B')));
    c.setOutput(0, dtypeOf(c, 0), std::move(out));
    return {};
}

double fusedMatMulFlops(const Model& model, const Node& node, const TypeTable& types) {
    const Shape left = arrangedInput(types.type(node.inputs[0]).shape, node, 'A');
    if (!left.isStatic() || left.rank() == 0) return 0;
    return perOutput<2>(model, node, types) * static_cast<double>(left[left.rank() - 1].value());
}

Status inferFusedGemm(InferContext& c) {
    HS_CHECK(wantRank(c, 0, 2));
    HS_CHECK(wantRank(c, 1, 2));
    HS_CHECK(inferFusedMatMul(c));
    return {};
}

/// [batch, spatial…, channels] to [batch, channels, spatial…], and back.
Shape channelsFirst(const Shape& in) {
    if (!in.ranked() || in.rank() < 3) return in;
    std::vector<Dim> dims = in.dims();
    std::rotate(dims.begin() + 1, dims.end() - 1, dims.end());
    return Shape(std::move(dims));
}
Shape channelsLast(const Shape& in) {
    if (!in.ranked() || in.rank() < 3) return in;
    std::vector<Dim> dims = in.dims();
    std::rotate(dims.begin() + 1, dims.begin() + 2, dims.end());
    return Shape(std::move(dims));
}

Status inferFusedConv(InferContext& c) {
    HS_CHECK(wantFloat(c, 0));
    HS_CHECK(wantSameDType(c, {0, 1, 2, 3}));
    const bool last = c.node().opType.starts_with("Nhwc");
    HS_TRY(Shape out, convolvedShape(c, last ? channelsFirst(shapeOf(c, 0)) : shapeOf(c, 0), shapeOf(c, 1)));
    c.setOutput(0, dtypeOf(c, 0), last ? channelsLast(out) : out);
    return {};
}

Status inferInverse(InferContext& c) {
    HS_CHECK(wantMinRank(c, 0, 2));
    const Shape& in = shapeOf(c, 0);
    if (in.ranked()) HS_CHECK(sameDim(c, "the sides of the matrix", in[in.rank() - 1], in[in.rank() - 2]));
    return inferSameFloat(c);
}

double inverseFlops(const Model& model, const Node& node, const TypeTable& types) {
    const Shape& in = types.type(node.inputs[0]).shape;  // Gauss-Jordan: 2 n³ a matrix
    if (!in.isStatic() || in.rank() < 2) return 0;
    return perOutput<2>(model, node, types) * static_cast<double>(in[in.rank() - 1].value());
}

Status inferUnique(InferContext& c) {
    HS_CHECK(wantRank(c, 0, 1));
    c.setOutput(0, dtypeOf(c, 0), unknownOfRank(1));
    c.setOutput(1, DType::I64, Shape({dimOr(shapeOf(c, 0), 0)}));
    c.setOutput(2, DType::I64, unknownOfRank(1));
    return {};
}

Status inferCropAndResize(InferContext& c) {
    HS_CHECK(wantRank(c, 0, 4));
    HS_CHECK(wantRank(c, 1, 2));
    std::vector<Dim> out = {dimOr(shapeOf(c, 1), 0), dimOr(shapeOf(c, 0), 1), Dim(), Dim()};
    if (const auto size = c.inputInts(3)) {
        if (size->size() != 2 || (*size)[0] < 1 || (*size)[1] < 1 || std::max((*size)[0], (*size)[1]) > kMaxElements)
            return bad(c, "crop_size must be two positive sizes");
        out[2] = Dim((*size)[0]);
        out[3] = Dim((*size)[1]);
    }
    c.setOutput(0, dtypeOf(c, 0), Shape(std::move(out)));
    return {};
}

Status inferNGramRepeatBlock(InferContext& c) {
    HS_CHECK(wantRank(c, 0, 2));
    HS_CHECK(wantRank(c, 1, 2));
    c.setOutput(0, c.inputType(1));
    return {};
}

Status inferCDist(InferContext& c) {
    HS_CHECK(wantRank(c, 0, 2));
    HS_CHECK(wantRank(c, 1, 2));
    HS_CHECK(sameDim(c, "the points' sizes", dimOr(shapeOf(c, 0), 1), dimOr(shapeOf(c, 1), 1)));
    c.setOutput(0, dtypeOf(c, 0), Shape({dimOr(shapeOf(c, 0), 0), dimOr(shapeOf(c, 1), 0)}));
    return {};
}

double cDistFlops(const Model& model, const Node& node, const TypeTable& types) {
    const Shape& points = types.type(node.inputs[0]).shape;
    return points.isStatic() && points.rank() == 2 ? perOutput<3>(model, node, types) * static_cast<double>(points[1].value()) : 0;
}

Status inferExpandDims(InferContext& c) {
    const Shape& in = shapeOf(c, 0);
    const auto axis = c.inputInts(1);
    if (!in.ranked()) return inferUnknownTensor(c);
    if (!axis || axis->size() != 1) {
        c.setOutput(0, dtypeOf(c, 0), unknownOfRank(in.rank() + 1));
        return {};
    }
    HS_TRY(const std::size_t at, axisOf(c, axis->front(), in.rank() + 1));
    std::vector<Dim> dims = in.dims();
    dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(at), Dim(1));
    c.setOutput(0, dtypeOf(c, 0), Shape(std::move(dims)));
    return {};
}

Status inferRange(InferContext& c) {
    HS_CHECK(wantSameDType(c, {0, 1, 2}));
    Dim count;
    const auto start = c.inputInts(0);
    const auto limit = c.inputInts(1);
    const auto delta = c.hasInput(2) ? c.inputInts(2) : std::vector<std::int64_t>{1};
    const auto single = [](const auto& v) { return v && v->size() == 1 && v->front() > -kMaxElements && v->front() < kMaxElements; };
    if (single(start) && single(limit) && single(delta) && delta->front() > 0)
        count = Dim(std::max<std::int64_t>(0, (limit->front() - start->front() + delta->front() - 1) / delta->front()));
    c.setOutput(0, dtypeOf(c, 0), Shape({count}));
    return {};
}

/// The same operator as in ai.onnx, by the rules of a recent opset.
void twin(OpRegistry& r, std::string_view name) {
    const OpSchema* like = r.find("", name, 21);
    if (like == nullptr) return;
    OpSchema schema = *like;
    schema.domain = kDomain;
    schema.since = 1;
    r.add(std::move(schema));
}

void registerPointwise(OpRegistry& r) {
    define(r, "Gelu", {1, 1}, inferSameFloat, perOutput<5>, kDomain);
    define(r, "QuickGelu", {1, 1}, inferSameFloat, perOutput<5>, kDomain);
    define(r, "BiasGelu", {2, 2}, inferBiased, perOutput<6>, kDomain);
    define(r, "FastGelu", {1, 2}, inferBiased, perOutput<9>, kDomain);
    define(r, "BiasSplitGelu", {2, 2}, inferBiasSplit, perOutput<8>, kDomain);
    define(r, "BiasAdd", {3, 3}, inferBiased, perOutput<2>, kDomain);
    define(r, "SimplifiedLayerNormalization", {2, 2, 1, 2}, inferSimplifiedNorm, perOutput<4>);
    define(r, "SimplifiedLayerNormalization", {2, 2, 1, 2}, inferSimplifiedNorm, perOutput<4>, kDomain);
    define(r, "SkipLayerNormalization", {3, 5, 1, 4}, inferSkipNorm, perOutput<10>, kDomain);
    define(r, "SkipSimplifiedLayerNormalization", {3, 4, 1, 4}, inferSkipNorm, perOutput<6>, kDomain);
    define(r, "EmbedLayerNormalization", {1, 9, 1, 3}, inferEmbedNorm, perOutput<10>, kDomain);
    define(r, "GroupNorm", {3, 3}, inferSameFloat, perOutput<8>, kDomain);
}

}  // namespace

void registerContrib(OpRegistry& r) {
    registerPointwise(r);
    for (const auto* name : {"FusedMatMul", "TransposeMatMul", "FusedMatMulActivation"})
        define(r, name, {2, 2}, inferFusedMatMul, fusedMatMulFlops, kDomain);
    define(r, "GemmFastGelu", {2, 3}, inferFusedMatMul, fusedMatMulFlops, kDomain);
    define(r, "FusedGemm", {2, 3}, inferFusedGemm, gemmFlops, kDomain);
    for (const auto* name : {"FusedConv", "NhwcFusedConv"})
        define(r, name, {2, 4}, inferFusedConv, convFlops, kDomain);
    define(r, "NhwcConv", {2, 3}, inferFusedConv, convFlops, kDomain);
    define(r, "Inverse", {1, 1}, inferInverse, inverseFlops, kDomain);
    define(r, "Unique", {1, 1, 1, 3}, inferUnique, noFlops, kDomain);
    define(r, "CropAndResize", {4, 4}, inferCropAndResize, perOutput<8>, kDomain);
    define(r, "NGramRepeatBlock", {2, 2}, inferNGramRepeatBlock, noFlops, kDomain);
    define(r, "CDist", {2, 2}, inferCDist, cDistFlops, kDomain);
    define(r, "ExpandDims", {2, 2}, inferExpandDims, noFlops, kDomain);
    define(r, "Range", {2, 3}, inferRange, perOutput<1>, kDomain);
    for (const auto* name : {"GatherND", "Trilu", "Pad", "GridSample", "QuantizeLinear", "DequantizeLinear"})
        twin(r, name);
}

}  // namespace hs::ops
