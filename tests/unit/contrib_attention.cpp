// SPDX-License-Identifier: Apache-2.0
// Attention operators of com.microsoft against naive loops.
#include <algorithm>
#include <functional>

#include "tests/unit/contrib_support.h"

namespace hs::test {
namespace {

/// A function of (batch, head, row, element).
using Field = std::function<double(std::size_t, std::size_t, std::size_t, std::size_t)>;
/// What is added to a score, by (batch, head, query, key); -infinity hides the key.
using Score = std::function<double(std::size_t, std::size_t, std::size_t, std::size_t)>;

constexpr double kHidden = -std::numeric_limits<double>::infinity();

struct Sizes {
    std::size_t batch, heads, queries, keys, size, valueSize;
};

/// [batch, queries, heads · valueSize]; `cap`: softcap; `sink`: a further score per head.
Doubles naive(const Sizes& s, const Field& q, const Field& k, const Field& v, double scale, const Score& add, double cap = 0,
              const std::function<double(std::size_t)>& sink = nullptr) {
    Doubles out;
    for (std::size_t b = 0; b < s.batch; ++b)
        for (std::size_t t = 0; t < s.queries; ++t)
            for (std::size_t h = 0; h < s.heads; ++h) {
                Doubles weights;
                double total = sink ? std::exp(sink(h)) : 0;
                for (std::size_t j = 0; j < s.keys; ++j) {
                    double dot = 0;
                    for (std::size_t i = 0; i < s.size; ++i)
                        dot += q(b, h, t, i) * k(b, h, j, i);
                    dot *= scale;
                    if (cap > 0) dot = cap * std::tanh(dot / cap);
                    weights.push_back(std::exp(dot + add(b, h, t, j)));
                    total += weights.back();
                }
                for (std::size_t i = 0; i < s.valueSize; ++i) {
                    double sum = 0;
                    for (std::size_t j = 0; j < s.keys; ++j)
                        sum += weights[j] / total * v(b, h, j, i);
                    out.push_back(sum);
                }
            }
    return out;
}

double nothing(std::size_t, std::size_t, std::size_t, std::size_t) {
    return 0;
}

/// Attention with 2 sequences of 3 tokens of 5 features, 2 heads of 2 (values of 3).
struct Projection {
    Floats x = noise(2 * 3 * 5, 31), w = noise(5 * 14, 32), b = noise(14, 33);
    double at(std::size_t batch, std::size_t t, std::size_t column) const {
        double sum = b[column];
        for (std::size_t i = 0; i < 5; ++i)
            sum += static_cast<double>(x[(batch * 3 + t) * 5 + i]) * w[i * 14 + column];
        return sum;
    }
    Doubles expected(const Score& add, double scale) const {
        return naive(
            {2, 2, 3, 3, 2, 3}, [&](auto n, auto h, auto t, auto i) { return at(n, t, h * 2 + i); },
            [&](auto n, auto h, auto t, auto i) { return at(n, t, 4 + h * 2 + i); }, [&](auto n, auto h, auto t, auto i) { return at(n, t, 8 + h * 3 + i); },
            scale, add);
    }
    Bench bench() const {
        Bench out("Attention");
        out.in<float>({2, 3, 5}, x).in<float>({5, 14}, w).in<float>({14}, b).set("num_heads", 2).set("qkv_hidden_sizes", Longs{4, 4, 6});
        return out;
    }
};

const double kScale = 1 / std::sqrt(2.0);

TEST(ContribAttention, PlainScaledAndCausal) {
    const Projection p;
    Bench plain = p.bench();
    expectNear(done(plain)[0], p.expected(nothing, kScale));
    EXPECT_GT(plain.flops(), 2.0 * 6 * 5 * 14);
    expectNear(done(p.bench().set("scale", 0.25F))[0], p.expected(nothing, 0.25));
    expectNear(done(p.bench().set("unidirectional", 1))[0], p.expected([](auto, auto, auto t, auto j) { return j > t ? kHidden : 0.0; }, kScale));
}

TEST(ContribAttention, MasksOfEveryForm) {
    const Projection p;
    const double filter = -5;  // small, so that a masked key still counts a little
    const auto masked = [&](Dims dims, const Ints& mask) { return done(p.bench().in<std::int32_t>(std::move(dims), mask).set("mask_filter_value", -5.0F))[0]; };
    expectNear(masked({2}, {2, 3}), p.expected([&](auto b, auto, auto, auto j) { return b == 0 && j >= 2 ? filter : 0.0; }, kScale));
    expectNear(masked({4}, {3, 2, 1, 0}), p.expected([&](auto b, auto, auto, auto j) { return (b == 0 ? j < 1 : j >= 2) ? filter : 0.0; }, kScale));
    const Ints flat = {1, 0, 1, 0, 1, 1};
    expectNear(masked({2, 3}, flat), p.expected([&](auto b, auto, auto, auto j) { return flat[b * 3 + j] == 0 ? filter : 0.0; }, kScale));
    const Ints cube = {1, 0, 1, 1, 1, 0, 0, 1, 1, 1, 1, 1, 0, 0, 1, 1, 0, 0};
    expectNear(masked({2, 3, 3}, cube), p.expected([&](auto b, auto, auto t, auto j) { return cube[(b * 3 + t) * 3 + j] == 0 ? filter : 0.0; }, kScale));
    Ints square(2 * 4 * 4);
    for (std::size_t i = 0; i < square.size(); ++i)
        square[i] = i % 3 == 0 ? 0 : 1;
    expectNear(masked({2, 1, 4, 4}, square), p.expected([&](auto b, auto, auto t, auto j) { return square[(b * 4 + t) * 4 + j] == 0 ? filter : 0.0; }, kScale));
    EXPECT_FALSE(p.bench().in<std::int32_t>({8}, Ints(8, 1)).run());
    EXPECT_FALSE(p.bench().in<std::int32_t>({2, 2}, Ints(4, 1)).run());
}

TEST(ContribAttention, AttentionBiasAndCache) {
    // Heads of one size, so that there is a cache: one sequence of 2 tokens behind 3 cached ones.
    const Floats x = noise(2 * 4, 41), w = noise(4 * 12, 42), past = noise(2 * 2 * 3 * 2, 43), bias = noise(2 * 2 * 5, 44);
    const auto column = [&](std::size_t t, std::size_t c) {
        double sum = 0;
        for (std::size_t i = 0; i < 4; ++i)
            sum += static_cast<double>(x[t * 4 + i]) * w[i * 12 + c];
        return sum;
    };
    const auto cached = [&](std::size_t which) {
        return [&, which](std::size_t, std::size_t h, std::size_t t, std::size_t i) {
            return t < 3 ? past[((which * 2 + h) * 3 + t) * 2 + i] : column(t - 3, 4 + which * 4 + h * 2 + i);
        };
    };
    Bench b("Attention");
    b.in<float>({1, 2, 4}, x).in<float>({4, 12}, w).none(2).in<float>({2, 1, 2, 3, 2}, past).in<float>({1, 2, 2, 5}, bias);
    b.set("num_heads", 2).set("unidirectional", 1);
    const auto out = done(b, 2);
    expectNear(out[0], naive(
                           {1, 2, 2, 5, 2, 2}, [&](auto, auto h, auto t, auto i) { return column(t, h * 2 + i); }, cached(0), cached(1), kScale,
                           [&](auto, auto h, auto t, auto j) { return j > t + 3 ? kHidden : bias[(h * 2 + t) * 5 + j]; }));
    Doubles present;
    for (std::size_t which = 0; which < 2; ++which)
        for (std::size_t h = 0; h < 2; ++h)
            for (std::size_t t = 0; t < 5; ++t)
                for (std::size_t i = 0; i < 2; ++i)
                    present.push_back(cached(which)(0, h, t, i));
    expectNear(out[1], present);
}

TEST(ContribAttention, RefusesWhatItDoesNotDo) {
    Bench rotary = Projection().bench();
    expectRefused(rotary.set("do_rotary", 1), "do_rotary=1");
    Bench shared = Projection().bench();
    expectRefused(shared.set("past_present_share_buffer", 1), "past_present_share_buffer=1");
}

TEST(ContribAttention, QAttentionDequantises) {
    const Bytes x = noiseBytes(2 * 3, 51), w = noiseBytes(3 * 6, 52);
    const Floats bias = noise(6, 53);
    const auto column = [&](std::size_t t, std::size_t c) {
        double sum = bias[c];
        for (std::size_t i = 0; i < 3; ++i)
            sum += (x[t * 3 + i] - 120.0) * 0.02F * (w[i * 6 + c] - 130.0) * 0.01F;
        return sum;
    };
    Bench b("QAttention");
    b.in<std::uint8_t>({1, 2, 3}, x).in<std::uint8_t>({3, 6}, w).in<float>({6}, bias).in<float>({}, {0.02F}).in<float>({}, {0.01F}).none();
    b.in<std::uint8_t>({}, {120}).in<std::uint8_t>({}, {130}).set("num_heads", 1);
    expectNear(done(b)[0],
               naive(
                   {1, 1, 2, 2, 2, 2}, [&](auto, auto, auto t, auto i) { return column(t, i); }, [&](auto, auto, auto t, auto i) { return column(t, 2 + i); },
                   [&](auto, auto, auto t, auto i) { return column(t, 4 + i); }, kScale, nothing));
}

/// [batch, length, heads · size] as a field.
Field flat(const Floats& x, std::size_t length, std::size_t heads, std::size_t size) {
    return [=](std::size_t b, std::size_t h, std::size_t t, std::size_t i) { return static_cast<double>(x[(b * length + t) * heads * size + h * size + i]); };
}
/// [batch, heads, length, size] as a field.
Field standing(const Floats& x, std::size_t heads, std::size_t length, std::size_t size) {
    return [=](std::size_t b, std::size_t h, std::size_t t, std::size_t i) { return static_cast<double>(x[((b * heads + h) * length + t) * size + i]); };
}
Field plus(Field f, const Floats& bias, std::size_t first, std::size_t size) {
    return [=](std::size_t b, std::size_t h, std::size_t t, std::size_t i) { return f(b, h, t, i) + bias[first + h * size + i]; };
}

TEST(ContribAttention, MultiHeadCrossWithBiasAndMask) {
    const Floats q = noise(2 * 2 * 4, 61), k = noise(2 * 3 * 4, 62), v = noise(2 * 3 * 6, 63), bias = noise(14, 64);
    const Ints mask = {1, 1, 0, 0, 1, 1};
    Bench b("MultiHeadAttention");
    b.in<float>({2, 2, 4}, q).in<float>({2, 3, 4}, k).in<float>({2, 3, 6}, v).in<float>({14}, bias).in<std::int32_t>({2, 3}, mask);
    b.set("num_heads", 2).set("mask_filter_value", -3.0F);
    expectNear(done(b)[0], naive({2, 2, 2, 3, 2, 3}, plus(flat(q, 2, 2, 2), bias, 0, 2), plus(flat(k, 3, 2, 2), bias, 4, 2), plus(flat(v, 3, 2, 3), bias, 8, 3),
                                 kScale, [&](auto n, auto, auto, auto j) { return mask[n * 3 + j] == 0 ? -3.0 : 0.0; }));
}

TEST(ContribAttention, MultiHeadPackedAndCached) {
    const Floats packed = noise(3 * 2 * 3 * 2, 65);  // [1, 3, heads 2, 3, size 2]
    const auto part = [&](std::size_t which) {
        return Field(
            [&, which](std::size_t, std::size_t h, std::size_t t, std::size_t i) { return static_cast<double>(packed[((t * 2 + h) * 3 + which) * 2 + i]); });
    };
    expectNear(done(Bench("MultiHeadAttention").in<float>({1, 3, 2, 3, 2}, packed).set("num_heads", 2).set("unidirectional", 1))[0],
               naive({1, 2, 3, 3, 2, 2}, part(0), part(1), part(2), kScale, [](auto, auto, auto t, auto j) { return j > t ? kHidden : 0.0; }));
    const Floats q = noise(3 * 4, 66), kv = noise(2 * 2 * 2 * 2, 67);  // kv [1, 2, heads 2, 2, size 2]
    const auto half = [&](std::size_t which) {
        return Field(
            [&, which](std::size_t, std::size_t h, std::size_t t, std::size_t i) { return static_cast<double>(kv[((t * 2 + h) * 2 + which) * 2 + i]); });
    };
    expectNear(done(Bench("MultiHeadAttention").in<float>({1, 3, 4}, q).in<float>({1, 2, 2, 2, 2}, kv).set("num_heads", 2))[0],
               naive({1, 2, 3, 2, 2, 2}, flat(q, 3, 2, 2), half(0), half(1), kScale, nothing));
    const Floats k4 = noise(16, 68), v4 = noise(16, 69);  // an encoder's keys and values
    expectNear(done(Bench("MultiHeadAttention").in<float>({1, 3, 4}, q).in<float>({1, 2, 4, 2}, k4).in<float>({1, 2, 4, 2}, v4).set("num_heads", 2))[0],
               naive({1, 2, 3, 4, 2, 2}, flat(q, 3, 2, 2), standing(k4, 2, 4, 2), standing(v4, 2, 4, 2), kScale, nothing));
}

TEST(ContribAttention, MultiHeadWithPast) {
    const Floats q = noise(4, 71), k = noise(4, 72), v = noise(4, 73), pastK = noise(8, 74), pastV = noise(8, 75), bias = noise(2 * 3, 76);
    const auto both = [&](const Floats& past, const Floats& fresh) {
        return Field([&](std::size_t, std::size_t h, std::size_t t, std::size_t i) {
            return static_cast<double>(t < 2 ? past[(h * 2 + t) * 2 + i] : fresh[h * 2 + i]);
        });
    };
    Bench b("MultiHeadAttention");
    b.in<float>({1, 1, 4}, q).in<float>({1, 1, 4}, k).in<float>({1, 1, 4}, v).none(2).in<float>({1, 2, 1, 3}, bias);
    b.in<float>({1, 2, 2, 2}, pastK).in<float>({1, 2, 2, 2}, pastV).set("num_heads", 2);
    const auto out = done(b, 3);
    expectNear(out[0], naive({1, 2, 1, 3, 2, 2}, flat(q, 1, 2, 2), both(pastK, k), both(pastV, v), kScale,
                             [&](auto, auto h, auto, auto j) { return bias[h * 3 + j]; }));
    EXPECT_EQ(out[1].dims(), (Dims{1, 2, 3, 2}));
    EXPECT_EQ(out[1].data<float>()[4], k[0]);
    Bench scores("MultiHeadAttention");
    expectRefused(scores.in<float>({1, 1, 4}, q).in<float>({1, 1, 4}, k).in<float>({1, 1, 4}, v).set("num_heads", 2), "qk", 4);
}

/// A head turned by the angles of a position, either layout.
Field turned(const Field& x, const Floats& cosines, const Floats& sines, std::size_t half, bool interleaved,
             const std::function<std::size_t(std::size_t, std::size_t)>& position) {
    return [=](std::size_t b, std::size_t h, std::size_t t, std::size_t i) {
        if (i >= 2 * half) return x(b, h, t, i);
        const std::size_t pair = interleaved ? i / 2 : i % half;
        const bool second = interleaved ? i % 2 == 1 : i >= half;
        const std::size_t other = interleaved ? (second ? i - 1 : i + 1) : (second ? i - half : i + half);
        const std::size_t at = position(b, t) * half + pair;
        return x(b, h, t, i) * cosines[at] + (second ? 1 : -1) * x(b, h, t, other) * sines[at];
    };
}

TEST(ContribAttention, RotaryEmbedding) {
    const Floats x = noise(2 * 2 * 8, 81), cosines = noise(10, 82), sines = noise(10, 83);  // two heads of 4, 5 positions
    const Longs given = {3, 0, 1, 4};
    for (const bool interleaved : {false, true})
        for (const bool offset : {false, true}) {
            const auto position = [&](std::size_t b, std::size_t t) { return offset ? 2 + t : static_cast<std::size_t>(given[b * 2 + t]); };
            Bench b("RotaryEmbedding");
            b.in<float>({2, 2, 8}, x);
            offset ? b.in<std::int64_t>({1}, {2}) : b.in<std::int64_t>({2, 2}, given);
            b.in<float>({5, 2}, cosines).in<float>({5, 2}, sines).set("interleaved", interleaved ? 1 : 0);
            const Field want = turned(flat(x, 2, 2, 4), cosines, sines, 2, interleaved, position);
            Doubles all;
            for (std::size_t i = 0; i < 32; ++i)
                all.push_back(want(i / 16, i / 4 % 2, i / 8 % 2, i % 4));
            expectNear(done(b)[0], all);
        }
    // Only the first half of each head turns.
    Bench part("RotaryEmbedding");
    part.in<float>({1, 2, 2, 8}, x)
        .in<std::int64_t>({1}, {0})
        .in<float>({5, 2}, cosines)
        .in<float>({5, 2}, sines)
        .set("num_heads", 2)
        .set("rotary_embedding_dim", 4);
    const Field want = turned(standing(x, 2, 2, 8), cosines, sines, 2, false, [](std::size_t, std::size_t t) { return t; });
    Doubles all;
    for (std::size_t i = 0; i < 32; ++i)
        all.push_back(want(0, i / 16, i / 8 % 2, i % 8));
    expectNear(done(part)[0], all);
}

/// Four query heads share two key heads of size 2.
struct Grouped {
    std::size_t batch, length, room;  ///< `room`: rows of the cache that is fed.
    std::vector<std::size_t> past;    ///< Valid ones of each sequence.
    Floats q, k, v, pastK, pastV;
    Grouped(std::size_t b, std::size_t l, std::size_t r, std::vector<std::size_t> p)
        : batch(b),
          length(l),
          room(r),
          past(std::move(p)),
          q(noise(b * l * 8, 91)),
          k(noise(b * l * 4, 92)),
          v(noise(b * l * 4, 93)),
          pastK(noise(b * 2 * r * 2, 94)),
          pastV(noise(b * 2 * r * 2, 95)) {}
    Field keys(const Floats& old, const Floats& fresh) const {
        return [this, &old, &fresh](std::size_t b, std::size_t h, std::size_t t, std::size_t i) {
            const std::size_t group = h / 2;
            if (t < past[b]) return static_cast<double>(old[((b * 2 + group) * room + t) * 2 + i]);
            return t - past[b] < length ? static_cast<double>(fresh[(b * length + t - past[b]) * 4 + group * 2 + i]) : 0.0;
        };
    }
    Bench bench() const {
        Bench out("GroupQueryAttention");
        Ints last;
        std::size_t most = 0;
        for (const std::size_t p : past) {
            last.push_back(static_cast<std::int32_t>(p + length) - 1);
            most = std::max(most, p + length);
        }
        const auto n = static_cast<std::int64_t>(batch);
        const auto l = static_cast<std::int64_t>(length);
        out.in<float>({n, l, 8}, q).in<float>({n, l, 4}, k).in<float>({n, l, 4}, v);
        if (room > 0)
            out.in<float>({n, 2, static_cast<std::int64_t>(room), 2}, pastK).in<float>({n, 2, static_cast<std::int64_t>(room), 2}, pastV);
        else
            out.none(2);
        out.in<std::int32_t>({n}, last).in<std::int32_t>({}, {static_cast<std::int32_t>(most)}).set("num_heads", 4).set("kv_num_heads", 2);
        return out;
    }
    std::size_t most() const { return *std::max_element(past.begin(), past.end()) + length; }
    Sizes sizes() const { return {batch, 4, length, most(), 2, 2}; }
    Score causal(std::size_t window = 99) const {
        return
            [this, window](std::size_t b, std::size_t, std::size_t t, std::size_t j) { return j > past[b] + t || j + window <= past[b] + t ? kHidden : 0.0; };
    }
};

TEST(ContribAttention, GroupedPromptAndDecoding) {
    const Grouped prompt(2, 3, 0, {0, 0});
    const auto out = done(prompt.bench(), 3);
    expectNear(out[0], naive(prompt.sizes(), flat(prompt.q, 3, 4, 2), prompt.keys(prompt.pastK, prompt.k), prompt.keys(prompt.pastV, prompt.v), kScale,
                             prompt.causal()));
    EXPECT_EQ(out[1].dims(), (Dims{2, 2, 3, 2}));
    // Sequences of different lengths behind a cache with room to spare.
    const Grouped decode(2, 1, 6, {2, 4});
    const auto grown = done(decode.bench(), 3);
    expectNear(grown[0], naive(decode.sizes(), flat(decode.q, 1, 4, 2), decode.keys(decode.pastK, decode.k), decode.keys(decode.pastV, decode.v), kScale,
                               decode.causal()));
    EXPECT_EQ(grown[1].dims(), (Dims{2, 2, 6, 2}));
    EXPECT_EQ(grown[1].data<float>()[2 * 2], decode.k[0]);
    EXPECT_EQ(grown[1].data<float>()[2 * 6 * 2 + 4 * 2], decode.k[4]);
}

TEST(ContribAttention, GroupedOptions) {
    const Grouped g(1, 2, 3, {3});
    const Field q = flat(g.q, 2, 4, 2);
    const Field k = g.keys(g.pastK, g.k);
    const Field v = g.keys(g.pastV, g.v);
    expectNear(done(g.bench().set("local_window_size", 2), 3)[0], naive(g.sizes(), q, k, v, kScale, g.causal(2)));
    expectNear(done(g.bench().set("softcap", 0.3F).set("scale", 2.0F), 3)[0], naive(g.sizes(), q, k, v, 2, g.causal(), 0.3F));
    expectNear(done(g.bench().set("smooth_softmax", 1), 3)[0], naive(g.sizes(), q, k, v, kScale, g.causal(), 0, [](std::size_t) { return 0.0; }));
    expectNear(done(g.bench().set("causal", 0), 3)[0], naive(g.sizes(), q, k, v, kScale, nothing));
    const Floats bias = noise(2 * 5, 96), sinks = noise(4, 97);
    expectNear(done(g.bench().none(3).in<float>({1, 1, 2, 5}, bias).in<float>({4}, sinks), 3)[0],
               naive(
                   g.sizes(), q, k, v, kScale, [&](auto b, auto h, auto t, auto j) { return g.causal()(b, h, t, j) + bias[t * 5 + j]; }, 0,
                   [&](std::size_t h) { return static_cast<double>(sinks[h]); }));
    Bench quantised = g.bench();
    expectRefused(quantised.set("k_quant_type", std::string("PER_TENSOR")), "k_quant_type", 3);
    Bench shown = g.bench();
    expectRefused(shown.set("qk_output", 1), "qk_output=1", 3);
}

TEST(ContribAttention, GroupedPackedWithRotary) {
    const Grouped g(1, 2, 3, {3});
    Floats packed;
    for (std::size_t t = 0; t < 2; ++t) {
        packed.insert(packed.end(), g.q.begin() + static_cast<std::ptrdiff_t>(t * 8), g.q.begin() + static_cast<std::ptrdiff_t>(t * 8 + 8));
        packed.insert(packed.end(), g.k.begin() + static_cast<std::ptrdiff_t>(t * 4), g.k.begin() + static_cast<std::ptrdiff_t>(t * 4 + 4));
        packed.insert(packed.end(), g.v.begin() + static_cast<std::ptrdiff_t>(t * 4), g.v.begin() + static_cast<std::ptrdiff_t>(t * 4 + 4));
    }
    const Floats cosines = noise(6, 98), sines = noise(6, 99);
    Bench b("GroupQueryAttention");
    b.in<float>({1, 2, 16}, packed)
        .none(2)
        .in<float>({1, 2, 3, 2}, g.pastK)
        .in<float>({1, 2, 3, 2}, g.pastV)
        .in<std::int32_t>({1}, {4})
        .in<std::int32_t>({}, {5});
    b.in<float>({6, 1}, cosines).in<float>({6, 1}, sines).set("num_heads", 4).set("kv_num_heads", 2).set("do_rotary", 1);
    const auto behind = [](std::size_t, std::size_t t) { return t + 3; };
    const Field q = turned(flat(g.q, 2, 4, 2), cosines, sines, 1, false, behind);
    const Field fresh = turned(flat(g.k, 2, 2, 2), cosines, sines, 1, false, behind);
    const Field k = [&](std::size_t n, std::size_t h, std::size_t t, std::size_t i) {
        return t < 3 ? static_cast<double>(g.pastK[(h / 2 * 3 + t) * 2 + i]) : fresh(n, h / 2, t - 3, i);
    };
    expectNear(done(b, 3)[0], naive(g.sizes(), q, k, g.keys(g.pastV, g.v), kScale, g.causal()));
}

}  // namespace
}  // namespace hs::test
