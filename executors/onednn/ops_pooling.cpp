// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "executors/onednn/op_table.h"
#include "executors/onednn/window.h"

namespace hs::dnn {
namespace {

Support supportsPool(const Asked& asked) {
    const std::size_t rank = asked.in(0).shape.rank();
    if (rank < 3 || rank > 5) return asked.noShape("only one to three spatial axes");
    if (asked.hasOutput(1)) return asked.noAttribute("Indices (a second output)");
    const bool average = asked.node().opType == "AveragePool";
    // ONNX leaves what ceil_mode adds out of the count, oneDNN takes it for padding
    if (average && asked.node().intOr("ceil_mode", 0) != 0 && asked.node().intOr("count_include_pad", 0) != 0)
        return asked.noAttribute("ceil_mode together with count_include_pad");
    return Support::yes();
}

Result<std::unique_ptr<Program>> buildPool(const Build& b) {
    const Node& node = b.node();
    const WindowAttributes attributes = windowAttributes(node, {});
    const MemoryDims in = spatialOf(b.inDims(0));
    const MemoryDims out = spatialOf(b.outDims(0));
    if (attributes.kernel.size() != in.size()) return b.unsupported("kernel_shape does not fit the input's rank");
    Window window = forwardWindow(attributes, in);
    for (std::size_t i = 0; i < in.size(); ++i) {
        // ceil_mode: the end padding that makes the floor formula give the wanted size
        const auto needed = (out[i] - 1) * window.strides[i] + extent(attributes, i) - in[i] - window.padBegin[i];
        window.padEnd[i] = std::max(window.padEnd[i], needed);
        if (window.padBegin[i] >= extent(attributes, i) || window.padEnd[i] >= extent(attributes, i)) return b.unsupported("padding as wide as the window");
    }
    auto algorithm = dnnl::algorithm::pooling_max;
    if (node.opType == "AveragePool")
        algorithm = node.intOr("count_include_pad", 0) != 0 ? dnnl::algorithm::pooling_avg_include_padding : dnnl::algorithm::pooling_avg_exclude_padding;
    auto program = b.program("pooling");
    const Desc x = plain(b.inDims(0));
    const Desc y = plain(b.outDims(0));
    program->add(pooling(program->engine(), algorithm, x, y, attributes.kernel, window, Program::attributes()),
                 {{DNNL_ARG_SRC, program->input(0, x)}, {DNNL_ARG_DST, b.result(*program, y)}});
    return program;
}

/// The mean over everything after the channels. (GlobalMaxPool is absent: see ReduceMax.)
Result<std::unique_ptr<Program>> buildGlobalAverage(const Build& b) {
    const Dims& in = b.inDims(0);
    if (in.size() < 2) return b.unsupported("an input without channels");
    const auto rows = in[0] * in[1];
    const auto columns = *elementCount(in) / std::max<std::int64_t>(1, rows);
    if (columns == 0) return b.unsupported("an empty input");
    auto program = b.program("reduction");
    const Desc x = plain({rows, columns});
    const Desc y = plain({rows, 1});
    if (columns == 1) {  // oneDNN refuses a reduction that reduces nothing
        program->add(reorder(program->engine(), x, y, Program::attributes()), {{DNNL_ARG_FROM, program->input(0, x)}, {DNNL_ARG_TO, b.result(*program, y)}});
        return program;
    }
    program->add(reduction(program->engine(), dnnl::algorithm::reduction_mean, x, y, 0, Program::attributes()),
                 {{DNNL_ARG_SRC, program->input(0, x)}, {DNNL_ARG_DST, b.result(*program, y)}});
    return program;
}

constexpr std::array kOps = {
    OpEntry{"MaxPool", supportsPool, buildPool},
    OpEntry{"AveragePool", supportsPool, buildPool},
    OpEntry{"GlobalAveragePool", nullptr, buildGlobalAverage},
};

}  // namespace

std::span<const OpEntry> poolingOps() {
    return kOps;
}

}  // namespace hs::dnn
