// SPDX-License-Identifier: Apache-2.0
// Attention and its relatives.
#include "core/graph/cost.h"
#include "core/graph/ops.h"

namespace hs::ops {
namespace {

struct Heads {
    std::int64_t query = 0, keyValue = 0;
};

Result<Heads> headsOf(const InferContext& c) {
    Heads h{c.node().intOr("q_num_heads", 0), c.node().intOr("kv_num_heads", 0)};
    if (h.query < 1 || h.keyValue < 1) return bad(c, "q_num_heads and kv_num_heads must be given and positive for inputs of rank 3");
    return h;
}

Result<Dim> perHead(const InferContext& c, const Dim& width, std::int64_t heads) {
    if (width.known() && width.value() % heads != 0) return bad(c, "width {} cannot be split into {} heads", width.value(), heads);
    return floorDiv(Element::of(width), Element(heads)).dim();
}

/// Sizes of an attention, whether its inputs are [batch, heads, length, width] or [batch, length, heads * width].
struct Sizes {
    Dim batch, queries, keys, qHeads, kvHeads, keyWidth, valueWidth;
    bool packed = false;
};

Result<Sizes> sizesOf(const InferContext& c) {
    const Shape& q = shapeOf(c, 0);
    const Shape& k = shapeOf(c, 1);
    const Shape& v = shapeOf(c, 2);
    HS_CHECK(wantRank(c, 1, q.rank()));
    HS_CHECK(wantRank(c, 2, q.rank()));
    Sizes s;
    if (q.rank() == 4) {
        s = {q[0], q[2], k[2], q[1], k[1], k[3], v[3]};
        HS_CHECK(sameDim(c, "the widths of query and key", q[3], k[3]));
    } else {
        HS_TRY(const Heads heads, headsOf(c));
        s = {q[0], q[1], k[1], Dim(heads.query), Dim(heads.keyValue), Dim(), Dim(), true};
        HS_TRY(s.keyWidth, perHead(c, k[2], heads.keyValue));
        HS_TRY(s.valueWidth, perHead(c, v[2], heads.keyValue));
    }
    if (s.qHeads.known() && s.kvHeads.known() && (s.kvHeads.value() == 0 || s.qHeads.value() % s.kvHeads.value() != 0))
        return bad(c, "{} query heads are not a multiple of {} key heads", s.qHeads.value(), s.kvHeads.value());
    return s;
}

/// Inputs: Q, K, V, mask, past key, past value, … Outputs: Y, present key, present value, scores.
Status inferAttention(InferContext& c) {
    HS_CHECK(wantSameDType(c, {0, 1}));
    const Shape& q = shapeOf(c, 0);
    if (!q.ranked() || !shapeOf(c, 1).ranked() || !shapeOf(c, 2).ranked()) {
        for (std::size_t i = 0; i < c.outputCount(); ++i)
            c.setOutput(i, dtypeOf(c, i == 2 ? 2 : 0), q.ranked() && i == 0 ? unknownOfRank(q.rank()) : i == 0 ? Shape() : unknownOfRank(4));
        return {};
    }
    if (q.rank() != 3 && q.rank() != 4) return bad(c, "the query is {}, rank 3 or 4 is needed", q.text());
    HS_TRY(const Sizes s, sizesOf(c));
    Dim total = s.keys;
    if (c.hasInput(4)) {
        HS_CHECK(wantRank(c, 4, 4));
        total = shapeOf(c, 4).ranked() ? add(shapeOf(c, 4)[2], s.keys) : Dim();
    }
    c.setOutput(0, dtypeOf(c, 0), s.packed ? Shape({s.batch, s.queries, mul(s.qHeads, s.valueWidth)}) : Shape({s.batch, s.qHeads, s.queries, s.valueWidth}));
    c.setOutput(1, dtypeOf(c, 1), Shape({s.batch, s.kvHeads, total, s.keyWidth}));
    c.setOutput(2, dtypeOf(c, 2), Shape({s.batch, s.kvHeads, total, s.valueWidth}));
    c.setOutput(3, dtypeOf(c, 0), Shape({s.batch, s.qHeads, s.queries, total}));
    return {};
}

/// Packed inputs; the state is [batch, kv heads, key width, value width].
Status inferLinearAttention(InferContext& c) {
    for (const std::size_t i : {std::size_t{0}, std::size_t{1}, std::size_t{2}}) {
        HS_CHECK(wantRank(c, i, 3));
        if (!shapeOf(c, i).ranked()) {
            c.setOutput(0, dtypeOf(c, 0), unknownOfRank(3));
            c.setOutput(1, c.hasInput(3) ? dtypeOf(c, 3) : dtypeOf(c, 0), unknownOfRank(4));
            return {};
        }
    }
    HS_TRY(const Sizes s, sizesOf(c));
    c.setOutput(0, dtypeOf(c, 0), Shape({s.batch, s.queries, mul(s.qHeads, s.valueWidth)}));
    c.setOutput(1, c.hasInput(3) ? dtypeOf(c, 3) : dtypeOf(c, 0), Shape({s.batch, s.kvHeads, s.keyWidth, s.valueWidth}));
    return {};
}

double linearAttentionFlops(const Model&, const Node& node, const TypeTable& types) {
    // Per token and key-value head an outer product and a product with the query, 2 * d_k * d_v each.
    if (node.inputs.size() < 3) return 0;
    const auto k = types.type(node.inputs[1]).shape.concrete();
    const auto v = types.type(node.inputs[2]).shape.concrete();
    const auto heads = static_cast<double>(node.intOr("kv_num_heads", 1));
    if (!k || !v || k->size() != 3 || v->size() != 3 || heads < 1) return 0;
    return 4.0 * static_cast<double>((*k)[0]) * static_cast<double>((*k)[1]) * static_cast<double>((*k)[2]) * static_cast<double>((*v)[2]) / heads;
}

Status inferRotary(InferContext& c) {
    HS_CHECK(wantFloat(c, 0));
    const Shape& in = shapeOf(c, 0);
    if (in.ranked() && in.rank() != 3 && in.rank() != 4) return bad(c, "the input is {}, rank 3 or 4 is needed", in.text());
    if (in.ranked() && in.rank() == 3 && c.node().intOr("num_heads", 0) < 1) return bad(c, "num_heads must be given for an input of rank 3");
    return inferSame(c);
}

/// Scores are changed by optional bodies that keep their shape.
Status inferFlexAttention(InferContext& c) {
    HS_CHECK(wantRank(c, 0, 4));
    if (c.bodies() != nullptr)
        for (const GraphId body : c.node().subgraphs()) {
            const std::size_t count = c.model().graph(body).inputs.size();
            std::vector<InferredValue> inputs(count);
            for (std::size_t i = 0; i < count; ++i)
                inputs[i].type = c.model().value(c.model().graph(body).inputs[i]).type;
            HS_CHECK(c.bodies()->inferBody(body, inputs, true));
        }
    const Shape& q = shapeOf(c, 0);
    const Shape& v = shapeOf(c, 2);
    c.setOutput(0, dtypeOf(c, 0), q.ranked() && v.ranked() && v.rank() == 4 ? Shape({q[0], q[1], q[2], v[3]}) : unknownOfRank(4));
    return {};
}

}  // namespace

void registerAttention(OpRegistry& r) {
    define(r, "Attention", {3, 7, 1, 4}, inferAttention, attentionFlops);
    define(r, "LinearAttention", {3, 6, 1, 2}, inferLinearAttention, linearAttentionFlops);
    define(r, "RotaryEmbedding", {3, 4}, inferRotary, perOutput<3>);
    define(r, "FlexAttention", {3, 4}, inferFlexAttention, attentionFlops, "ai.onnx.preview");
}

}  // namespace hs::ops
