// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "executors/reference/contrib_parts.h"
#include "executors/reference/contrib_scores.h"

namespace hs::ref {
namespace {

/// Queries, keys and values of a grouped-query attention, packed side by side or not.
struct Grouped {
    Heads q, k, v;
};

Result<Grouped> groupedInputs(const Call& c) {
    const std::int64_t heads = c.node().intOr("num_heads", 0);
    const std::int64_t kvHeads = c.node().intOr("kv_num_heads", 0);
    if (heads < 1 || kvHeads < 1 || heads % kvHeads != 0) return c.bad("{} query heads cannot share {} key heads", heads, kvHeads);
    Grouped g;
    if (c.has(1) != c.has(2)) return c.bad("key and value go together");
    if (c.has(1)) {
        HS_TRY(g.q, headsOf(c, 0, heads));
        HS_TRY(g.k, headsOf(c, 1, kvHeads));
        HS_TRY(g.v, headsOf(c, 2, kvHeads));
        return g;
    }
    HS_TRY(const Heads all, headsOf(c, 0, heads + 2 * kvHeads));
    const auto pick = [&](std::int64_t first, std::int64_t count) {
        Heads out{all.batch, count, all.length, all.size, Values(static_cast<std::size_t>(all.batch * count * all.length * all.size))};
        for (std::int64_t b = 0; b < all.batch; ++b)
            for (std::int64_t h = 0; h < count; ++h)
                std::copy_n(all.row(b, first + h, 0), all.length * all.size, out.row(b, h, 0));
        return out;
    };
    g.q = pick(0, heads);
    g.k = pick(heads, kvHeads);
    g.v = pick(heads + kvHeads, kvHeads);
    return g;
}

/// How many tokens each sequence has in the cache.
struct Lengths {
    std::vector<std::int64_t> past;
    std::int64_t present = 0;  ///< Rows of the grown cache.
};

Result<Lengths> lengthsOf(const Call& c, const Heads& fresh) {
    constexpr std::size_t pastKey = 3, seqlens = 5, total = 6;
    if (!c.has(seqlens) || !c.has(total)) return c.bad("seqlens_k and total_sequence_length must be given");
    HS_TRY(std::vector<std::int64_t> last, c.ints(seqlens));
    HS_TRY(const std::vector<std::int64_t> most, c.ints(total));
    if (static_cast<std::int64_t>(last.size()) != fresh.batch || most.size() != 1) return c.bad("seqlens_k must have {} elements", fresh.batch);
    if (c.has(pastKey) && c.dims(pastKey).size() != 4) return c.bad("the caches must have rank 4");
    const std::int64_t room = c.has(pastKey) ? c.dims(pastKey)[2] : 0;
    const bool prompt = most[0] == fresh.length;
    Lengths out;
    out.present = std::max(room, most[0]);
    if (most[0] < fresh.length || most[0] > kMaxElements) return c.bad("total_sequence_length {} does not fit {} new tokens", most[0], fresh.length);
    for (const std::int64_t n : last) {
        const std::int64_t past = prompt ? 0 : n + 1 - fresh.length;
        if (past < 0 || past > room || n + 1 > most[0])
            return c.bad("a sequence of {} tokens does not fit the cache of {} and {} new ones", n + 1, room, fresh.length);
        out.past.push_back(past);
    }
    return out;
}

/// The first rows of the cache, then the new ones; what is left over is zero, or what the cache has there.
Result<Heads> grown(const Call& c, std::size_t input, const Heads& fresh, const Lengths& lengths) {
    Heads out{fresh.batch, fresh.heads, lengths.present, fresh.size,
              Values(static_cast<std::size_t>(fresh.batch * fresh.heads * lengths.present * fresh.size), 0)};
    Heads old{fresh.batch, fresh.heads, 0, fresh.size, {}};
    if (c.has(input)) {
        HS_TRY(old, headsOf(c, input, 0));
        if (old.batch != fresh.batch || old.heads != fresh.heads || old.size != fresh.size)
            return c.bad("the cache {} does not fit {}", toString(old.dims()), toString(fresh.dims()));
    }
    for (std::int64_t b = 0; b < out.batch; ++b)
        for (std::int64_t h = 0; h < out.heads; ++h) {
            if (old.length > 0) std::copy_n(old.row(b, h, 0), old.length * old.size, out.row(b, h, 0));
            std::copy_n(fresh.row(b, h, 0), fresh.length * fresh.size, out.row(b, h, lengths.past[static_cast<std::size_t>(b)]));
        }
    return out;
}

Status rotateNew(const Call& c, Grouped& g, const Lengths& lengths) {
    HS_TRY(const Rotation rotation, Rotation::make(c, 7, 8, c.node().intOr("rotary_interleaved", 0) != 0));
    std::vector<std::int64_t> positions;
    if (c.has(9)) {
        HS_TRY(positions, c.ints(9));
        if (static_cast<std::int64_t>(positions.size()) != g.q.batch * g.q.length) return c.bad("position_ids must have {} elements", g.q.batch * g.q.length);
    } else {
        for (std::int64_t b = 0; b < g.q.batch; ++b)
            for (std::int64_t t = 0; t < g.q.length; ++t)
                positions.push_back(lengths.past[static_cast<std::size_t>(b)] + t);
    }
    HS_CHECK(rotation.turn(c, g.q, positions));
    return rotation.turn(c, g.k, positions);
}

/// Inputs: query, key, value, past key, past value, seqlens_k, total length, cosines, sines, positions, bias, head sinks.
/// A window of W keeps the newest W keys, the query's own among them.
Status groupQueryAttention(Call& c) {
    HS_TRY(Grouped g, groupedInputs(c));
    if (g.k.length != g.q.length || g.v.length != g.q.length) return c.bad("queries {} and new keys {} differ in length", g.q.length, g.k.length);
    if (c.has(3) != c.has(4)) return c.bad("past key and past value go together");
    HS_TRY(const Lengths lengths, lengthsOf(c, g.k));
    if (c.node().intOr("do_rotary", 0) != 0) HS_CHECK(rotateNew(c, g, lengths));
    HS_TRY(const Heads k, grown(c, 3, g.k, lengths));
    HS_TRY(const Heads v, grown(c, 4, g.v, lengths));
    Attending how;
    const float scale = c.node().floatOr("scale", 0.0F);
    how.scale = scale != 0.0F ? static_cast<double>(scale) : 1 / std::sqrt(static_cast<double>(g.q.size));
    how.softcap = c.node().floatOr("softcap", 0.0F);
    how.smooth = c.node().intOr("smooth_softmax", 0) > 0;
    if (c.has(11)) {
        HS_TRY(how.sinks, valuesOr(c, 11, g.q.heads, 0));
        how.smooth = false;
    }
    HS_TRY(const std::vector<std::int64_t> total, c.ints(6));
    HS_CHECK(readBias(c, 10, g.q, total[0], how));
    const std::int64_t window = c.node().intOr("local_window_size", -1);
    const bool causal = c.node().intOr("causal", 1) != 0;
    const std::int64_t fresh = g.q.length;
    how.range = [&lengths, window, causal, fresh](std::int64_t b, std::int64_t t) {
        const std::int64_t past = lengths.past[static_cast<std::size_t>(b)];
        const std::int64_t end = past + (causal ? t + 1 : fresh);
        return std::pair(window > 0 ? std::max<std::int64_t>(0, end - window) : 0, end);
    };
    HS_TRY(const Heads y, attend(c, g.q, k, v, how));
    HS_CHECK(emitHeads(c, 1, k, false));
    HS_CHECK(emitHeads(c, 2, v, false));
    return emitHeads(c, 0, y, true);
}

std::string refusesGrouped(const Node& node) {
    for (const char* name : {"k_quant_type", "v_quant_type"})
        if (const std::string type = node.stringOr(name, "NONE"); type != "NONE" && !type.empty()) return fmt::format("{}={}", name, type);
    for (const char* name : {"qk_output", "sliding_window_cache"})
        if (const std::int64_t value = node.intOr(name, 0); value != 0) return settingText(name, value);
    if (node.intOr("causal", 1) == 0 && node.intOr("local_window_size", -1) > 0) return "causal=0 with local_window_size";
    if (nodeHas(node, 12) || nodeHas(node, 13)) return "k_scale or v_scale";
    return nodeHas(node, 14) || nodeHas(node, 15) ? "q_norm_weight or k_norm_weight" : "";
}

/// Inputs: x, positions (one offset, or one for each token), cosines, sines.
Status rotaryEmbedding(Call& c) {
    HS_CHECK(c.need(4));
    const Dims& dims = c.dims(0);
    if (dims.size() != 3 && dims.size() != 4) return c.bad("the input must have rank 3 or 4, not {}", toString(dims));
    HS_TRY(const Rotation rotation, Rotation::make(c, 2, 3, c.node().intOr("interleaved", 0) != 0));
    std::int64_t heads = c.node().intOr("num_heads", 0);
    const std::int64_t rotary = c.node().intOr("rotary_embedding_dim", 0);
    if (rotary != 0 && rotary != 2 * rotation.half) return c.bad("rotary_embedding_dim {} does not fit caches of {}", rotary, rotation.half);
    // Without a number of heads, a head is as wide as what the caches turn.
    if (heads == 0 && dims.size() == 3 && rotation.half > 0) heads = dims[2] / (2 * rotation.half);
    HS_TRY(Heads x, headsOf(c, 0, heads));
    HS_TRY(std::vector<std::int64_t> positions, c.ints(1));
    if (c.in(1).count() == 1 && c.dims(1).size() <= 1) {
        const std::int64_t first = positions[0];
        if (first < 0 || first > kMaxElements) return c.bad("position {} is out of range", first);
        positions.clear();
        for (std::int64_t b = 0; b < x.batch; ++b)
            for (std::int64_t t = 0; t < x.length; ++t)
                positions.push_back(first + t);
    }
    if (static_cast<std::int64_t>(positions.size()) != x.batch * x.length) return c.bad("position_ids must have 1 or {} elements", x.batch * x.length);
    HS_CHECK(rotation.turn(c, x, positions));
    return emitHeads(c, 0, x, dims.size() == 3);
}

std::string refusesRotary(const Node& node) {
    if (const std::int64_t packed = node.intOr("is_packed_batching", 0); packed != 0) return settingText("is_packed_batching", packed);
    return node.floatOr("scale", 1.0F) != 1.0F ? "scale" : "";
}

const Operator kOperators[] = {
    contrib("GroupQueryAttention", groupQueryAttention, kFloats, Widen::None, 0, refusesGrouped),
    contrib("RotaryEmbedding", rotaryEmbedding, kFloats, Widen::None, 0, refusesRotary),
};

}  // namespace

std::span<const Operator> contribGroupedOperators() {
    return kOperators;
}

}  // namespace hs::ref
