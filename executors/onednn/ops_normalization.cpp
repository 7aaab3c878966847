// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>
#include <functional>
#include <numeric>

#include "executors/onednn/op_table.h"

namespace hs::dnn {
namespace {

using Size = dnnl::memory::dim;
using Flags = dnnl::normalization_flags;

Size product(const Dims& dims, std::size_t from, std::size_t to) {
    return std::accumulate(dims.begin() + static_cast<std::ptrdiff_t>(from), dims.begin() + static_cast<std::ptrdiff_t>(to), Size{1}, std::multiplies<>());
}

std::size_t normalAxis(std::int64_t axis, std::size_t rank) {
    return static_cast<std::size_t>(axis < 0 ? axis + static_cast<std::int64_t>(rank) : axis);
}

bool axisInRange(std::int64_t axis, std::size_t rank) {
    return axis >= -static_cast<std::int64_t>(rank) && axis < static_cast<std::int64_t>(rank);
}

Support supportsBatchNorm(const Asked& asked) {
    const Node& node = asked.node();
    if (asked.in(0).shape.rank() < 2) return asked.noShape("an input without channels");
    if (node.opset >= 14 ? node.intOr("training_mode", 0) != 0 : node.opset < 7 && node.intOr("is_test", 0) == 0) return asked.noAttribute("training_mode");
    if (node.opset < 9 && node.intOr("spatial", 1) == 0) return asked.noAttribute("spatial=0");
    for (std::size_t i = 1; i < node.outputs.size(); ++i)
        if (asked.hasOutput(i)) return asked.noAttribute("running statistics as outputs");
    for (std::size_t i = 1; i < 5; ++i)
        if (!asked.hasInput(i) || asked.in(i).shape.rank() != 1) return asked.noShape("scale, bias, mean and variance must have rank 1");
    return Support::yes();
}

Result<std::unique_ptr<Program>> buildBatchNorm(const Build& b) {
    const Dims& in = b.inDims(0);
    const Size channels = in[1];
    const Desc data = plain({in[0], channels, 1, product(in, 2, in.size())});
    const Desc each = plain({channels});
    auto program = b.program("batch_normalization");
    const auto flags = Flags::use_global_stats | Flags::use_scale | Flags::use_shift;
    program->add(batchNormalization(program->engine(), data, b.node().floatOr("epsilon", 1e-5F), flags, Program::attributes()),
                 {{DNNL_ARG_SRC, program->input(0, data)},
                  {DNNL_ARG_SCALE, program->input(1, each)},
                  {DNNL_ARG_SHIFT, program->input(2, each)},
                  {DNNL_ARG_MEAN, program->input(3, each)},
                  {DNNL_ARG_VARIANCE, program->input(4, each)},
                  {DNNL_ARG_DST, b.result(*program, data)}});
    return program;
}

Support supportsLayerNorm(const Asked& asked) {
    const std::size_t rank = asked.in(0).shape.rank();
    const std::int64_t axis = asked.node().intOr("axis", -1);
    if (rank == 0 || !axisInRange(axis, rank)) return asked.noAttribute("axis=" + std::to_string(axis));
    if (asked.hasOutput(1) || asked.hasOutput(2)) return asked.noAttribute("Mean and InvStdDev as outputs");
    const std::size_t normalized = rank - normalAxis(axis, rank);
    for (std::size_t i = 1; i < 3; ++i) {
        if (!asked.hasInput(i)) continue;
        if (asked.in(i).shape.rank() != normalized) return asked.noShape("scale and bias must have the normalized axes' sizes");
    }
    return asked.hasInput(1) ? Support::yes() : asked.noShape("there is no scale");
}

Result<std::unique_ptr<Program>> buildLayerNorm(const Build& b) {
    const Dims& in = b.inDims(0);
    const std::size_t axis = normalAxis(b.node().intOr("axis", -1), in.size());
    const Size rows = product(in, 0, axis);
    const Size columns = product(in, axis, in.size());
    for (std::size_t i = 1; i < 3; ++i)
        if (b.hasInput(i) && *elementCount(b.inDims(i)) != columns) return b.unsupported("scale and bias must have the normalized axes' sizes");
    auto program = b.program("layer_normalization");
    const Desc data = plain({rows, columns});
    const Desc each = plain({columns});
    const auto flags = b.hasInput(2) ? Flags::use_scale | Flags::use_shift : Flags::use_scale;
    std::vector<std::pair<int, Slot>> args = {{DNNL_ARG_SRC, program->input(0, data)}, {DNNL_ARG_SCALE, program->input(1, each)}};
    if (b.hasInput(2)) args.emplace_back(DNNL_ARG_SHIFT, program->input(2, each));
    args.emplace_back(DNNL_ARG_DST, b.result(*program, data));
    program->add(layerNormalization(program->engine(), data, b.node().floatOr("epsilon", 1e-5F), flags, Program::attributes()), args);
    return program;
}

Support supportsSoftmax(const Asked& asked) {
    const std::size_t rank = asked.in(0).shape.rank();
    const std::int64_t axis = asked.node().intOr("axis", asked.node().opset >= 13 ? -1 : 1);
    if (asked.node().opset < 13 && axis >= 0 && static_cast<std::size_t>(axis) == rank) return Support::yes();
    return rank > 0 && axisInRange(axis, rank) ? Support::yes() : asked.noAttribute("axis=" + std::to_string(axis));
}

/// Since opset 13 along one axis; before, over everything from the axis on.
Result<std::unique_ptr<Program>> buildSoftmax(const Build& b) {
    const Dims& in = b.inDims(0);
    const bool single = b.node().opset >= 13;
    const std::size_t axis = normalAxis(b.node().intOr("axis", single ? -1 : 1), in.size());
    const std::size_t end = single ? axis + 1 : in.size();
    const Size outer = product(in, 0, axis);
    const Size length = product(in, axis, end);
    const Size inner = product(in, end, in.size());
    auto program = b.program("softmax");
    const Desc data = inner == 1 ? plain({outer, length}) : plain({outer, length, inner});
    program->add(softmax(program->engine(), b.node().opType == "LogSoftmax", data, 1, Program::attributes()),
                 {{DNNL_ARG_SRC, program->input(0, data)}, {DNNL_ARG_DST, b.result(*program, data)}});
    return program;
}

Support supportsLrn(const Asked& asked) {
    const std::size_t rank = asked.in(0).shape.rank();
    if (rank < 3 || rank > 5) return asked.noShape("only one to three spatial axes");
    if (asked.node().intOr("size", 0) % 2 == 0) return asked.noAttribute("an even size");
    return Support::yes();
}

Result<std::unique_ptr<Program>> buildLrn(const Build& b) {
    const Dims& in = b.inDims(0);
    const Node& node = b.node();
    auto program = b.program("lrn");
    const Desc data = plain({in[0], in[1], 1, product(in, 2, in.size())});
    program->add(lrn(program->engine(), data, node.intOr("size", 1), node.floatOr("alpha", 1e-4F), node.floatOr("beta", 0.75F), node.floatOr("bias", 1.0F),
                     Program::attributes()),
                 {{DNNL_ARG_SRC, program->input(0, data)}, {DNNL_ARG_DST, b.result(*program, data)}});
    return program;
}

Support supportsInstanceNorm(const Asked& asked) {
    if (asked.in(0).shape.rank() < 3) return asked.noShape("an input without spatial axes");
    for (std::size_t i = 1; i < 3; ++i)
        if (asked.constant(i) == nullptr) return asked.noAttribute("scale or bias that is not a constant");
    return Support::yes();
}

/// Every (sample, channel) row is normalised on its own: a batch normalisation of one sample with N·C channels.
Result<std::unique_ptr<Program>> buildInstanceNorm(const Build& b) {
    const Dims& in = b.inDims(0);
    const Size rows = in[0] * in[1];
    auto program = b.program("instance_normalization");
    const Desc data = plain({1, rows, 1, product(in, 2, in.size())});
    const Desc each = plain({rows});
    const auto repeated = [&](std::size_t i) {
        const auto values = b.constant(i)->data<float>();
        std::vector<float> all;
        for (std::int64_t n = 0; n < in[0]; ++n)
            all.insert(all.end(), values.begin(), values.end());
        return program->constant(each, all.data());
    };
    for (std::size_t i = 1; i < 3; ++i)
        if (b.constant(i) == nullptr || b.constant(i)->count() != in[1]) return b.unsupported("scale or bias that is not a constant per channel");
    program->add(
        batchNormalization(program->engine(), data, b.node().floatOr("epsilon", 1e-5F), Flags::use_scale | Flags::use_shift, Program::attributes()),
        {{DNNL_ARG_SRC, program->input(0, data)}, {DNNL_ARG_SCALE, repeated(1)}, {DNNL_ARG_SHIFT, repeated(2)}, {DNNL_ARG_DST, b.result(*program, data)}});
    return program;
}

constexpr std::array kOps = {
    OpEntry{"BatchNormalization", supportsBatchNorm, buildBatchNorm},
    OpEntry{"LayerNormalization", supportsLayerNorm, buildLayerNorm},
    OpEntry{"InstanceNormalization", supportsInstanceNorm, buildInstanceNorm},
    OpEntry{"Softmax", supportsSoftmax, buildSoftmax},
    OpEntry{"LogSoftmax", supportsSoftmax, buildSoftmax},
    OpEntry{"LRN", supportsLrn, buildLrn},
};

}  // namespace

std::span<const OpEntry> normalizationOps() {
    return kOps;
}

}  // namespace hs::dnn
