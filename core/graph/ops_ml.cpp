// SPDX-License-Identifier: Apache-2.0
// The few operators of ai.onnx.ml that are known by schema.
#include "core/graph/ops.h"

namespace hs::ops {
namespace {

constexpr std::string_view kMl = "ai.onnx.ml";

/// Picks columns of the last axis.
Status inferFeatureExtractor(InferContext& c) {
    const Shape& in = shapeOf(c, 0);
    const Shape& at = shapeOf(c, 1);
    if (!in.ranked() || in.rank() == 0) return inferUnknownTensor(c);
    const Dim count = at.ranked() ? productOf(at, 0, at.rank()) : Dim();
    c.setOutput(0, dtypeOf(c, 0), in.rank() == 1 ? Shape({Dim(1), count}) : withDim(in, in.rank() - 1, count));
    return {};
}

Status inferLabelEncoder(InferContext& c) {
    const Node& node = c.node();
    DType type = dtypeOf(c, 0) == DType::String ? DType::I64 : DType::String;
    if (node.find("values_int64s") != nullptr) type = DType::I64;
    if (node.find("values_floats") != nullptr) type = DType::F32;
    if (node.find("values_strings") != nullptr) type = DType::String;
    if (const Tensor* values = node.get<Tensor>("values_tensor")) type = values->dtype();
    c.setOutput(0, type, shapeOf(c, 0));
    return {};
}

Status inferTreeEnsemble(InferContext& c) {
    HS_CHECK(wantRank(c, 0, 2));
    c.setOutput(0, dtypeOf(c, 0), Shape({shapeOf(c, 0).ranked() ? shapeOf(c, 0)[0] : Dim(), Dim(c.node().intOr("n_targets", 1))}));
    return {};
}

}  // namespace

void registerMl(OpRegistry& r) {
    define(r, "ArrayFeatureExtractor", {2, 2}, inferFeatureExtractor, noFlops, kMl);
    define(r, "Binarizer", {1, 1}, inferSame, nullptr, kMl);
    define(r, "LabelEncoder", {1, 1}, inferLabelEncoder, noFlops, kMl);
    define(r, "TreeEnsemble", {1, 1}, inferTreeEnsemble, nullptr, kMl);
}

}  // namespace hs::ops
