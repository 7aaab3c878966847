// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "executors/reference/registry.h"
#include "executors/reference/values.h"

namespace hs::ref {
namespace {

/// [batch, heads, length, size] in double, whatever the layout of the input was.
struct Heads {
    std::int64_t batch = 0, heads = 0, length = 0, size = 0;
    Values data;
    const double* row(std::int64_t b, std::int64_t h, std::int64_t t) const { return data.data() + ((b * heads + h) * length + t) * size; }
    double* row(std::int64_t b, std::int64_t h, std::int64_t t) { return data.data() + ((b * heads + h) * length + t) * size; }
    Dims dims() const { return {batch, heads, length, size}; }
};

/// A 3-D input [batch, length, heads·size] is taken apart by `heads`.
Result<Heads> headsOf(const Call& c, std::size_t i, std::int64_t heads) {
    HS_TRY(Values x, values(c, i));
    const Dims& d = c.dims(i);
    if (d.size() == 4) return Heads{d[0], d[1], d[2], d[3], std::move(x)};
    if (d.size() != 3 || heads < 1 || d[2] % heads != 0) return c.bad("input {} of shape {} does not split into {} heads", i, toString(d), heads);
    Heads out{d[0], heads, d[1], d[2] / heads, Values(x.size())};
    const double* from = x.data();
    for (std::int64_t b = 0; b < out.batch; ++b)
        for (std::int64_t t = 0; t < out.length; ++t)
            for (std::int64_t h = 0; h < heads; ++h, from += out.size)
                std::copy_n(from, out.size, out.row(b, h, t));
    return out;
}

/// Writes heads as [batch, heads, length, size], or side by side as [batch, length, heads·size].
Status emitHeads(Call& c, std::size_t i, const Heads& x, bool flat) {
    if (!flat) return emit(c, i, c.declared(), x.dims(), x.data);
    Values out;
    out.reserve(x.data.size());
    for (std::int64_t b = 0; b < x.batch; ++b)
        for (std::int64_t t = 0; t < x.length; ++t)
            for (std::int64_t h = 0; h < x.heads; ++h)
                out.insert(out.end(), x.row(b, h, t), x.row(b, h, t) + x.size);
    return emit(c, i, c.declared(), {x.batch, x.length, x.heads * x.size}, out);
}

/// The cached rows followed by the new ones.
Result<Heads> withPast(const Call& c, std::size_t past, const Heads& fresh) {
    if (!c.has(past)) return fresh;
    HS_TRY(const Heads old, headsOf(c, past, 0));
    if (old.batch != fresh.batch || old.heads != fresh.heads || old.size != fresh.size)
        return c.bad("the cache {} does not fit {}", toString(old.dims()), toString(fresh.dims()));
    Heads out{fresh.batch, fresh.heads, old.length + fresh.length, fresh.size, Values(old.data.size() + fresh.data.size())};
    for (std::int64_t b = 0; b < out.batch; ++b)
        for (std::int64_t h = 0; h < out.heads; ++h) {
            if (old.length > 0) std::copy_n(old.row(b, h, 0), old.length * old.size, out.row(b, h, 0));
            if (fresh.length > 0) std::copy_n(fresh.row(b, h, 0), fresh.length * fresh.size, out.row(b, h, old.length));
        }
    return out;
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

/// How the state of LinearAttention moves on.
struct StateRule {
    bool gated = false, delta = false;
    std::int64_t keySize = 0, valueSize = 0;
    /// S ← decay·S; then S ← S + k ⊗ v, or with the delta rule S ← S + k ⊗ beta·(v - kᵀS). S is [keySize, valueSize].
    void step(double* state, const double* key, const double* value, const double* decay, std::int64_t decaySize, double beta) const {
        for (std::int64_t i = 0; gated && i < keySize; ++i)
            for (std::int64_t j = 0; j < valueSize; ++j)
                state[i * valueSize + j] *= std::exp(decay[decaySize == 1 ? 0 : i]);
        for (std::int64_t j = 0; j < valueSize; ++j) {
            double retrieved = 0;
            for (std::int64_t i = 0; delta && i < keySize; ++i)
                retrieved += key[i] * state[i * valueSize + j];
            const double write = delta ? beta * (value[j] - retrieved) : value[j];
            for (std::int64_t i = 0; i < keySize; ++i)
                state[i * valueSize + j] += key[i] * write;
        }
    }
};

/// Attention with a matrix state per key/value head instead of a cache (opset 27).
Status linearAttention(Call& c) {
    HS_CHECK(c.need(3));
    const std::string rule = c.node().stringOr("update_rule", "gated_delta");
    StateRule update{rule == "gated" || rule == "gated_delta", rule == "delta" || rule == "gated_delta"};
    if (rule != "linear" && !update.gated && !update.delta) return c.bad("update_rule \"{}\" is not known", rule);
    const std::int64_t kvHeads = c.node().intOr("kv_num_heads", 0);
    HS_TRY(const Heads q, headsOf(c, 0, c.node().intOr("q_num_heads", 0)));
    HS_TRY(const Heads k, headsOf(c, 1, kvHeads));
    HS_TRY(const Heads v, headsOf(c, 2, kvHeads));
    if (k.heads < 1 || q.heads % k.heads != 0 || v.heads != k.heads || k.size != q.size || k.length != q.length || v.length != q.length || k.batch != q.batch ||
        v.batch != q.batch)
        return c.bad("queries {}, keys {} and values {} do not fit", toString(q.dims()), toString(k.dims()), toString(v.dims()));
    update.keySize = k.size;
    update.valueSize = v.size;
    HS_TRY(Values state, valuesOr(c, 3, k.batch * k.heads * k.size * v.size, 0));
    Heads decay;
    Heads beta;
    if (update.gated) {
        HS_TRY(decay, headsOf(c, 4, kvHeads));
        if (decay.length != q.length || decay.batch != q.batch || (decay.size != 1 && decay.size != k.size))
            return c.bad("the decay {} does not fit", toString(c.dims(4)));
    }
    if (update.delta) {
        HS_CHECK(c.need(3));
        HS_TRY(beta, headsOf(c, 5, c.has(5) && c.dims(5).back() == 1 ? 1 : kvHeads));
        if (beta.length != q.length || beta.batch != q.batch || beta.size != 1) return c.bad("beta {} does not fit", toString(c.dims(5)));
    }
    const double scale =
        c.node().floatOr("scale", 0.0F) != 0 ? static_cast<double>(c.node().floatOr("scale", 0.0F)) : 1 / std::sqrt(static_cast<double>(k.size));
    Heads y{q.batch, q.heads, q.length, v.size, Values(static_cast<std::size_t>(q.batch * q.heads * q.length * v.size), 0)};
    for (std::int64_t b = 0; b < q.batch; ++b)
        for (std::int64_t g = 0; g < k.heads; ++g) {
            double* s = state.data() + (b * k.heads + g) * k.size * v.size;
            for (std::int64_t t = 0; t < q.length; ++t) {
                update.step(s, k.row(b, g, t), v.row(b, g, t), update.gated ? decay.row(b, g, t) : nullptr, decay.size,
                            update.delta ? *beta.row(b, beta.heads == 1 ? 0 : g, t) : 1);
                for (std::int64_t h = g * (q.heads / k.heads); h < (g + 1) * (q.heads / k.heads); ++h)
                    for (std::int64_t j = 0; j < v.size; ++j)
                        for (std::int64_t i = 0; i < k.size; ++i)
                            y.row(b, h, t)[j] += scale * q.row(b, h, t)[i] * s[i * v.size + j];
            }
        }
    HS_CHECK(emitHeads(c, 0, y, c.dims(0).size() == 3));
    return emit(c, 1, c.has(3) ? c.in(3).dtype() : c.declared(), {k.batch, k.heads, k.size, v.size}, state);
}

double sigmoid(double v) {
    return v >= 0 ? 1 / (1 + std::exp(-v)) : std::exp(v) / (1 + std::exp(v));
}

/// Depthwise convolution over the past state and the input; the state is the tail of what it has seen (opset 27).
Status causalConvWithState(Call& c) {
    HS_CHECK(c.need(2));
    const Dims& x = c.dims(0);
    const Dims& w = c.dims(1);
    if (x.size() != 3 || w.size() != 3 || w[0] != x[1] || w[1] != 1 || w[2] < 1) return c.bad("input {} and weights {} do not fit", toString(x), toString(w));
    const std::int64_t taps = w[2];
    const std::int64_t history = taps - 1;
    const std::string activation = c.node().stringOr("activation", "none");
    const bool silu = activation == "silu" || activation == "swish";
    if (!silu && activation != "none" && !activation.empty()) return c.bad("activation \"{}\" is not known", activation);
    HS_TRY(const Values input, values(c, 0));
    HS_TRY(const Values weight, values(c, 1));
    HS_TRY(const Values bias, valuesOr(c, 2, x[1], 0));
    HS_TRY(const Values past, valuesOr(c, 3, x[0] * x[1] * history, 0));
    Values y;
    Values present;
    for (std::int64_t p = 0; p < x[0] * x[1]; ++p) {
        Values line(past.begin() + p * history, past.begin() + (p + 1) * history);
        line.insert(line.end(), input.begin() + p * x[2], input.begin() + (p + 1) * x[2]);
        const std::int64_t channel = p % x[1];
        for (std::int64_t t = 0; t < x[2]; ++t) {
            double sum = bias[static_cast<std::size_t>(channel)];
            for (std::int64_t k = 0; k < taps; ++k)
                sum += weight[static_cast<std::size_t>(channel * taps + k)] * line[static_cast<std::size_t>(t + k)];
            y.push_back(silu ? sum * sigmoid(sum) : sum);
        }
        present.insert(present.end(), line.end() - history, line.end());
    }
    HS_CHECK(emit(c, 0, c.declared(), x, y));
    return emit(c, 1, c.declared(), {x[0], x[1], history}, present);
}

/// swish(a) · b
Status swiGlu(Call& c) {
    HS_CHECK(c.need(2));
    if (c.dims(0) != c.dims(1)) return c.bad("both operands must have one shape");
    const double alpha = c.node().floatOr("alpha", 1.0F);
    HS_TRY(Values a, values(c, 0));
    HS_TRY(const Values b, values(c, 1));
    for (std::size_t i = 0; i < a.size(); ++i)
        a[i] = a[i] * sigmoid(alpha * a[i]) * b[i];
    return emit(c, 0, c.declared(), c.dims(0), a);
}

const Operator kOperators[] = {
    {"Attention", attention, kFloats},
    {"RotaryEmbedding", rotaryEmbedding, kFloats},
    {"LinearAttention", linearAttention, kFloats},
    {"CausalConvWithState", causalConvWithState, kFloats},
    {"SwiGLU", swiGlu, kFloats},
};

}  // namespace

std::span<const Operator> attentionOperators() {
    return kOperators;
}

}  // namespace hs::ref
