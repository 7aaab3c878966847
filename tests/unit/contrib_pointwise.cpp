// SPDX-License-Identifier: Apache-2.0
// Activations and normalisations of com.microsoft against naive loops.
#include "tests/unit/contrib_support.h"

namespace hs::test {
namespace {

double erfGelu(double x) {
    return x * 0.5 * std::erfc(-x * 0.70710678118654752);
}
double tanhGelu(double x) {
    const double u = std::exp(2 * (0.797885 * x + 0.035677 * x * x * x));
    return 0.5 * x * (1 + (u - 1) / (u + 1));
}

TEST(ContribPointwise, Gelus) {
    const Floats x = noise(12, 1);
    const Floats b = noise(4, 2);
    Doubles plain, biased, fast, quick, split;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double v = x[i];
        const double w = v + b[i % 4];
        plain.push_back(erfGelu(v));
        biased.push_back(erfGelu(w));
        fast.push_back(tanhGelu(w));
        quick.push_back(v / (1 + std::exp(-1.5 * v)));
        if (i % 4 < 2) split.push_back(w * erfGelu(static_cast<double>(x[i + 2]) + b[i % 4 + 2]));
    }
    expectNear(done(Bench("Gelu").in<float>({3, 4}, x))[0], plain);
    expectNear(done(Bench("BiasGelu").in<float>({3, 4}, x).in<float>({4}, b))[0], biased);
    expectNear(done(Bench("FastGelu").in<float>({3, 4}, x).in<float>({4}, b))[0], fast);
    expectNear(done(Bench("QuickGelu").in<float>({3, 4}, x).set("alpha", 1.5F))[0], quick);
    expectNear(done(Bench("BiasSplitGelu").in<float>({1, 3, 4}, x).in<float>({4}, b))[0], split);
    EXPECT_FALSE(Bench("BiasGelu").in<float>({3, 4}, x).in<float>({3}, noise(3, 1)).run());
}

TEST(ContribPointwise, BiasAdd) {
    const Floats x = noise(8, 3);
    const Floats b = noise(4, 4);
    const Floats s = noise(8, 5);
    Doubles want;
    for (std::size_t i = 0; i < 8; ++i)
        want.push_back(static_cast<double>(x[i]) + b[i % 4] + s[i]);
    expectNear(done(Bench("BiasAdd").in<float>({1, 2, 4}, x).in<float>({4}, b).in<float>({1, 2, 4}, s))[0], want);
}

/// Rows of `n`, each normalised; `centred` false: by the root mean square.
Doubles normalised(const Doubles& x, std::size_t n, bool centred, double epsilon, const Floats& gamma, const Floats& beta) {
    Doubles out;
    for (std::size_t r = 0; r < x.size() / n; ++r) {
        double sum = 0, squares = 0;
        for (std::size_t i = 0; i < n; ++i) {
            sum += x[r * n + i];
            squares += x[r * n + i] * x[r * n + i];
        }
        const double mean = centred ? sum / static_cast<double>(n) : 0;
        const double deviation = std::sqrt(squares / static_cast<double>(n) - mean * mean + epsilon);
        for (std::size_t i = 0; i < n; ++i)
            out.push_back((x[r * n + i] - mean) / deviation * gamma[i] + (beta.empty() ? 0.0F : beta[i]));
    }
    return out;
}

TEST(ContribPointwise, SkipNormalisations) {
    const Floats x = noise(24, 6), skip = noise(12, 7), gamma = noise(4, 8), beta = noise(4, 9), bias = noise(4, 10);
    Doubles sum;
    for (std::size_t i = 0; i < 24; ++i)
        sum.push_back(static_cast<double>(x[i]) + skip[i % 12] + bias[i % 4]);
    const auto full = done(Bench("SkipLayerNormalization")
                               .in<float>({2, 3, 4}, x)
                               .in<float>({1, 3, 4}, skip)
                               .in<float>({4}, gamma)
                               .in<float>({4}, beta)
                               .in<float>({4}, bias)
                               .set("epsilon", 0.01F),
                           4);
    expectNear(full[0], normalised(sum, 4, true, 0.01, gamma, beta));
    expectNear(full[3], sum);
    const auto simple = done(Bench("SkipSimplifiedLayerNormalization")
                                 .in<float>({2, 3, 4}, x)
                                 .in<float>({3, 4}, skip)
                                 .in<float>({4}, gamma)
                                 .in<float>({4}, bias)
                                 .set("epsilon", 0.01F),
                             4);
    expectNear(simple[0], normalised(sum, 4, false, 0.01, gamma, {}));
    const auto bare = done(Bench("SkipLayerNormalization").in<float>({1, 3, 4}, noise(12, 6)).in<float>({1, 3, 4}, skip).in<float>({4}, gamma));
    Doubles two;
    for (std::size_t i = 0; i < 12; ++i)
        two.push_back(static_cast<double>(noise(12, 6)[i]) + skip[i]);
    expectNear(bare[0], normalised(two, 4, true, 1e-12, gamma, {}), 1e-4);
}

TEST(ContribPointwise, NormalisationsOfExportersInTheDefaultDomain) {
    const Floats x = noise(12, 11), gamma = noise(4, 12), beta = noise(4, 13);
    const Doubles wide(x.begin(), x.end());
    expectNear(done(Bench("SimplifiedLayerNormalization", "", 12).in<float>({3, 4}, x).in<float>({4}, gamma).set("epsilon", 0.1F))[0],
               normalised(wide, 4, false, 0.1F, gamma, {}));
    expectNear(done(Bench("SimplifiedLayerNormalization").in<float>({3, 4}, x).in<float>({4}, gamma).set("epsilon", 0.1F), 2)[0],
               normalised(wide, 4, false, 0.1F, gamma, {}));
    expectNear(done(Bench("LayerNormalization", "", 12).in<float>({3, 4}, x).in<float>({4}, gamma).in<float>({4}, beta).set("epsilon", 0.1F))[0],
               normalised(wide, 4, true, 0.1F, gamma, beta));
}

TEST(ContribPointwise, EmbedLayerNormalization) {
    const Ints ids = {2, 0, 1, 1, 2, 2}, segments = {0, 1, 1, 0, 0, 1}, mask = {1, 1, 0, 1, 1, 1}, positions = {1, 0, 3};
    const Floats word = noise(12, 14), position = noise(16, 15), segment = noise(8, 16), gamma = noise(4, 17), beta = noise(4, 18);
    Doubles sum, shifted;
    for (std::size_t t = 0; t < 6; ++t)
        for (std::size_t i = 0; i < 4; ++i) {
            const double base = static_cast<double>(word[static_cast<std::size_t>(ids[t]) * 4 + i]) + segment[static_cast<std::size_t>(segments[t]) * 4 + i];
            sum.push_back(base + position[t % 3 * 4 + i]);
            shifted.push_back(base + position[static_cast<std::size_t>(positions[t % 3]) * 4 + i]);
        }
    const auto make = [&](bool own) {
        Bench b("EmbedLayerNormalization");
        b.in<std::int32_t>({2, 3}, ids).in<std::int32_t>({2, 3}, segments).in<float>({3, 4}, word).in<float>({4, 4}, position).in<float>({2, 4}, segment);
        b.in<float>({4}, gamma).in<float>({4}, beta).in<std::int32_t>({2, 3}, mask).set("epsilon", 0.01F);
        if (own) b.in<std::int32_t>({1, 3}, positions);
        return done(b, 3);
    };
    const auto out = make(false);
    expectNear(out[0], normalised(sum, 4, true, 0.01F, gamma, beta));
    expectEqual<std::int32_t>(out[1], {2, 3});
    expectNear(out[2], sum);
    expectNear(make(true)[0], normalised(shifted, 4, true, 0.01F, gamma, beta));
}

TEST(ContribPointwise, GroupNormOnBothLayouts) {
    const Floats x = noise(2 * 4 * 3, 19), gamma = noise(4, 20), beta = noise(4, 21);
    // x is [2, 3, 4] with channels last: two groups of two channels.
    Doubles want(x.size());
    for (std::size_t n = 0; n < 2; ++n)
        for (std::size_t g = 0; g < 2; ++g) {
            double sum = 0, squares = 0;
            for (std::size_t p = 0; p < 3; ++p)
                for (std::size_t k = 0; k < 2; ++k) {
                    const double v = x[(n * 3 + p) * 4 + g * 2 + k];
                    sum += v;
                    squares += v * v;
                }
            const double mean = sum / 6;
            for (std::size_t p = 0; p < 3; ++p)
                for (std::size_t k = 0; k < 2; ++k) {
                    const std::size_t at = (n * 3 + p) * 4 + g * 2 + k;
                    const double v = (x[at] - mean) / std::sqrt(squares / 6 - mean * mean + 1e-5) * gamma[g * 2 + k] + beta[g * 2 + k];
                    want[at] = v / (1 + std::exp(-v));
                }
        }
    expectNear(done(Bench("GroupNorm").in<float>({2, 3, 4}, x).in<float>({4}, gamma).in<float>({4}, beta).set("groups", 2).set("activation", 1))[0], want,
               1e-4);
    Floats first(x.size());
    Doubles wantFirst(x.size());
    for (std::size_t n = 0; n < 2; ++n)
        for (std::size_t p = 0; p < 3; ++p)
            for (std::size_t ch = 0; ch < 4; ++ch) {
                first[(n * 4 + ch) * 3 + p] = x[(n * 3 + p) * 4 + ch];
                wantFirst[(n * 4 + ch) * 3 + p] = want[(n * 3 + p) * 4 + ch];
            }
    Bench b("GroupNorm");
    b.in<float>({2, 4, 3}, first).in<float>({4}, gamma).in<float>({4}, beta).set("groups", 2).set("activation", 1).set("channels_last", 0);
    expectNear(done(b)[0], wantFirst, 1e-4);
    Bench odd("GroupNorm");
    odd.in<float>({2, 4, 3}, first).in<float>({4}, gamma).in<float>({4}, beta).set("groups", 2).set("activation", 7);
    expectRefused(odd, "activation=7");
}

}  // namespace
}  // namespace hs::test
