// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/graph/model.h"
#include "executors/onednn/dnnl_adapter.h"

namespace hs::dnn {

/// Attributes of Conv, ConvTranspose and the pools, with ONNX's defaults filled in for `spatial` axes.
struct WindowAttributes {
    MemoryDims kernel;
    MemoryDims strides;
    MemoryDims dilations;      ///< ONNX's counting: 1 is dense.
    MemoryDims pads;           ///< All begins, then all ends.
    MemoryDims outputPadding;  ///< Of ConvTranspose; 0 elsewhere.
    std::string autoPad;       ///< "NOTSET", "VALID", "SAME_UPPER" or "SAME_LOWER"
};

/// `kernel` is used where the node has no kernel_shape.
WindowAttributes windowAttributes(const Node& node, const MemoryDims& kernel);

/// Extent of a dilated kernel.
inline dnnl::memory::dim extent(const WindowAttributes& a, std::size_t axis) {
    return (a.kernel[axis] - 1) * a.dilations[axis] + 1;
}

/// The window for a convolution or pool over spatial sizes `in`.
Window forwardWindow(const WindowAttributes& attributes, const MemoryDims& in);

/// The window for a transposed convolution from `in` to `out` (spatial sizes): the end padding is what makes
/// (in-1)·stride + extent - begin - end = out true, whatever output_padding or output_shape asked for.
Window transposedWindow(const WindowAttributes& attributes, const MemoryDims& in, const MemoryDims& out, bool outputShapeGiven);

/// Sizes after the first two (batch and channels).
inline MemoryDims spatialOf(const MemoryDims& dims) {
    return {dims.begin() + 2, dims.end()};
}

}  // namespace hs::dnn
