// SPDX-License-Identifier: Apache-2.0
// LSTM, GRU and RNN. X is [steps, batch, input], or [batch, steps, input] with layout 1.
#include "core/graph/cost.h"
#include "core/graph/ops.h"

namespace hs::ops {
namespace {

Status inferRecurrent(InferContext& c) {
    HS_CHECK(wantFloat(c, 0));
    HS_CHECK(wantSameDType(c, {0, 1, 2, 3}));
    for (const std::size_t i : {std::size_t{0}, std::size_t{1}, std::size_t{2}})
        HS_CHECK(wantRank(c, i, 3));
    const Shape& x = shapeOf(c, 0);
    const Shape& w = shapeOf(c, 1);
    const Shape& r = shapeOf(c, 2);
    const std::string direction = c.node().stringOr("direction", "forward");
    if (direction != "forward" && direction != "reverse" && direction != "bidirectional") return bad(c, "direction \"{}\" is not known", direction);
    const Dim directions(direction == "bidirectional" ? 2 : 1);
    const std::int64_t gates = c.node().opType == "LSTM" ? 4 : c.node().opType == "GRU" ? 3 : 1;
    Dim hidden = r.ranked() ? r[2] : Dim();
    if (const auto* size = c.node().get<std::int64_t>("hidden_size")) {
        if (*size < 1) return bad(c, "hidden_size is {}", *size);
        HS_TRY(hidden, sameDim(c, "hidden_size and R's last size", Dim(*size), hidden));
    }
    if (w.ranked() && r.ranked()) {
        HS_CHECK(sameDim(c, "the number of directions and W's first size", directions, w[0]));
        HS_CHECK(sameDim(c, "the number of directions and R's first size", directions, r[0]));
        HS_CHECK(sameDim(c, "gates * hidden_size and W's second size", mul(hidden, Dim(gates)), w[1]));
        HS_CHECK(sameDim(c, "gates * hidden_size and R's second size", mul(hidden, Dim(gates)), r[1]));
    }
    if (x.ranked() && w.ranked()) HS_CHECK(sameDim(c, "the input's features and W's last size", x[2], w[2]));
    const bool batchFirst = c.node().intOr("layout", 0) != 0;
    const Dim steps = x.ranked() ? x[batchFirst ? 1 : 0] : Dim();
    const Dim batch = x.ranked() ? x[batchFirst ? 0 : 1] : Dim();
    const Shape state = batchFirst ? Shape({batch, directions, hidden}) : Shape({directions, batch, hidden});
    c.setOutput(0, dtypeOf(c, 0), batchFirst ? Shape({batch, steps, directions, hidden}) : Shape({steps, directions, batch, hidden}));
    c.setOutput(1, dtypeOf(c, 0), state);
    c.setOutput(2, dtypeOf(c, 0), state);
    return {};
}

}  // namespace

void registerRecurrent(OpRegistry& r) {
    define(r, "LSTM", {3, 8, 0, 3}, inferRecurrent, recurrentFlops);
    define(r, "GRU", {3, 6, 0, 2}, inferRecurrent, recurrentFlops);
    define(r, "RNN", {3, 6, 0, 2}, inferRecurrent, recurrentFlops);
}

}  // namespace hs::ops
