// SPDX-License-Identifier: Apache-2.0
// Operators of com.microsoft on quantised numbers.
#include <algorithm>

#include "core/graph/cost.h"
#include "core/graph/ops.h"

namespace hs::ops {
namespace {

constexpr std::string_view kDomain = "com.microsoft";

Status inferMatMulAs(InferContext& c, DType type) {
    HS_TRY(Shape out, matMulShape(c, shapeOf(c, 0), shapeOf(c, 1)));
    c.setOutput(0, type, std::move(out));
    return {};
}

Status inferIntegerToFloat(InferContext& c) {
    return inferMatMulAs(c, dtypeOf(c, 3));
}

Status inferDynamicQuantizeMatMul(InferContext& c) {
    return inferMatMulAs(c, dtypeOf(c, 0));
}

Status inferMatMulInteger16(InferContext& c) {
    const bool known = dtypeOf(c, 0) != DType::Undefined && dtypeOf(c, 1) != DType::Undefined;
    const bool isUnsigned = dtypeOf(c, 0) == DType::U16 && dtypeOf(c, 1) == DType::U16;
    return inferMatMulAs(c, !known ? DType::Undefined : isUnsigned ? DType::U32 : DType::I32);
}

/// A [..., K] times packed weights of N columns.
Status inferMatMulNBits(InferContext& c) {
    HS_CHECK(wantFloat(c, 0));
    HS_CHECK(wantMinRank(c, 0, 1));
    const std::int64_t k = c.node().intOr("K", 0);
    const std::int64_t n = c.node().intOr("N", 0);
    if (k < 1 || n < 1 || k > kMaxElements || n > kMaxElements || c.node().intOr("block_size", 0) < 1)
        return bad(c, "K, N and block_size must be given and positive");
    const Shape& in = shapeOf(c, 0);
    if (!in.ranked()) return inferUnknownTensor(c);
    HS_CHECK(sameDim(c, "the input's last size and K", in[in.rank() - 1], Dim(k)));
    c.setOutput(0, dtypeOf(c, 0), withDim(in, in.rank() - 1, Dim(n)));
    return {};
}

double nBitsFlops(const Model& model, const Node& node, const TypeTable& types) {
    return perOutput<2>(model, node, types) * static_cast<double>(node.intOr("K", 0));
}

Status wantInput(const InferContext& c, std::size_t i) {
    if (!c.hasInput(i)) return bad(c, "input {} is missing", i);
    return {};
}

/// Operands at inputs 0 and 3, scales and zero points behind each.
Status inferQBinary(InferContext& c) {
    HS_CHECK(wantInput(c, 3));
    HS_CHECK(wantInput(c, 6));
    HS_CHECK(wantSameDType(c, {0, 3}));
    HS_TRY(Shape out, broadcast(c, shapeOf(c, 0), shapeOf(c, 3)));
    c.setOutput(0, dtypeOf(c, 0), std::move(out));
    return {};
}

Status inferMulInteger(InferContext& c) {
    HS_CHECK(wantInput(c, 2));
    HS_CHECK(wantSameDType(c, {0, 2}));
    HS_TRY(Shape out, broadcast(c, shapeOf(c, 0), shapeOf(c, 2)));
    c.setOutput(0, DType::I32, std::move(out));
    return {};
}

/// Input, its scale and zero point, the output's scale and zero point.
Status inferQUnary(InferContext& c) {
    HS_CHECK(wantInput(c, 3));
    return inferSame(c);
}

Shape rotatedBatch(const Shape& in, bool toFirst) {
    if (!in.ranked() || in.rank() < 3) return in;
    std::vector<Dim> dims = in.dims();
    std::rotate(dims.begin() + 1, toFirst ? dims.end() - 1 : dims.begin() + 2, dims.end());
    return Shape(std::move(dims));
}

Status inferQAveragePool(InferContext& c) {
    HS_CHECK(wantInput(c, 3));
    const bool last = c.node().intOr("channels_last", 0) != 0;
    HS_TRY(const Shape out, pooledShape(c, last ? rotatedBatch(shapeOf(c, 0), true) : shapeOf(c, 0)));
    c.setOutput(0, dtypeOf(c, 0), last ? rotatedBatch(out, false) : out);
    return {};
}

Status inferQGlobalPool(InferContext& c) {
    HS_CHECK(wantMinRank(c, 0, 3));
    HS_CHECK(wantInput(c, 3));
    const Shape& in = shapeOf(c, 0);
    if (!in.ranked()) return inferUnknownTensor(c);
    std::vector<Dim> dims(in.rank(), Dim(1));
    const std::size_t channel = c.node().intOr("channels_last", 0) != 0 ? in.rank() - 1 : 1;
    dims[0] = in[0];
    dims[channel] = in[channel];
    c.setOutput(0, dtypeOf(c, 0), Shape(std::move(dims)));
    return {};
}

Status inferQReduceMean(InferContext& c) {
    HS_CHECK(wantInput(c, 3));
    const Shape& in = shapeOf(c, 0);
    if (!in.ranked()) return inferUnknownTensor(c);
    std::vector<std::int64_t> wanted = c.node().intsOr("axes");
    if (wanted.empty())
        for (std::size_t i = 0; i < in.rank(); ++i)
            wanted.push_back(static_cast<std::int64_t>(i));
    HS_TRY(const auto axes, axesOf(c, wanted, in.rank()));
    const bool keep = c.node().intOr("keepdims", 1) != 0;
    std::vector<Dim> dims;
    for (std::size_t i = 0; i < in.rank(); ++i) {
        const bool reduced = std::find(axes.begin(), axes.end(), i) != axes.end();
        if (!reduced) dims.push_back(in[i]);
        if (reduced && keep) dims.emplace_back(1);
    }
    c.setOutput(0, dtypeOf(c, 0), Shape(std::move(dims)));
    return {};
}

/// The result's scale and zero point, then tensor, scale and zero point for each part.
Status inferQConcat(InferContext& c) {
    if (c.inputCount() < 5 || (c.inputCount() - 2) % 3 != 0)
        return bad(c, "{} inputs are given; each part needs a tensor, a scale and a zero point", c.inputCount());
    Shape out = shapeOf(c, 2);
    for (std::size_t i = 2; i < c.inputCount(); i += 3) {
        const Shape& part = shapeOf(c, i);
        if (!part.ranked() || !out.ranked()) {
            out = Shape();
            break;
        }
        HS_CHECK(wantRank(c, i, out.rank()));
        HS_TRY(const std::size_t axis, axisOf(c, c.node().intOr("axis", 0), out.rank()));
        if (i == 2) continue;
        std::vector<Dim> dims(out.rank());
        for (std::size_t d = 0; d < dims.size(); ++d) {
            if (d == axis) {
                dims[d] = add(out[d], part[d]);
                continue;
            }
            HS_TRY(dims[d], sameDim(c, "the sizes of the parts", out[d], part[d]));
        }
        out = Shape(std::move(dims));
    }
    c.setOutput(0, dtypeOf(c, 1), std::move(out));
    return {};
}

Status inferQWhere(InferContext& c) {
    HS_CHECK(wantSameDType(c, {1, 4}));
    HS_TRY(const Shape both, broadcast(c, shapeOf(c, 1), shapeOf(c, 4)));
    HS_TRY(Shape out, broadcast(c, shapeOf(c, 0), both));
    c.setOutput(0, dtypeOf(c, 1), std::move(out));
    return {};
}

}  // namespace

void registerContribQuantization(OpRegistry& r) {
    define(r, "MatMulIntegerToFloat", {4, 7}, inferIntegerToFloat, matMulFlops, kDomain);
    define(r, "DynamicQuantizeMatMul", {3, 5}, inferDynamicQuantizeMatMul, matMulFlops, kDomain);
    define(r, "MatMulInteger16", {2, 2}, inferMatMulInteger16, matMulFlops, kDomain);
    define(r, "MatMulNBits", {3, 6}, inferMatMulNBits, nBitsFlops, kDomain);
    define(r, "QLinearAdd", {2, 8}, inferQBinary, perOutput<6>, kDomain);
    define(r, "QLinearMul", {2, 8}, inferQBinary, perOutput<5>, kDomain);
    define(r, "MulInteger", {1, 4}, inferMulInteger, perOutput<3>, kDomain);
    define(r, "QLinearSigmoid", {2, 5}, inferQUnary, perOutput<7>, kDomain);
    define(r, "QLinearLeakyRelu", {2, 5}, inferQUnary, perOutput<5>, kDomain);
    define(r, "QLinearSoftmax", {2, 5}, inferQUnary, perOutput<9>, kDomain);
    define(r, "QLinearAveragePool", {2, 5}, inferQAveragePool, poolFlops, kDomain);
    define(r, "QLinearGlobalAveragePool", {2, 5}, inferQGlobalPool, inputElements, kDomain);
    define(r, "QLinearReduceMean", {2, 5}, inferQReduceMean, inputElements, kDomain);
    define(r, "QLinearConcat", {5, kMany}, inferQConcat, perOutput<4>, kDomain);
    define(r, "QLinearWhere", {9, 9}, inferQWhere, perOutput<4>, kDomain);
}

}  // namespace hs::ops
