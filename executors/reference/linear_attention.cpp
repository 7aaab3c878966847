// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "executors/reference/heads.h"
#include "executors/reference/registry.h"

namespace hs::ref {
namespace {

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
        HS_TRY(beta, headsOf(c, 5, c.has(5) && !c.dims(5).empty() && c.dims(5).back() == 1 ? 1 : kvHeads));
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
    {"LinearAttention", linearAttention, kFloats},
    {"CausalConvWithState", causalConvWithState, kFloats},
    {"SwiGLU", swiGlu, kFloats},
};

}  // namespace

std::span<const Operator> linearAttentionOperators() {
    return kOperators;
}

}  // namespace hs::ref
