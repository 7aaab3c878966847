// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "executors/reference/contrib_parts.h"
#include "executors/reference/contrib_scores.h"

namespace hs::ref {
namespace {

/// Columns [first, first + heads · size) of [batch, length, width] as heads.
Heads columnsAsHeads(const Values& x, std::int64_t batch, std::int64_t length, std::int64_t width, std::int64_t first, std::int64_t heads, std::int64_t size) {
    Heads out{batch, heads, length, size, Values(static_cast<std::size_t>(batch * heads * length * size))};
    for (std::int64_t b = 0; b < batch; ++b)
        for (std::int64_t t = 0; t < length; ++t)
            for (std::int64_t h = 0; h < heads; ++h)
                std::copy_n(x.data() + (b * length + t) * width + first + h * size, size, out.row(b, h, t));
    return out;
}

/// The scale attribute; absent or 0 is 1/sqrt(head size).
double scaleOf(const Call& c, std::int64_t headSize) {
    const float given = c.node().floatOr("scale", 0.0F);
    return given != 0.0F ? static_cast<double>(given) : 1 / std::sqrt(static_cast<double>(headSize));
}

/// Query t sees the keys up to its own place behind the cache.
void limitToPast(const Call& c, std::int64_t past, Attending& how) {
    if (c.node().intOr("unidirectional", 0) != 0)
        how.range = [past](std::int64_t, std::int64_t t) { return std::pair<std::int64_t, std::int64_t>(0, past + t + 1); };
}

/// Row `index` (keys 0, values 1) of a cache [2, batch, heads, length, size].
Result<Heads> stackedPast(const Call& c, std::size_t i, std::int64_t index, const Heads& like) {
    const Dims& d = c.dims(i);
    if (d.size() != 5 || d[0] != 2) return c.bad("the cache {} must be [2, batch, heads, length, size]", toString(d));
    HS_TRY(const Values all, values(c, i));
    const auto half = static_cast<std::ptrdiff_t>(all.size() / 2);
    Heads out{d[1], d[2], d[3], d[4], Values(all.begin() + index * half, all.begin() + (index + 1) * half)};
    if (out.batch != like.batch || out.heads != like.heads || out.size != like.size)
        return c.bad("the cache {} does not fit {}", toString(d), toString(like.dims()));
    return out;
}

/// Where the shared tail of Attention and QAttention finds its optional inputs.
struct TailInputs {
    std::size_t mask, past, bias;
    DType type;
};

/// Projected queries, keys and values to the outputs: context and, when wanted, the grown cache.
Status finishAttention(Call& c, const Heads& q, Heads k, Heads v, const TailInputs& in) {
    std::int64_t past = 0;
    if (c.has(in.past)) {
        HS_TRY(const Heads oldK, stackedPast(c, in.past, 0, k));
        HS_TRY(const Heads oldV, stackedPast(c, in.past, 1, v));
        past = oldK.length;
        HS_TRY(k, appended(c, oldK, k));
        HS_TRY(v, appended(c, oldV, v));
    }
    Attending how;
    how.scale = scaleOf(c, q.size);
    HS_CHECK(readMask(c, in.mask, q, k.length, c.node().floatOr("mask_filter_value", -10000.0F), how));
    HS_CHECK(readBias(c, in.bias, q, k.length, how));
    limitToPast(c, past, how);
    HS_TRY(const Heads y, attend(c, q, k, v, how));
    if (c.wants(1)) {
        if (k.size != v.size) return c.bad("the cache needs keys and values of one size, not {} and {}", k.size, v.size);
        Values both = k.data;
        both.insert(both.end(), v.data.begin(), v.data.end());
        HS_CHECK(emit(c, 1, in.type, {2, k.batch, k.heads, k.length, k.size}, both));
    }
    Values flat;
    flat.reserve(y.data.size());
    for (std::int64_t b = 0; b < y.batch; ++b)
        for (std::int64_t t = 0; t < y.length; ++t)
            for (std::int64_t h = 0; h < y.heads; ++h)
                flat.insert(flat.end(), y.row(b, h, t), y.row(b, h, t) + y.size);
    return emit(c, 0, in.type, {y.batch, y.length, y.heads * y.size}, flat);
}

/// Splits projected rows [batch, length, q + k + v widths] and goes on.
Status splitAndAttend(Call& c, const Values& rows, const Dims& dims, const TailInputs& in) {
    const std::int64_t heads = c.node().intOr("num_heads", 0);
    Dims widths = c.node().intsOr("qkv_hidden_sizes");
    if (widths.empty()) widths.assign(3, dims[2] / 3);
    if (widths.size() != 3 || heads < 1 || widths[0] != widths[1] || widths[0] < 0 || widths[2] < 0 || widths[0] > dims[2] || widths[2] > dims[2] ||
        2 * widths[0] + widths[2] != dims[2] || widths[0] % heads != 0 || widths[2] % heads != 0)
        return c.bad("a projection to {} does not split into queries, keys and values of {} heads (qkv_hidden_sizes {})", dims[2], heads, toString(widths));
    const std::int64_t size = widths[0] / heads;
    const Heads q = columnsAsHeads(rows, dims[0], dims[1], dims[2], 0, heads, size);
    Heads k = columnsAsHeads(rows, dims[0], dims[1], dims[2], widths[0], heads, size);
    Heads v = columnsAsHeads(rows, dims[0], dims[1], dims[2], 2 * widths[0], heads, widths[2] / heads);
    return finishAttention(c, q, std::move(k), std::move(v), in);
}

/// Inputs: x, merged weights, bias, mask, past, attention bias.
Status attention(Call& c) {
    HS_CHECK(c.need(2));
    if (c.dims(0).size() != 3 || c.dims(1).size() != 2)
        return c.bad("input {} must have rank 3 and weights {} rank 2", toString(c.dims(0)), toString(c.dims(1)));
    HS_TRY(const Values x, values(c, 0));
    HS_TRY(const Values w, values(c, 1));
    Dims dims;
    HS_TRY(Values rows, productOf(x, c.dims(0), w, c.dims(1), dims));
    if (c.has(2) && !rows.empty()) {
        HS_TRY(const Values bias, valuesOr(c, 2, dims[2], 0));
        HS_CHECK(addRow(c, rows, bias));
    }
    return splitAndAttend(c, rows, dims, {3, 4, 5, c.declared()});
}

/// The same on 8-bit operands. Inputs: x, weights, bias, scale of x, scale of weights, mask, zero points of x and weights, past.
Status qAttention(Call& c) {
    HS_CHECK(c.need(5));
    if (c.dims(0).size() != 3 || c.dims(1).size() != 2)
        return c.bad("input {} must have rank 3 and weights {} rank 2", toString(c.dims(0)), toString(c.dims(1)));
    const std::int64_t columns = c.dims(1)[1];
    HS_TRY(Values x, values(c, 0));
    HS_TRY(Values w, values(c, 1));
    HS_TRY(const double scaleX, c.number(3));
    HS_TRY(const Values scaleW, values(c, 4));
    HS_TRY(const Values zeroX, valuesOr(c, 6, 1, 0));
    Values zeroW = {0};
    if (c.has(7)) {
        HS_TRY(zeroW, values(c, 7));
    }
    const auto fits = [&](const Values& p) { return p.size() == 1 || static_cast<std::int64_t>(p.size()) == columns; };
    if (!fits(scaleW) || !fits(zeroW) || c.in(3).count() != 1) return c.bad("scales and zero points must be one, or one per column of the weights");
    for (double& v : x)
        v = (v - zeroX[0]) * scaleX;
    for (std::size_t i = 0; i < w.size(); ++i) {
        const std::size_t column = i % static_cast<std::size_t>(columns);
        w[i] = (w[i] - zeroW[zeroW.size() == 1 ? 0 : column]) * scaleW[scaleW.size() == 1 ? 0 : column];
    }
    Dims dims;
    HS_TRY(Values rows, productOf(x, c.dims(0), w, c.dims(1), dims));
    HS_TRY(const Values bias, valuesOr(c, 2, columns, 0));
    if (!rows.empty()) HS_CHECK(addRow(c, rows, bias));
    return splitAndAttend(c, rows, dims, {5, 8, 99, c.declared(3)});
}

/// [batch, length, heads, parts, size]: part `part` as heads.
Result<Heads> packedHeads(const Call& c, std::size_t i, std::int64_t parts, std::int64_t part, std::int64_t heads) {
    const Dims& d = c.dims(i);
    if (d.size() != 5 || d[2] != heads || d[3] != parts) return c.bad("input {} of shape {} must hold {} parts of {} heads", i, toString(d), parts, heads);
    HS_TRY(const Values x, values(c, i));
    Heads out{d[0], heads, d[1], d[4], Values(x.size() / static_cast<std::size_t>(parts))};
    for (std::int64_t b = 0; b < d[0]; ++b)
        for (std::int64_t t = 0; t < d[1]; ++t)
            for (std::int64_t h = 0; h < heads; ++h)
                std::copy_n(x.data() + (((b * d[1] + t) * heads + h) * parts + part) * d[4], d[4], out.row(b, h, t));
    return out;
}

struct Projected {
    Heads q, k, v;
    bool cached = false;  ///< Keys and values are those of an encoder, laid out as a cache.
};

Result<Projected> projected(Call& c, std::int64_t heads) {
    Projected p;
    if (!c.has(1)) {
        HS_TRY(p.q, packedHeads(c, 0, 3, 0, heads));
        HS_TRY(p.k, packedHeads(c, 0, 3, 1, heads));
        HS_TRY(p.v, packedHeads(c, 0, 3, 2, heads));
        return p;
    }
    if (c.dims(0).size() != 3) return c.bad("the query {} must have rank 3", toString(c.dims(0)));
    HS_TRY(p.q, headsOf(c, 0, heads));
    if (!c.has(2)) {
        HS_TRY(p.k, packedHeads(c, 1, 2, 0, heads));
        HS_TRY(p.v, packedHeads(c, 1, 2, 1, heads));
        return p;
    }
    HS_TRY(p.k, headsOf(c, 1, heads));
    HS_TRY(p.v, headsOf(c, 2, heads));
    p.cached = c.dims(1).size() == 4;
    return p;
}

void addToHeads(Heads& x, const Values& bias, std::int64_t first) {
    for (std::int64_t b = 0; b < x.batch; ++b)
        for (std::int64_t h = 0; h < x.heads; ++h)
            for (std::int64_t t = 0; t < x.length; ++t)
                for (std::int64_t i = 0; i < x.size; ++i)
                    x.row(b, h, t)[i] += bias[static_cast<std::size_t>(first + h * x.size + i)];
}

/// Inputs: query, key, value, bias, key padding mask, attention bias, past key, past value.
Status multiHeadAttention(Call& c) {
    HS_CHECK(c.need(1));
    const std::int64_t heads = c.node().intOr("num_heads", 0);
    if (heads < 1) return c.bad("num_heads must be positive");
    HS_TRY(Projected p, projected(c, heads));
    if (c.has(3)) {
        if (p.cached) return c.unsupported("a bias with keys of rank 4 is not supported");
        const std::int64_t width = heads * p.q.size;
        HS_TRY(const Values bias, valuesOr(c, 3, 2 * width + heads * p.v.size, 0));
        addToHeads(p.q, bias, 0);
        if (p.k.size != p.q.size) return c.bad("queries and keys have {} and {} elements a head", p.q.size, p.k.size);
        addToHeads(p.k, bias, width);
        addToHeads(p.v, bias, 2 * width);
    }
    std::int64_t past = 0;
    if (c.has(6) != c.has(7)) return c.bad("past key and past value go together");
    if (c.has(6)) {
        if (c.dims(6).size() != 4 || c.dims(7).size() != 4) return c.bad("the caches must have rank 4");
        HS_TRY(const Heads oldK, headsOf(c, 6, heads));
        HS_TRY(const Heads oldV, headsOf(c, 7, heads));
        past = oldK.length;
        HS_TRY(p.k, appended(c, oldK, p.k));
        HS_TRY(p.v, appended(c, oldV, p.v));
    }
    Attending how;
    how.scale = scaleOf(c, p.q.size);
    HS_CHECK(readMask(c, 4, p.q, p.k.length, c.node().floatOr("mask_filter_value", -10000.0F), how));
    HS_CHECK(readBias(c, 5, p.q, p.k.length, how));
    limitToPast(c, past, how);
    HS_TRY(const Heads y, attend(c, p.q, p.k, p.v, how));
    HS_CHECK(emitHeads(c, 1, p.k, false));
    HS_CHECK(emitHeads(c, 2, p.v, false));
    return emitHeads(c, 0, y, true);
}

std::string refusesAttention(const Node& node) {
    for (const char* name : {"do_rotary", "past_present_share_buffer"})
        if (const std::int64_t value = node.intOr(name, 0); value != 0) return settingText(name, value);
    return node.opType == "Attention" && nodeHas(node, 6) ? "past_sequence_length" : "";
}

std::string refusesMultiHead(const Node& node) {
    if (nodeHas(node, 8)) return "past_sequence_length";
    if (nodeHas(node, 9)) return "cache_indirection";
    return node.outputs.size() > 3 && node.outputs[3] ? "the output qk" : "";
}

const Operator kOperators[] = {
    contrib("Attention", attention, kFloats, Widen::None, 0, refusesAttention),
    contrib("QAttention", qAttention, bit(DType::I8) | bit(DType::U8), Widen::None, 0, refusesAttention),
    contrib("MultiHeadAttention", multiHeadAttention, kFloats, Widen::None, 0, refusesMultiHead),
};

}  // namespace

std::span<const Operator> contribAttentionOperators() {
    return kOperators;
}

}  // namespace hs::ref
