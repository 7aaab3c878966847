// SPDX-License-Identifier: Apache-2.0
// Object detection and images.
#include "core/graph/cost.h"
#include "core/graph/ops.h"

namespace hs::ops {
namespace {

Status inferNonMaxSuppression(InferContext& c) {
    HS_CHECK(wantRank(c, 0, 3));
    HS_CHECK(wantRank(c, 1, 3));
    c.setOutput(0, DType::I64, Shape({Dim(), Dim(3)}));  // As many rows as boxes survive.
    return {};
}

Status inferRoiAlign(InferContext& c) {
    HS_CHECK(wantRank(c, 0, 4));
    HS_CHECK(wantRank(c, 1, 2));
    const std::int64_t height = c.node().intOr("output_height", 1);
    const std::int64_t width = c.node().intOr("output_width", 1);
    if (height < 1 || width < 1) return bad(c, "the output size {} x {} is out of range", height, width);
    const Dim rois = shapeOf(c, 1).ranked() ? shapeOf(c, 1)[0] : Dim();
    c.setOutput(0, dtypeOf(c, 0), Shape({rois, shapeOf(c, 0).ranked() ? shapeOf(c, 0)[1] : Dim(), Dim(height), Dim(width)}));
    return {};
}

Status inferImageDecoder(InferContext& c) {
    HS_CHECK(wantRank(c, 0, 1));
    c.setOutput(0, DType::U8, Shape({Dim(), Dim(), Dim(c.node().stringOr("pixel_format", "RGB") == "Grayscale" ? 1 : 3)}));
    return {};
}

double roiAlignFlops(const Model& model, const Node& node, const TypeTable& types) {
    // A bilinear sample is about 8 operations; the ratio 0 (adaptive) is taken as 2.
    const auto ratio = static_cast<double>(node.intOr("sampling_ratio", 0));
    return perOutput<8>(model, node, types) * (ratio > 0 ? ratio * ratio : 4);
}

}  // namespace

void registerDetection(OpRegistry& r) {
    define(r, "NonMaxSuppression", {2, 5}, inferNonMaxSuppression, inputElements);
    define(r, "RoiAlign", {3, 3}, inferRoiAlign, roiAlignFlops);
    define(r, "ImageDecoder", {1, 1}, inferImageDecoder, noFlops);
}

}  // namespace hs::ops
