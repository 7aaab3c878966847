// SPDX-License-Identifier: Apache-2.0
// Gathering, scattering and choosing by index or value. No FLOPs: they move data.
#include <algorithm>

#include "core/graph/ops.h"

namespace hs::ops {
namespace {

Status wantIndices(const InferContext& c, std::size_t i) {
    const DType type = dtypeOf(c, i);
    if (type != DType::Undefined && type != DType::I32 && type != DType::I64) return bad(c, "the indices are {}, int32 or int64 is needed", dtypeName(type));
    return {};
}

Status inferGather(InferContext& c) {
    HS_CHECK(wantIndices(c, 1));
    HS_CHECK(wantMinRank(c, 0, 1));
    const Shape& in = shapeOf(c, 0);
    const Shape& at = shapeOf(c, 1);
    if (!in.ranked() || !at.ranked()) return inferUnknownTensor(c);
    HS_TRY(const std::size_t axis, axisOf(c, c.node().intOr("axis", 0), in.rank()));
    if (const auto picks = c.inputInts(1); picks && in[axis].known())
        for (const std::int64_t pick : *picks)
            if (pick < -in[axis].value() || pick >= in[axis].value())
                return bad(c, "index {} is out of range for size {} of axis {}", pick, in[axis].value(), axis);
    std::vector<Dim> out(in.dims().begin(), in.dims().begin() + static_cast<std::ptrdiff_t>(axis));
    out.insert(out.end(), at.dims().begin(), at.dims().end());
    out.insert(out.end(), in.dims().begin() + static_cast<std::ptrdiff_t>(axis) + 1, in.dims().end());
    c.setOutput(0, dtypeOf(c, 0), Shape(std::move(out)));
    return {};
}

Status inferGatherElements(InferContext& c) {
    HS_CHECK(wantIndices(c, 1));
    const Shape& in = shapeOf(c, 0);
    const Shape& at = shapeOf(c, 1);
    if (in.ranked()) HS_CHECK(axisOf(c, c.node().intOr("axis", 0), in.rank()));
    if (in.ranked()) HS_CHECK(wantRank(c, 1, in.rank()));
    c.setOutput(0, dtypeOf(c, 0), at);
    return {};
}

Status inferGatherNd(InferContext& c) {
    HS_CHECK(wantMinRank(c, 0, 1));
    HS_CHECK(wantMinRank(c, 1, 1));
    const Shape& in = shapeOf(c, 0);
    const Shape& at = shapeOf(c, 1);
    if (!in.ranked() || !at.ranked() || !at[at.rank() - 1].known()) return inferUnknownTensor(c);
    const std::int64_t depth = at[at.rank() - 1].value();
    const std::int64_t batch = c.node().intOr("batch_dims", 0);
    const auto rank = static_cast<std::int64_t>(in.rank());
    if (batch < 0 || depth < 0 || batch >= static_cast<std::int64_t>(at.rank()) || batch >= rank || depth > rank - batch)
        return bad(c, "indices {} with batch_dims {} do not fit data {}", at.text(), batch, in.text());
    std::vector<Dim> out(at.dims().begin(), at.dims().end() - 1);
    out.insert(out.end(), in.dims().begin() + batch + depth, in.dims().end());
    c.setOutput(0, dtypeOf(c, 0), Shape(std::move(out)));
    return {};
}

Status inferScatterElements(InferContext& c) {
    HS_CHECK(wantIndices(c, 1));
    HS_CHECK(wantSameDType(c, {0, 2}));
    const Shape& in = shapeOf(c, 0);
    if (in.ranked()) {
        HS_CHECK(axisOf(c, c.node().intOr("axis", 0), in.rank()));
        HS_CHECK(wantRank(c, 1, in.rank()));
        HS_CHECK(wantRank(c, 2, in.rank()));
    }
    return inferSame(c);
}

Status inferScatterNd(InferContext& c) {
    HS_CHECK(wantSameDType(c, {0, 2}));
    HS_CHECK(wantMinRank(c, 0, 1));
    HS_CHECK(wantMinRank(c, 1, 1));
    const Shape& in = shapeOf(c, 0);
    const Shape& at = shapeOf(c, 1);
    if (in.ranked() && at.ranked() && at[at.rank() - 1].known() && at[at.rank() - 1].value() > static_cast<std::int64_t>(in.rank()))
        return bad(c, "indices {} are deeper than data {}", at.text(), in.text());
    return inferSame(c);
}

/// KV-cache update: the cache keeps its shape.
Status inferTensorScatter(InferContext& c) {
    HS_CHECK(wantSameDType(c, {0, 1}));
    return inferSame(c);
}

Status inferOneHot(InferContext& c) {
    const Shape& in = shapeOf(c, 0);
    if (!in.ranked()) {
        c.setOutput(0, dtypeOf(c, 2), Shape());
        return {};
    }
    HS_TRY(const std::size_t axis, axisOf(c, c.node().intOr("axis", -1), in.rank() + 1));
    Dim depth;
    if (const auto* data = c.inputData(1); data != nullptr && data->size() == 1) {
        if (data->front().known() && data->front().value() < 1) return bad(c, "depth is {}", data->front().value());
        depth = data->front().dim();
    } else if (const auto floats = c.inputFloats(1); floats && floats->size() == 1 && floats->front() >= 1 && floats->front() < 1e12) {
        depth = Dim(static_cast<std::int64_t>(floats->front()));
    }
    std::vector<Dim> out = in.dims();
    out.insert(out.begin() + static_cast<std::ptrdiff_t>(axis), depth);
    c.setOutput(0, dtypeOf(c, 2), Shape(std::move(out)));
    return {};
}

Status inferNonZero(InferContext& c) {
    const Shape& in = shapeOf(c, 0);
    Dim found;
    if (const auto values = c.inputInts(0))
        found = Dim(static_cast<std::int64_t>(std::count_if(values->begin(), values->end(), [](std::int64_t v) { return v != 0; })));
    // A scalar counts as a vector of one.
    c.setOutput(0, DType::I64, Shape({in.ranked() ? Dim(static_cast<std::int64_t>(in.rank())) : Dim(), found}));
    return {};
}

Status inferCompress(InferContext& c) {
    const Shape& in = shapeOf(c, 0);
    HS_CHECK(wantRank(c, 1, 1));
    Dim kept;
    const auto* axis = c.node().get<std::int64_t>("axis");
    if (axis == nullptr) {
        if (const auto flags = c.inputInts(1))
            kept = Dim(static_cast<std::int64_t>(std::count_if(flags->begin(), flags->end(), [](std::int64_t v) { return v != 0; })));
        c.setOutput(0, dtypeOf(c, 0), Shape({kept}));
        return {};
    }
    if (!in.ranked()) return inferUnknownTensor(c);
    HS_TRY(const std::size_t at, axisOf(c, *axis, in.rank()));
    if (const auto flags = c.inputInts(1))
        kept = Dim(static_cast<std::int64_t>(std::count_if(flags->begin(), flags->end(), [](std::int64_t v) { return v != 0; })));
    c.setOutput(0, dtypeOf(c, 0), withDim(in, at, kept));
    return {};
}

Status inferUnique(InferContext& c) {
    const Shape& in = shapeOf(c, 0);
    const auto* axis = c.node().get<std::int64_t>("axis");
    Shape values = unknownOfRank(1);
    Dim length = in.ranked() ? productOf(in, 0, in.rank()) : Dim();
    if (axis != nullptr) {
        values = Shape();
        length = Dim();
        if (in.ranked()) {
            HS_TRY(const std::size_t at, axisOf(c, *axis, in.rank()));
            values = withDim(in, at, Dim());
            length = in[at];
        }
    }
    c.setOutput(0, dtypeOf(c, 0), std::move(values));
    c.setOutput(1, DType::I64, unknownOfRank(1));
    c.setOutput(2, DType::I64, Shape({length}));
    c.setOutput(3, DType::I64, unknownOfRank(1));
    return {};
}

}  // namespace

void registerIndexing(OpRegistry& r) {
    define(r, "Gather", {2, 2}, inferGather, noFlops);
    define(r, "GatherElements", {2, 2}, inferGatherElements, noFlops);
    define(r, "GatherND", {2, 2}, inferGatherNd, noFlops);
    define(r, "Scatter", {3, 3}, inferScatterElements, noFlops);
    define(r, "ScatterElements", {3, 3}, inferScatterElements, noFlops);
    define(r, "ScatterND", {3, 3}, inferScatterNd, noFlops);
    define(r, "TensorScatter", {2, 3}, inferTensorScatter, noFlops);
    define(r, "OneHot", {3, 3}, inferOneHot, noFlops);
    define(r, "NonZero", {1, 1}, inferNonZero, noFlops);
    define(r, "Compress", {2, 2}, inferCompress, noFlops);
    define(r, "Unique", {1, 1, 1, 4}, inferUnique, noFlops);
}

}  // namespace hs::ops
