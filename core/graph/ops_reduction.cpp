// SPDX-License-Identifier: Apache-2.0
// Reductions, ArgMax and ArgMin, TopK, cumulative sums. FLOPs: one per input element unless noted.
#include <algorithm>

#include "core/graph/cost.h"
#include "core/graph/ops.h"

namespace hs::ops {
namespace {

/// Axes come from the attribute, or from input 1 (ReduceSum since 13, the others since 18).
Status inferReduce(InferContext& c) {
    const Shape& in = shapeOf(c, 0);
    const bool keep = c.node().intOr("keepdims", 1) != 0;
    const AxesSource axes = intsFrom(c, "axes", 1);
    const bool all = !axes.given || (axes.values && axes.values->empty());
    if (all && axes.given && c.node().intOr("noop_with_empty_axes", 0) != 0) return inferSame(c);
    if (all && !axes.given && c.node().intOr("noop_with_empty_axes", 0) != 0) return inferSame(c);
    if (!in.ranked()) {
        c.setOutput(0, dtypeOf(c, 0), all && !keep ? Shape::scalar() : Shape());
        return {};
    }
    std::vector<bool> reduced(in.rank(), all);
    if (!all && !axes.values) {
        c.setOutput(0, dtypeOf(c, 0), keep ? unknownOfRank(in.rank()) : Shape());
        return {};
    }
    if (!all) {
        HS_TRY(const auto list, axesOf(c, *axes.values, in.rank()));
        for (const std::size_t axis : list)
            reduced[axis] = true;
    }
    std::vector<Dim> dims;
    for (std::size_t i = 0; i < in.rank(); ++i) {
        if (!reduced[i])
            dims.push_back(in[i]);
        else if (keep)
            dims.emplace_back(1);
    }
    c.setOutput(0, dtypeOf(c, 0), Shape(std::move(dims)));
    return {};
}

Status inferArg(InferContext& c) {
    const Shape& in = shapeOf(c, 0);
    if (!in.ranked()) {
        c.setOutput(0, DType::I64, Shape());
        return {};
    }
    HS_TRY(const std::size_t axis, axisOf(c, c.node().intOr("axis", 0), in.rank()));
    std::vector<Dim> dims = in.dims();
    if (c.node().intOr("keepdims", 1) != 0)
        dims[axis] = Dim(1);
    else
        dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(axis));
    c.setOutput(0, DType::I64, Shape(std::move(dims)));
    return {};
}

/// K is an attribute before opset 10, input 1 since.
Status inferTopK(InferContext& c) {
    Shape out = shapeOf(c, 0);
    std::optional<std::int64_t> k;
    if (const auto* attribute = c.node().get<std::int64_t>("k")) k = *attribute;
    if (const auto ints = c.inputInts(1); ints && ints->size() == 1) k = ints->front();
    if (k && *k < 0) return bad(c, "K is {}, it must not be negative", *k);
    if (out.ranked()) {
        HS_TRY(const std::size_t axis, axisOf(c, c.node().intOr("axis", -1), out.rank()));
        if (k && out[axis].known() && *k > out[axis].value()) return bad(c, "K is {}, but axis {} has only {} elements", *k, axis, out[axis].value());
        const auto* data = c.inputData(1);
        out = withDim(out, axis, k ? Dim(*k) : data != nullptr && data->size() == 1 ? data->front().dim() : Dim());
    }
    c.setOutput(0, dtypeOf(c, 0), out);
    c.setOutput(1, DType::I64, std::move(out));
    return {};
}

Status inferCumulative(InferContext& c) {
    const auto axis = c.inputInts(1);
    if (axis && axis->size() == 1 && shapeOf(c, 0).ranked()) HS_CHECK(axisOf(c, axis->front(), shapeOf(c, 0).rank()));
    return inferSame(c);
}

}  // namespace

void registerReduction(OpRegistry& r) {
    for (const auto* name : {"ReduceMax", "ReduceMin", "ReduceProd", "ReduceSum", "ReduceMean"})
        define(r, name, {1, 2}, inferReduce, inputElements);
    for (const auto* name : {"ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceSumSquare"})
        define(r, name, {1, 2}, inferReduce, perInput<2>);
    define(r, "ReduceLogSumExp", {1, 2}, inferReduce, perInput<4>);
    define(r, "ArgMax", {1, 1}, inferArg, inputElements);
    define(r, "ArgMin", {1, 1}, inferArg, inputElements);
    define(r, "TopK", {1, 2, 1, 2}, inferTopK, inputElements);
    define(r, "CumSum", {2, 2}, inferCumulative, inputElements);
    define(r, "CumProd", {2, 2}, inferCumulative, inputElements);
}

}  // namespace hs::ops
