// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "core/graph/op_registry.h"

/// Private to core/graph: following the elements of small tensors.
namespace hs {

/// Records the elements of a small integer, bool, float32 or float64 tensor in `known`.
void trackTensor(const Tensor& tensor, InferredValue& known);

namespace ops {

/// Known integers must fit the element type; what does not is unknown (wrap-around is not modelled).
bool fits(DType type, std::int64_t value);

/// One axis of a resolved Slice.
struct SliceAxis {
    std::int64_t start = 0;
    std::int64_t step = 1;
    std::int64_t count = 0;
};

/// ONNX Slice on an axis of known size: clamps as the specification says. `step` must not be 0.
SliceAxis resolveSlice(std::int64_t size, std::int64_t start, std::int64_t end, std::int64_t step);

/// Parameters of a Slice node from its attributes (before opset 10) or inputs, one entry an axis that it names.
struct SliceParameters {
    std::optional<std::vector<std::int64_t>> starts, ends, axes, steps;
    bool complete() const { return starts && ends && axes && steps; }
};
/// BadInput when the lists' lengths differ, a step is 0 or an axis is out of range. The axes come out not negative.
Result<SliceParameters> sliceParameters(const InferContext& c);

/// Row-major strides, in elements.
std::vector<std::int64_t> stridesOf(const Dims& dims);

}  // namespace ops
}  // namespace hs
