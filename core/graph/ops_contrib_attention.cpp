// SPDX-License-Identifier: Apache-2.0
// Attention operators of com.microsoft.
#include "core/graph/cost.h"
#include "core/graph/ops.h"

namespace hs::ops {
namespace {

constexpr std::string_view kDomain = "com.microsoft";

Dim dimOr(const Shape& shape, std::size_t axis) {
    return shape.ranked() && axis < shape.rank() ? shape[axis] : Dim();
}

Result<std::int64_t> headsOf(const InferContext& c, std::string_view name) {
    const std::int64_t heads = c.node().intOr(name, 0);
    if (heads < 1) return bad(c, "{} must be positive, not {}", name, heads);
    return heads;
}

Result<Dim> perHead(const InferContext& c, const Dim& width, std::int64_t heads) {
    if (width.known() && width.value() % heads != 0) return bad(c, "width {} cannot be split into {} heads", width.value(), heads);
    return floorDiv(Element::of(width), Element(heads)).dim();
}

/// x [batch, length, in], weights [in, q + k + v]; past at input `past` is [2, batch, heads, length, size]. Output: type.
Status inferProjected(InferContext& c, std::size_t past, DType type) {
    HS_CHECK(wantRank(c, 0, 3));
    HS_CHECK(wantRank(c, 1, 2));
    HS_TRY(const std::int64_t heads, headsOf(c, "num_heads"));
    const Shape& x = shapeOf(c, 0);
    const Shape& w = shapeOf(c, 1);
    if (x.ranked() && w.ranked()) HS_CHECK(sameDim(c, "the input's features and the weights' rows", x[2], w[0]));
    const std::vector<std::int64_t> sizes = c.node().intsOr("qkv_hidden_sizes");
    Dim width;
    if (sizes.size() == 3)
        width = Dim(sizes[2]);
    else if (w.ranked())
        width = floorDiv(Element::of(w[1]), Element(3)).dim();
    c.setOutput(0, type, Shape({dimOr(x, 0), dimOr(x, 1), width}));
    HS_TRY(const Dim size, perHead(c, width, heads));
    const Dim length = dimOr(x, 1);
    if (c.hasInput(past)) HS_CHECK(wantRank(c, past, 5));
    const Dim total = c.hasInput(past) ? (shapeOf(c, past).ranked() ? add(shapeOf(c, past)[3], length) : Dim()) : length;
    c.setOutput(1, type, Shape({Dim(2), dimOr(x, 0), Dim(heads), total, size}));
    return {};
}

Status inferAttention(InferContext& c) {
    HS_CHECK(wantFloat(c, 0));
    HS_CHECK(wantSameDType(c, {0, 1, 2}));
    return inferProjected(c, 4, dtypeOf(c, 0));
}

Status inferQAttention(InferContext& c) {
    return inferProjected(c, 8, dtypeOf(c, 3));
}

/// The projection, then scores and weighted sum over old and new keys.
double projectedFlops(const Model&, const Node& node, const TypeTable& types) {
    const auto shape = [&](std::size_t i) {
        return i < node.inputs.size() && node.inputs[i] ? types.type(node.inputs[i]).shape.concrete() : std::optional<Dims>();
    };
    const auto x = shape(0);
    const auto w = shape(1);
    if (!x || !w || x->size() != 3 || w->size() != 2) return 0;
    const auto number = [](std::int64_t v) { return static_cast<double>(v); };
    const double tokens = number((*x)[0]) * number((*x)[1]);
    double keys = number((*x)[1]);
    if (const auto past = shape(node.opType == "QAttention" ? 8 : 4); past && past->size() == 5) keys += number((*past)[3]);
    const auto sizes = node.intsOr("qkv_hidden_sizes");
    const double valueWidth = sizes.size() == 3 ? number(sizes[2]) : number((*w)[1]) / 3;
    const double queryWidth = (number((*w)[1]) - valueWidth) / 2;
    return 2 * tokens * number((*x)[2]) * number((*w)[1]) + tokens * keys * (2 * queryWidth + 2 * valueWidth + 5 * number(node.intOr("num_heads", 1)));
}

/// Query [batch, length, width] or packed [batch, length, heads, 3, size]; key and value plain, packed or cached.
Status inferMultiHead(InferContext& c) {
    HS_CHECK(wantFloat(c, 0));
    HS_TRY(const std::int64_t heads, headsOf(c, "num_heads"));
    const Shape& q = shapeOf(c, 0);
    const Shape& k = shapeOf(c, 1);
    const Shape& v = shapeOf(c, 2);
    Dim keys = dimOr(q, 1);
    Dim width;
    Dim keySize;
    if (q.ranked() && q.rank() == 5) {
        keySize = q[4];
        width = mul(Dim(heads), q[4]);
    } else {
        HS_CHECK(wantRank(c, 0, 3));
        if (!c.hasInput(1)) return bad(c, "a query of rank 3 needs a key");
        HS_TRY(keySize, perHead(c, dimOr(q, 2), heads));
        width = dimOr(q, 2);
        keys = k.ranked() ? (k.rank() == 4 ? k[2] : dimOr(k, 1)) : Dim();
        if (c.hasInput(2)) width = !v.ranked() ? Dim() : v.rank() == 4 ? mul(v[1], v[3]) : dimOr(v, 2);
    }
    HS_TRY(const Dim valueSize, perHead(c, width, heads));
    const Dim total = c.hasInput(6) ? add(dimOr(shapeOf(c, 6), 2), keys) : keys;
    const Dim batch = dimOr(q, 0);
    c.setOutput(0, dtypeOf(c, 0), Shape({batch, dimOr(q, 1), width}));
    c.setOutput(1, dtypeOf(c, 0), Shape({batch, Dim(heads), total, keySize}));
    c.setOutput(2, dtypeOf(c, 0), Shape({batch, Dim(heads), total, valueSize}));
    c.setOutput(3, dtypeOf(c, 0), Shape({batch, Dim(heads), dimOr(q, 1), total}));
    return {};
}

/// From the output's shape and the grown key cache, or the keys where no cache is asked for.
double headedFlops(const Model&, const Node& node, const TypeTable& types) {
    if (node.outputs.empty() || !node.outputs[0]) return 0;
    const auto out = types.type(node.outputs[0]).shape.concrete();
    const auto q = types.type(node.inputs[0]).shape.concrete();
    if (!out || out->size() != 3 || !q) return 0;
    double keys = static_cast<double>((*out)[1]);
    if (node.outputs.size() > 1 && node.outputs[1]) {
        const auto cache = types.type(node.outputs[1]).shape.concrete();
        if (!cache || cache->size() != 4) return 0;
        keys = static_cast<double>((*cache)[2]);
    } else if (node.inputs.size() > 1 && node.inputs[1]) {
        const auto k = types.type(node.inputs[1]).shape.concrete();
        if (!k || k->size() < 3) return 0;
        keys = static_cast<double>((*k)[k->size() == 4 ? 2 : 1]);
    }
    const double rows = static_cast<double>((*out)[0]) * static_cast<double>((*out)[1]);
    return rows * keys * (4 * static_cast<double>((*out)[2]) + 5 * static_cast<double>(node.intOr("num_heads", 1)));
}

/// Query (perhaps with keys and values behind it), key, value, caches, lengths, …
Status inferGrouped(InferContext& c) {
    HS_CHECK(wantFloat(c, 0));
    HS_CHECK(wantRank(c, 0, 3));
    HS_TRY(const std::int64_t heads, headsOf(c, "num_heads"));
    HS_TRY(const std::int64_t kvHeads, headsOf(c, "kv_num_heads"));
    if (heads % kvHeads != 0) return bad(c, "{} query heads are not a multiple of {} key heads", heads, kvHeads);
    const Shape& q = shapeOf(c, 0);
    HS_TRY(const Dim size, perHead(c, dimOr(q, 2), c.hasInput(1) ? heads : heads + 2 * kvHeads));
    Dim present;
    if (const auto total = c.inputInts(6); total && total->size() == 1) {
        const Dim room = c.hasInput(3) ? dimOr(shapeOf(c, 3), 2) : Dim(0);
        if (room.known()) present = Dim(std::max(room.value(), total->front()));
    }
    c.setOutput(0, dtypeOf(c, 0), Shape({dimOr(q, 0), dimOr(q, 1), mul(Dim(heads), size)}));
    const DType cache = c.hasInput(3) ? dtypeOf(c, 3) : dtypeOf(c, 0);
    for (const std::size_t i : {std::size_t{1}, std::size_t{2}})
        c.setOutput(i, cache, Shape({dimOr(q, 0), Dim(kvHeads), present, size}));
    c.setOutput(3, dtypeOf(c, 0), Shape({dimOr(q, 0), Dim(heads), dimOr(q, 1), Dim()}));
    return {};
}

Status inferRotary(InferContext& c) {
    HS_CHECK(wantFloat(c, 0));
    HS_CHECK(wantRank(c, 2, 2));
    HS_CHECK(wantRank(c, 3, 2));
    const Shape& in = shapeOf(c, 0);
    if (in.ranked() && in.rank() != 3 && in.rank() != 4) return bad(c, "the input is {}, rank 3 or 4 is needed", in.text());
    return inferSame(c);
}

}  // namespace

void registerContribAttention(OpRegistry& r) {
    define(r, "Attention", {2, 7, 1, 2}, inferAttention, projectedFlops, kDomain);
    define(r, "QAttention", {5, 9, 1, 2}, inferQAttention, projectedFlops, kDomain);
    define(r, "MultiHeadAttention", {1, 10, 1, 4}, inferMultiHead, headedFlops, kDomain);
    define(r, "GroupQueryAttention", {1, 16, 1, 4}, inferGrouped, headedFlops, kDomain);
    define(r, "RotaryEmbedding", {4, 4}, inferRotary, perOutput<3>, kDomain);
}

}  // namespace hs::ops
