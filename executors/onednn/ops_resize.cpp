// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>
#include <optional>

#include "executors/onednn/op_table.h"
#include "executors/onednn/resize_map.h"

namespace hs::dnn {
namespace {

constexpr std::size_t kSizesInput = 3;

/// Which input holds the scales, by operator and opset.
std::size_t scalesInput(const Node& node) {
    return node.opType == "Upsample" || node.opset < 11 ? 1 : 2;
}

/// Scale of every axis of the data, from constant scales; nullopt when sizes are given instead or they are not constant.
std::optional<std::vector<double>> constantScales(const Node& node, const Tensor* scales, std::size_t rank) {
    if (node.opType == "Upsample" && node.opset < 9) {
        const auto* attribute = node.get<std::vector<float>>("scales");
        return attribute != nullptr ? std::optional(std::vector<double>(attribute->begin(), attribute->end())) : std::nullopt;
    }
    if (scales == nullptr || scales->dtype() != DType::F32 || scales->count() == 0) return std::nullopt;
    const auto values = scales->data<float>();
    const auto axes = node.intsOr("axes");
    std::vector<double> out(rank, 1.0);
    for (std::size_t i = 0; i < values.size(); ++i) {
        std::int64_t axis = axes.empty() ? static_cast<std::int64_t>(i) : i < axes.size() ? axes[i] : -1;
        if (axis < 0) axis += static_cast<std::int64_t>(rank);
        if (axis < 0 || axis >= static_cast<std::int64_t>(rank)) return std::nullopt;
        out[static_cast<std::size_t>(axis)] = values[i];
    }
    return out;
}

const char* ruleProblem(const Node& node) {
    const std::string mode = node.stringOr("mode", "nearest");
    if (mode != "nearest" && mode != "linear") return "a mode other than nearest and linear";
    if (node.stringOr("coordinate_transformation_mode", "") == "tf_crop_and_resize") return "coordinate_transformation_mode=tf_crop_and_resize";
    if (node.intOr("antialias", 0) != 0) return "antialias";
    if (node.intOr("exclude_outside", 0) != 0) return "exclude_outside";
    if (node.stringOr("keep_aspect_ratio_policy", "stretch") != "stretch") return "keep_aspect_ratio_policy";
    return nullptr;
}

/// With an axis of unknown size the rule is tried on some: a factor that fits them all (an integer one) fits any.
bool fitsAnySize(const ResizeRule& rule, double scale) {
    if (scale != std::floor(scale)) return false;
    for (std::int64_t in = 1; in <= 16; ++in)
        if (!sameAsOneDnn(rule, in, in * static_cast<std::int64_t>(scale), scale)) return false;
    return true;
}

Support supportsResize(const Asked& asked) {
    const Node& node = asked.node();
    const Shape& in = asked.in(0).shape;
    const Shape& out = asked.out(0).shape;
    const std::size_t rank = in.rank();
    if (rank < 3 || rank > 5) return asked.noShape("only one to three spatial axes");
    if (const char* problem = ruleProblem(node)) return asked.noAttribute(problem);
    const ResizeRule rule = resizeRule(node);
    const auto scales = constantScales(node, asked.constant(scalesInput(node)), rank);
    // an explicit scale need not be output over input: 4 · 0.6 gives 2
    if (!scales && !asked.hasInput(kSizesInput)) return asked.noAttribute("scales that are not constant");
    for (std::size_t i = 0; i < rank; ++i) {
        if (in[i] == out[i] && (!scales || (*scales)[i] == 1.0)) continue;
        if (i < 2) return asked.noShape("batch or channels are resized");
        if (in[i].known() && out[i].known()) {
            const double scale = scales ? (*scales)[i] : static_cast<double>(out[i].value()) / static_cast<double>(in[i].value());
            if (!sameAsOneDnn(rule, in[i].value(), out[i].value(), scale)) return asked.noAttribute("this coordinate rule for these sizes");
        } else if (!scales || !fitsAnySize(rule, (*scales)[i])) {
            return Support::no("kernel.dynamic_shape", {"onednn", node.opType});
        }
    }
    return Support::yes();
}

Result<std::unique_ptr<Program>> buildResize(const Build& b) {
    const Node& node = b.node();
    const Dims& in = b.inDims(0);
    const Dims& out = b.outDims(0);
    if (const char* problem = ruleProblem(node)) return b.unsupported(problem);
    if (in.size() < 3 || in.size() > 5 || in[0] != out[0] || in[1] != out[1] || *elementCount(in) == 0)
        return b.unsupported("only spatial axes can be resized");
    const ResizeRule rule = resizeRule(node);
    const auto scales = constantScales(node, b.constant(scalesInput(node)), in.size());
    if (!scales && !b.hasInput(kSizesInput)) return b.unsupported("scales that are not constant");
    for (std::size_t i = 2; i < in.size(); ++i) {
        const double scale = scales ? (*scales)[i] : static_cast<double>(out[i]) / static_cast<double>(in[i]);
        if (!sameAsOneDnn(rule, in[i], out[i], scale)) return b.unsupported("oneDNN's coordinate rule differs for these sizes");
    }
    auto program = b.program("resampling");
    const Desc x = plain(in);
    const Desc y = plain(out);
    const auto kind = rule.linear ? dnnl::algorithm::resampling_linear : dnnl::algorithm::resampling_nearest;
    program->add(resampling(program->engine(), kind, x, y, Program::attributes()),
                 {{DNNL_ARG_SRC, program->input(0, x)}, {DNNL_ARG_DST, b.result(*program, y)}});
    return program;
}

constexpr std::array kOps = {
    OpEntry{"Resize", supportsResize, buildResize, 1},
    OpEntry{"Upsample", supportsResize, buildResize, 1},
};

}  // namespace

std::span<const OpEntry> resizeOps() {
    return kOps;
}

}  // namespace hs::dnn
