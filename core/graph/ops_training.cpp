// SPDX-License-Identifier: Apache-2.0
// Losses and optimizer steps.
#include "core/graph/cost.h"
#include "core/graph/ops.h"

namespace hs::ops {
namespace {

/// Scores [N, C, d…] and labels [N, d…]; reduction none keeps the labels' shape.
Status inferLoss(InferContext& c) {
    HS_CHECK(wantMinRank(c, 0, 2));
    const Shape& scores = shapeOf(c, 0);
    const Shape& labels = shapeOf(c, 1);
    if (scores.ranked() && labels.ranked()) {
        if (labels.rank() + 1 != scores.rank()) return bad(c, "labels {} do not fit scores {}", labels.text(), scores.text());
        HS_CHECK(sameDim(c, "the batch sizes of scores and labels", scores[0], labels[0]));
        for (std::size_t i = 2; i < scores.rank(); ++i)
            HS_CHECK(sameDim(c, "the spatial sizes of scores and labels", scores[i], labels[i - 1]));
    }
    c.setOutput(0, dtypeOf(c, 0), c.node().stringOr("reduction", "mean") == "none" ? labels : Shape::scalar());
    c.setOutput(1, dtypeOf(c, 0), scores);  // Log-probabilities of SoftmaxCrossEntropyLoss.
    return {};
}

/// Inputs: rate, step, then n tensors each of value, gradient and `states` states; outputs: values and states.
Status inferOptimizer(InferContext& c, std::size_t states) {
    const std::size_t groups = 2 + states;
    const std::size_t tensors = c.inputCount() - 2;
    if (tensors % groups != 0) return bad(c, "{} tensors are not a multiple of {}", tensors, groups);
    const std::size_t n = tensors / groups;
    for (std::size_t i = 0; i < c.outputCount(); ++i) {
        const std::size_t group = n == 0 ? 0 : i / n;
        c.setOutput(i, c.inputType(2 + (group == 0 ? 0 : group + 1) * n + (n == 0 ? 0 : i % n)));
    }
    return {};
}

Status inferOneState(InferContext& c) {
    return inferOptimizer(c, 1);
}

Status inferTwoStates(InferContext& c) {
    return inferOptimizer(c, 2);
}

/// Outputs are like the differentiated inputs `xs`, which come first.
Status inferGradient(InferContext& c) {
    for (std::size_t i = 0; i < c.outputCount(); ++i)
        c.setOutput(i, c.inputType(i));
    return {};
}

}  // namespace

void registerTraining(OpRegistry& r) {
    define(r, "NegativeLogLikelihoodLoss", {2, 3}, inferLoss, inputElements);
    define(r, "SoftmaxCrossEntropyLoss", {2, 3, 1, 2}, inferLoss, perInput<6>);
    constexpr std::string_view kPreview = "ai.onnx.preview.training";
    define(r, "Adagrad", {3, kMany, 1, kMany}, inferOneState, perOutput<6>, kPreview);
    define(r, "Momentum", {3, kMany, 1, kMany}, inferOneState, perOutput<4>, kPreview);
    define(r, "Adam", {3, kMany, 1, kMany}, inferTwoStates, perOutput<10>, kPreview);
    define(r, "Gradient", {1, kMany, 1, kMany}, inferGradient, noFlops, kPreview);
}

}  // namespace hs::ops
