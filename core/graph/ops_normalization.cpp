// SPDX-License-Identifier: Apache-2.0
// Normalisations, softmax and dropout: the output has the input's shape.
#include "core/graph/cost.h"
#include "core/graph/ops.h"

namespace hs::ops {
namespace {

/// Scale, bias and statistics are one number a channel (axis 1).
Status wantPerChannel(const InferContext& c, std::size_t first, std::size_t last) {
    const Shape& in = shapeOf(c, 0);
    if (!in.ranked() || in.rank() < 2) return {};
    for (std::size_t i = first; i <= last; ++i) {
        const Shape& vector = shapeOf(c, i);
        if (vector.ranked() && vector.rank() == 1) HS_CHECK(sameDim(c, "the input's channels and input " + std::to_string(i), in[1], vector[0]));
    }
    return {};
}

Status inferBatchNormalization(InferContext& c) {
    HS_CHECK(wantFloat(c, 0));
    HS_CHECK(wantPerChannel(c, 1, 4));
    HS_CHECK(inferSame(c));
    for (std::size_t i = 1; i < c.outputCount(); ++i)
        c.setOutput(i, c.inputType(i <= 2 ? 2 + i : i));
    return {};
}

Status inferInstanceNormalization(InferContext& c) {
    HS_CHECK(wantFloat(c, 0));
    HS_CHECK(wantMinRank(c, 0, 3));
    HS_CHECK(wantPerChannel(c, 1, 2));
    return inferSame(c);
}

Status inferGroupNormalization(InferContext& c) {
    HS_CHECK(wantFloat(c, 0));
    const std::int64_t groups = c.node().intOr("num_groups", 0);
    const Shape& in = shapeOf(c, 0);
    if (groups < 1) return bad(c, "num_groups {} is out of range", groups);
    if (in.ranked() && in.rank() >= 2 && in[1].known() && in[1].value() % groups != 0)
        return bad(c, "{} channels cannot be split into {} groups", in[1].value(), groups);
    return inferSame(c);
}

/// Also RMSNormalization. Mean and 1/deviation keep the axes before `axis`; the rest is 1.
Status inferLayerNormalization(InferContext& c) {
    HS_CHECK(wantFloat(c, 0));
    HS_CHECK(inferSame(c));
    const Shape& in = shapeOf(c, 0);
    if (!in.ranked()) return {};
    HS_TRY(const std::size_t axis, axisOf(c, c.node().intOr("axis", -1), in.rank()));
    HS_CHECK(wantBroadcastsTo(c, shapeOf(c, 1), in));
    HS_CHECK(wantBroadcastsTo(c, shapeOf(c, 2), in));
    std::vector<Dim> dims = in.dims();
    for (std::size_t i = axis; i < dims.size(); ++i)
        dims[i] = Dim(1);
    const auto stash = dtypeFromOnnx(c.node().intOr("stash_type", 1));
    if (!stash) return bad(c, "stash_type names no known element type");
    for (const std::size_t i : {std::size_t{1}, std::size_t{2}})
        c.setOutput(i, *stash, Shape(dims));
    return {};
}

Status inferSoftmax(InferContext& c) {
    HS_CHECK(wantFloat(c, 0));
    const Shape& in = shapeOf(c, 0);
    if (in.ranked() && in.rank() > 0) {
        const std::int64_t axis = c.node().intOr("axis", c.node().opset >= 13 ? -1 : 1);
        // Flattening softmax of opset 12 and before also takes axis == rank.
        if (c.node().opset >= 13 || axis != static_cast<std::int64_t>(in.rank())) HS_CHECK(axisOf(c, axis, in.rank()));
    }
    return inferSame(c);
}

Status inferDropout(InferContext& c) {
    HS_CHECK(inferSameFloat(c));
    // The mask is bool since opset 10; before it had the data's type.
    c.setOutput(1, c.node().opset >= 10 ? DType::Bool : dtypeOf(c, 0), shapeOf(c, 0));
    return {};
}

Status inferLpNormalization(InferContext& c) {
    if (shapeOf(c, 0).ranked()) HS_CHECK(axisOf(c, c.node().intOr("axis", -1), shapeOf(c, 0).rank()));
    return inferSameFloat(c);
}

}  // namespace

void registerNormalization(OpRegistry& r) {
    define(r, "BatchNormalization", {5, 5, 1, 5}, inferBatchNormalization, perOutput<2>);  // Folded to a scale and a shift.
    define(r, "InstanceNormalization", {3, 3}, inferInstanceNormalization, perOutput<8>);
    define(r, "GroupNormalization", {3, 3}, inferGroupNormalization, perOutput<8>);
    define(r, "LayerNormalization", {2, 3, 1, 3}, inferLayerNormalization, perOutput<8>);
    define(r, "RMSNormalization", {2, 2}, inferLayerNormalization, perOutput<4>);
    define(r, "MeanVarianceNormalization", {1, 1}, inferSameFloat, perOutput<7>);
    define(r, "LpNormalization", {1, 1}, inferLpNormalization, perOutput<3>);
    define(r, "LRN", {1, 1}, inferSameFloat,
           [](const Model& m, const Node& n, const TypeTable& t) { return perOutput<1>(m, n, t) * (2.0 * static_cast<double>(n.intOr("size", 1)) + 3); });
    define(r, "Softmax", {1, 1}, inferSoftmax, perOutput<5>);
    define(r, "LogSoftmax", {1, 1}, inferSoftmax, perOutput<5>);
    define(r, "Hardmax", {1, 1}, inferSoftmax);
    define(r, "Dropout", {1, 3, 1, 2}, inferDropout);
}

}  // namespace hs::ops
