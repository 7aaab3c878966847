// SPDX-License-Identifier: Apache-2.0
#include "executors/onednn/window.h"

#include <algorithm>

namespace hs::dnn {
namespace {

MemoryDims filled(const Node& node, const char* name, std::size_t count, dnnl::memory::dim fallback) {
    MemoryDims out = node.intsOr(name);
    out.resize(count, fallback);
    return out;
}

}  // namespace

WindowAttributes windowAttributes(const Node& node, const MemoryDims& kernel) {
    WindowAttributes out;
    out.kernel = node.intsOr("kernel_shape", kernel);
    const std::size_t spatial = out.kernel.size();
    out.strides = filled(node, "strides", spatial, 1);
    out.dilations = filled(node, "dilations", spatial, 1);
    out.pads = filled(node, "pads", spatial * 2, 0);
    out.outputPadding = filled(node, "output_padding", spatial, 0);
    out.autoPad = node.stringOr("auto_pad", "NOTSET");
    return out;
}

Window forwardWindow(const WindowAttributes& a, const MemoryDims& in) {
    Window out;
    const std::size_t spatial = a.kernel.size();
    for (std::size_t i = 0; i < spatial; ++i) {
        dnnl::memory::dim begin = a.pads[i];
        dnnl::memory::dim end = a.pads[spatial + i];
        if (a.autoPad == "VALID") begin = end = 0;
        if (a.autoPad == "SAME_UPPER" || a.autoPad == "SAME_LOWER") {
            const auto outSize = (in[i] + a.strides[i] - 1) / a.strides[i];
            const auto total = std::max<dnnl::memory::dim>(0, (outSize - 1) * a.strides[i] + extent(a, i) - in[i]);
            begin = a.autoPad == "SAME_UPPER" ? total / 2 : total - total / 2;
            end = total - begin;
        }
        out.strides.push_back(a.strides[i]);
        out.dilations.push_back(a.dilations[i] - 1);
        out.padBegin.push_back(begin);
        out.padEnd.push_back(end);
    }
    return out;
}

Window transposedWindow(const WindowAttributes& a, const MemoryDims& in, const MemoryDims& out, bool outputShapeGiven) {
    Window window;
    for (std::size_t i = 0; i < a.kernel.size(); ++i) {
        const auto total = (in[i] - 1) * a.strides[i] + extent(a, i) - out[i];
        dnnl::memory::dim begin = a.pads[i];
        if (a.autoPad == "VALID") begin = 0;
        // ONNX: with output_shape or auto_pad the padding is derived; SAME_UPPER puts the odd one at the end, all else at the beginning.
        // output_padding counts in the sum that is split, and nothing is split where the windows leave gaps.
        if (outputShapeGiven || a.autoPad.starts_with("SAME")) {
            const auto split = std::max<dnnl::memory::dim>(0, total + a.outputPadding[i]);
            begin = a.autoPad == "SAME_UPPER" ? split / 2 : split - split / 2;
        }
        window.strides.push_back(a.strides[i]);
        window.dilations.push_back(a.dilations[i] - 1);
        window.padBegin.push_back(begin);
        window.padEnd.push_back(total - begin);
    }
    return window;
}

}  // namespace hs::dnn
