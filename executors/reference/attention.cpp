// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>

#include "executors/reference/heads.h"
#include "executors/reference/registry.h"

namespace hs::ref {
namespace {

/// The cached rows followed by the new ones.
Result<Heads> withPast(const Call& c, std::size_t past, const Heads& fresh) {
    if (!c.has(past)) return fresh;
    HS_TRY(const Heads old, headsOf(c, past, 0));
    return appended(c, old, fresh);
}

constexpr double kMasked = -std::numeric_limits<double>::infinity();

/// What is added to the scores: the mask, the causal triangle and the padding of the keys.
class Bias {
public:
    static Result<Bias> make(const Call& c, const Heads& q, const Heads& k) {
        Bias out;
        out.m_keys = k.length;
        out.m_causal = c.node().intOr("is_causal", 0) != 0;
        out.m_offsets.assign(static_cast<std::size_t>(q.batch), c.has(4) ? c.dims(4)[2] : 0);
        out.m_valid.assign(static_cast<std::size_t>(q.batch), k.length);
        if (c.has(6)) {
            HS_TRY(out.m_valid, c.ints(6));
            if (static_cast<std::int64_t>(out.m_valid.size()) != q.batch) return c.bad("nonpad_kv_seqlen must have {} elements", q.batch);
            for (std::size_t b = 0; b < out.m_valid.size() && !c.has(4); ++b)
                out.m_offsets[b] = std::clamp(out.m_valid[b], -kMaxElements, kMaxElements) - q.length;
        }
        if (!c.has(3)) return out;
        HS_TRY(out.m_mask, values(c, 3));
        if (c.in(3).dtype() == DType::Bool)
            for (double& v : out.m_mask)
                v = v != 0 ? 0 : kMasked;
        const Dims& d = c.dims(3);
        const Dims wanted = {q.batch, q.heads, q.length, k.length};
        out.m_strides.assign(4, 0);
        const Dims own = stridesOf(d);
        if (d.empty() || d.size() > 4) return c.bad("the mask {} must have rank 1 to 4", toString(d));
        for (std::size_t i = 0; i < d.size(); ++i) {
            const std::size_t to = 4 - d.size() + i;
            const bool shorter = to == 3 && d[i] < wanted[3];
            if (d[i] != 1 && d[i] != wanted[to] && !shorter) return c.bad("the mask {} does not broadcast to {}", toString(d), toString(wanted));
            if (d[i] != 1 || (to == 3 && wanted[3] > 1)) out.m_strides[to] = own[i];
        }
        out.m_maskKeys = d.back() == 1 && wanted[3] > 1 ? 1 : d.back();
        return out;
    }

    double at(std::int64_t b, std::int64_t h, std::int64_t t, std::int64_t j) const {
        const auto batch = static_cast<std::size_t>(b);
        if (j >= m_valid[batch] || (m_causal && j > t + m_offsets[batch])) return kMasked;
        if (m_mask.empty()) return 0;
        if (j >= m_maskKeys) return kMasked;  // a short mask hides the keys that it does not reach
        return m_mask[static_cast<std::size_t>(b * m_strides[0] + h * m_strides[1] + t * m_strides[2] + j * m_strides[3])];
    }

private:
    Values m_mask;
    Dims m_strides;
    std::vector<std::int64_t> m_offsets, m_valid;
    std::int64_t m_keys = 0, m_maskKeys = 0;
    bool m_causal = false;
};

/// Softmax of a row; a row that is masked altogether gives zeros.
void softmaxRow(double* row, std::int64_t n) {
    const double top = n == 0 ? kMasked : *std::max_element(row, row + n);
    double sum = 0;
    for (std::int64_t j = 0; j < n; ++j) {
        row[j] = top == kMasked ? 0 : std::exp(row[j] - top);
        sum += row[j];
    }
    for (std::int64_t j = 0; j < n && sum != 0; ++j)
        row[j] /= sum;
}

/// The product that output 3 shows: 0 raw scores, 1 after softcap, 2 after the mask, 3 probabilities.
struct Scores {
    Heads shown;
    std::int64_t mode = 0;
    void keep(std::int64_t stage, std::int64_t b, std::int64_t h, std::int64_t t, const Values& row) {
        if (stage == mode) std::copy(row.begin(), row.end(), shown.row(b, h, t));
    }
};

/// Scaled dot-product attention with grouped heads, cache, mask and softcap (opsets 23 and 24).
Status attention(Call& c) {
    HS_CHECK(c.need(3));
    const std::int64_t qHeads = c.node().intOr("q_num_heads", 0);
    const std::int64_t kvHeads = c.node().intOr("kv_num_heads", 0);
    HS_TRY(const Heads q, headsOf(c, 0, qHeads));
    HS_TRY(const Heads newK, headsOf(c, 1, kvHeads));
    HS_TRY(const Heads newV, headsOf(c, 2, kvHeads));
    HS_TRY(const Heads k, withPast(c, 4, newK));
    HS_TRY(const Heads v, withPast(c, 5, newV));
    if (k.batch != q.batch || v.batch != q.batch || k.heads < 1 || q.heads % k.heads != 0 || v.heads != k.heads || k.size != q.size || v.length != k.length)
        return c.bad("queries {}, keys {} and values {} do not fit", toString(q.dims()), toString(k.dims()), toString(v.dims()));
    HS_TRY(const Bias bias, Bias::make(c, q, k));
    const double scale = c.node().find("scale") != nullptr ? c.node().floatOr("scale", 1) : 1 / std::sqrt(static_cast<double>(q.size));
    const double softcap = c.node().floatOr("softcap", 0.0F);
    Scores scores{{q.batch, q.heads, q.length, k.length, Values(static_cast<std::size_t>(q.batch * q.heads * q.length * k.length))},
                  c.node().intOr("qk_matmul_output_mode", 0)};
    Heads y{q.batch, q.heads, q.length, v.size, Values(static_cast<std::size_t>(q.batch * q.heads * q.length * v.size), 0)};
    Values row(static_cast<std::size_t>(k.length));
    for (std::int64_t b = 0; b < q.batch; ++b)
        for (std::int64_t h = 0; h < q.heads; ++h)
            for (std::int64_t t = 0; t < q.length; ++t) {
                const std::int64_t group = h / (q.heads / k.heads);
                const double* query = q.row(b, h, t);
                for (std::int64_t j = 0; j < k.length; ++j) {
                    const double* key = k.row(b, group, j);
                    double sum = 0;
                    for (std::int64_t i = 0; i < q.size; ++i)
                        sum += query[i] * key[i];
                    row[static_cast<std::size_t>(j)] = sum * scale;
                }
                scores.keep(0, b, h, t, row);
                for (double& s : row)
                    if (softcap > 0) s = std::tanh(s / softcap) * softcap;
                scores.keep(1, b, h, t, row);
                for (std::int64_t j = 0; j < k.length; ++j)
                    row[static_cast<std::size_t>(j)] += bias.at(b, h, t, j);
                scores.keep(2, b, h, t, row);
                softmaxRow(row.data(), k.length);
                scores.keep(3, b, h, t, row);
                double* out = y.row(b, h, t);
                for (std::int64_t j = 0; j < k.length; ++j) {
                    const double weight = row[static_cast<std::size_t>(j)];
                    if (weight == 0) continue;  // a masked value may be anything, NaN too
                    for (std::int64_t i = 0; i < v.size; ++i)
                        out[i] += weight * v.row(b, group, j)[i];
                }
            }
    HS_CHECK(emitHeads(c, 0, y, c.dims(0).size() == 3));
    HS_CHECK(emitHeads(c, 1, k, false));
    HS_CHECK(emitHeads(c, 2, v, false));
    return emitHeads(c, 3, scores.shown, false);
}

/// Turns pairs of the first `rotary` elements of each head by the cached angles of its position (Su et al. 2021).
Status rotaryEmbedding(Call& c) {
    HS_CHECK(c.need(3));
    HS_TRY(Heads x, headsOf(c, 0, c.node().intOr("num_heads", 0)));
    HS_TRY(const Values cosines, values(c, 1));
    HS_TRY(const Values sines, values(c, 2));
    std::int64_t rotary = c.node().intOr("rotary_embedding_dim", 0);
    if (rotary == 0) rotary = x.size;
    const std::int64_t half = rotary / 2;
    const Dims& cache = c.dims(1);
    if (rotary < 0 || rotary > x.size || rotary % 2 != 0 || cache.empty() || cache.back() != half || c.dims(2) != cache)
        return c.bad("the caches {} and {} do not fit {} rotated elements", toString(cache), toString(c.dims(2)), rotary);
    const std::int64_t rows = half == 0 ? 0 : static_cast<std::int64_t>(cosines.size()) / half;
    std::vector<std::int64_t> positions;
    if (c.has(3)) {
        HS_TRY(positions, c.ints(3));
    } else {
        for (std::int64_t i = 0; i < x.batch * x.length; ++i)
            positions.push_back(i);
    }
    if (static_cast<std::int64_t>(positions.size()) != x.batch * x.length) return c.bad("position_ids must have {} elements", x.batch * x.length);
    const bool interleaved = c.node().intOr("interleaved", 0) != 0;
    for (std::int64_t b = 0; b < x.batch; ++b)
        for (std::int64_t t = 0; t < x.length; ++t) {
            const std::int64_t position = positions[static_cast<std::size_t>(b * x.length + t)];
            if (half > 0 && (position < 0 || position >= rows)) return c.bad("position {} is outside of the cache of {}", position, rows);
            for (std::int64_t h = 0; h < x.heads; ++h)
                for (std::int64_t i = 0; i < half; ++i) {
                    double* row = x.row(b, h, t);
                    double& first = row[interleaved ? 2 * i : i];
                    double& second = row[interleaved ? 2 * i + 1 : half + i];
                    const auto at = static_cast<std::size_t>(position * half + i);
                    const double turned = first * cosines[at] - second * sines[at];
                    second = first * sines[at] + second * cosines[at];
                    first = turned;
                }
        }
    return emitHeads(c, 0, x, c.dims(0).size() == 3);
}

const Operator kOperators[] = {
    {"Attention", attention, kFloats},
    {"RotaryEmbedding", rotaryEmbedding, kFloats},
};

}  // namespace

std::span<const Operator> attentionOperators() {
    return kOperators;
}

}  // namespace hs::ref
