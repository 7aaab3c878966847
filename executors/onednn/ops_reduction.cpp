// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <optional>

#include "executors/onednn/broadcast.h"
#include "executors/onednn/op_table.h"

namespace hs::dnn {
namespace {

using dnnl::algorithm;

struct Reduction {
    algorithm kind;
    float p = 0;
};

Reduction reductionOf(const std::string& op) {
    if (op == "ReduceMean") return {algorithm::reduction_mean};
    if (op == "ReduceProd") return {algorithm::reduction_mul};
    if (op == "ReduceL1") return {algorithm::reduction_norm_lp_sum, 1};
    if (op == "ReduceL2") return {algorithm::reduction_norm_lp_sum, 2};
    if (op == "ReduceSumSquare") return {algorithm::reduction_norm_lp_power_p_sum, 2};
    return {algorithm::reduction_sum};
}

/// Axes are an attribute or, for ReduceSum since opset 13 and the others since 18, a second input.
Support supportsReduction(const Asked& asked) {
    if (asked.hasInput(1) && !asked.ints(1)) return asked.noAttribute("axes that are not constant");
    const bool none = asked.hasInput(1) ? asked.ints(1)->empty() : asked.node().intsOr("axes").empty();
    if (none && asked.node().intOr("noop_with_empty_axes", 0) != 0) return asked.noAttribute("noop_with_empty_axes");
    return Support::yes();
}

std::optional<std::vector<bool>> reducedAxes(const Build& b) {
    const std::size_t rank = b.inDims(0).size();
    std::vector<std::int64_t> axes = b.node().intsOr("axes");
    if (b.hasInput(1)) {
        if (b.constant(1) == nullptr) return std::nullopt;
        axes = toInt64s(*b.constant(1));
    }
    std::vector<bool> reduced(rank, axes.empty());
    for (std::int64_t axis : axes) {
        if (axis < 0) axis += static_cast<std::int64_t>(rank);
        if (axis < 0 || axis >= static_cast<std::int64_t>(rank)) return std::nullopt;
        reduced[static_cast<std::size_t>(axis)] = true;
    }
    return reduced;
}

Result<std::unique_ptr<Program>> buildReduction(const Build& b) {
    const auto reduced = reducedAxes(b);
    if (!reduced) return b.unsupported("its axes are not constant or out of range");
    if (*elementCount(b.inDims(0)) == 0) return b.unsupported("an empty input");
    const Reduced sizes = mergedReduction(b.inDims(0), *reduced);
    const Reduction r = reductionOf(b.node().opType);
    auto program = b.program("reduction");
    const Desc x = plain(sizes.in);
    const Desc y = plain(sizes.out);
    const Slot from = program->input(0, x);
    const Slot to = b.result(*program, y);
    if (sizes.in != sizes.out) {
        program->add(reduction(program->engine(), r.kind, x, y, r.p, Program::attributes()), {{DNNL_ARG_SRC, from}, {DNNL_ARG_DST, to}});
    } else if (b.node().opType == "ReduceSumSquare") {
        program->add(eltwise(program->engine(), algorithm::eltwise_square, x, 0, 0, Program::attributes()), {{DNNL_ARG_SRC, from}, {DNNL_ARG_DST, to}});
    } else if (r.kind == algorithm::reduction_norm_lp_sum) {
        program->add(eltwise(program->engine(), algorithm::eltwise_abs, x, 0, 0, Program::attributes()), {{DNNL_ARG_SRC, from}, {DNNL_ARG_DST, to}});
    } else {  // every reduced axis has size 1
        program->add(reorder(program->engine(), x, y, Program::attributes()), {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}});
    }
    return program;
}

/// Without ReduceMax and ReduceMin: oneDNN's start at ∓FLT_MAX, which is then the result for infinities, and lose NaN.
constexpr std::array kOps = {
    OpEntry{"ReduceMean", supportsReduction, buildReduction, 1}, OpEntry{"ReduceSum", supportsReduction, buildReduction, 1},
    OpEntry{"ReduceProd", supportsReduction, buildReduction, 1}, OpEntry{"ReduceL1", supportsReduction, buildReduction, 1},
    OpEntry{"ReduceL2", supportsReduction, buildReduction, 1},   OpEntry{"ReduceSumSquare", supportsReduction, buildReduction, 1},
};

}  // namespace

std::span<const OpEntry> reductionOps() {
    return kOps;
}

}  // namespace hs::dnn
