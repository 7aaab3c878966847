// SPDX-License-Identifier: Apache-2.0
// Quantised number formats.
#include "core/graph/cost.h"
#include "core/graph/ops.h"

namespace hs::ops {
namespace {

/// Output type: the zero point's, or `output_dtype` (opset 21), or uint8.
Status inferQuantize(InferContext& c) {
    DType type = DType::U8;
    if (const std::int64_t number = c.node().intOr("output_dtype", 0); number != 0) {
        const auto named = dtypeFromOnnx(number);
        if (!named) return bad(c, "output_dtype {} is not known", number);
        type = *named;
    }
    if (c.hasInput(2)) {
        if (type != DType::U8 && dtypeOf(c, 2) != DType::Undefined && dtypeOf(c, 2) != type)
            return bad(c, "output_dtype is {}, but the zero point is {}", dtypeName(type), dtypeName(dtypeOf(c, 2)));
        type = dtypeOf(c, 2);
    }
    c.setOutput(0, type, shapeOf(c, 0));
    return {};
}

/// Output type: the scale's, or `output_dtype` (opset 23).
Status inferDequantize(InferContext& c) {
    if (c.hasInput(2)) HS_CHECK(wantSameDType(c, {0, 2}));
    DType type = dtypeOf(c, 1);
    if (const std::int64_t number = c.node().intOr("output_dtype", 0); number != 0) {
        const auto named = dtypeFromOnnx(number);
        if (!named) return bad(c, "output_dtype {} is not known", number);
        type = *named;
    }
    c.setOutput(0, type, shapeOf(c, 0));
    return {};
}

Status inferDynamicQuantize(InferContext& c) {
    c.setOutput(0, DType::U8, shapeOf(c, 0));
    c.setOutput(1, DType::F32, Shape::scalar());
    c.setOutput(2, DType::U8, Shape::scalar());
    return {};
}

}  // namespace

void registerQuantization(OpRegistry& r) {
    define(r, "QuantizeLinear", {2, 3}, inferQuantize, perOutput<2>);
    define(r, "DequantizeLinear", {2, 3}, inferDequantize, perOutput<2>);
    define(r, "DynamicQuantizeLinear", {1, 1, 3, 3}, inferDynamicQuantize, perOutput<4>);
}

}  // namespace hs::ops
