// SPDX-License-Identifier: Apache-2.0
// 8-bit operators of com.microsoft against naive loops. Scales are powers of two, so that every quotient is exact or far from a tie.
#include <algorithm>
#include <limits>

#include "tests/unit/contrib_support.h"

namespace hs::test {
namespace {

constexpr double kScaleX = 0.0625, kZeroX = 117, kScaleY = 0.03125, kZeroY = 90;

double real(std::uint8_t q) {
    return (q - kZeroX) * kScaleX;
}
std::uint8_t quantised(double v, double scale = kScaleY, double zero = kZeroY) {
    const double lower = std::floor(v / scale);
    const double rest = v / scale - lower;
    const double up = rest > 0.5 || (rest == 0.5 && std::fmod(lower, 2) != 0) ? lower + 1 : lower;
    return static_cast<std::uint8_t>(std::min(255.0, std::max(0.0, up + zero)));
}
Bench& one(Bench& b, float scale, int zero) {
    return b.in<float>({}, {scale}).in<std::uint8_t>({}, {static_cast<std::uint8_t>(zero)});
}
/// Input of this shape with the scales and zero points of a unary operator.
Bench unary(const char* op, Dims dims, const Bytes& x) {
    Bench b(op);
    b.in<std::uint8_t>(std::move(dims), x);
    one(b, 0.0625F, 117);
    one(b, 0.03125F, 90);
    return b;
}
/// Results may differ by one step where a transcendental function meets a tie.
void expectClose(const Tensor& got, const Bytes& want) {
    ASSERT_EQ(static_cast<std::size_t>(got.count()), want.size());
    for (std::size_t i = 0; i < want.size(); ++i)
        EXPECT_NEAR(got.data<std::uint8_t>()[i], want[i], 1) << i;
}

TEST(ContribBytes, AddAndMulBroadcast) {
    const Bytes a = noiseBytes(6, 1), b = noiseBytes(3, 2);
    Bytes sum, product;
    for (std::size_t i = 0; i < 6; ++i) {
        const double v = (b[i % 3] - 100.0) * 0.125;
        sum.push_back(quantised(real(a[i]) + v));
        product.push_back(quantised(real(a[i]) * v));
    }
    for (const bool add : {true, false}) {
        Bench bench(add ? "QLinearAdd" : "QLinearMul");
        bench.in<std::uint8_t>({2, 3}, a);
        one(bench, 0.0625F, 117).in<std::uint8_t>({3}, b);
        one(bench, 0.125F, 100);
        expectEqual(done(one(bench, 0.03125F, 90))[0], add ? sum : product);
    }
    Bytes plain;  // absent zero points are zero
    for (std::size_t i = 0; i < 3; ++i)
        plain.push_back(quantised(b[i] * 0.5 + b[i] * 0.25, 1, 0));
    Bench bare("QLinearAdd");
    bare.in<std::uint8_t>({3}, b).in<float>({}, {0.5F}).none().in<std::uint8_t>({3}, b).in<float>({}, {0.25F}).none().in<float>({}, {1.0F});
    expectEqual(done(bare)[0], plain);
}

TEST(ContribBytes, MulInteger) {
    const Bytes a = noiseBytes(4, 3), b = noiseBytes(2, 4);
    Ints want;
    for (std::size_t i = 0; i < 4; ++i)
        want.push_back((a[i] - 5) * b[i % 2]);
    expectEqual(done(Bench("MulInteger").in<std::uint8_t>({2, 2}, a).in<std::uint8_t>({}, {5}).in<std::uint8_t>({2}, b))[0], want);
}

TEST(ContribBytes, Unary) {
    const Bytes x = noiseBytes(24, 5);
    Bytes sigmoid, leaky, soft(24), flat(24);
    for (const std::uint8_t q : x) {
        sigmoid.push_back(quantised(1 / (1 + std::exp(-real(q)))));
        leaky.push_back(quantised(real(q) < 0 ? 0.125 * real(q) : real(q)));
    }
    for (std::size_t o = 0; o < 2; ++o) {
        double all = 0;
        for (std::size_t i = 0; i < 12; ++i)
            all += std::exp(real(x[o * 12 + i]));
        for (std::size_t i = 0; i < 4; ++i) {
            double column = 0;
            for (std::size_t k = 0; k < 3; ++k)
                column += std::exp(real(x[o * 12 + k * 4 + i]));
            for (std::size_t k = 0; k < 3; ++k) {
                const std::size_t at = o * 12 + k * 4 + i;
                soft[at] = quantised(std::exp(real(x[at])) / column);
                flat[at] = quantised(std::exp(real(x[at])) / all);
            }
        }
    }
    expectClose(done(unary("QLinearSigmoid", {2, 3, 4}, x))[0], sigmoid);
    expectEqual(done(unary("QLinearLeakyRelu", {2, 3, 4}, x).set("alpha", 0.125F))[0], leaky);
    expectClose(done(unary("QLinearSoftmax", {2, 3, 4}, x).set("axis", 1).set("opset", 13))[0], soft);
    expectClose(done(unary("QLinearSoftmax", {2, 3, 4}, x).set("axis", 1).set("opset", 11))[0], flat);
}

TEST(ContribBytes, MeansAndPools) {
    const Bytes x = noiseBytes(2 * 3 * 4 * 5, 6);  // [2, 3, 4, 5]
    const auto at = [&](std::size_t n, std::size_t c, std::size_t y, std::size_t v) { return real(x[((n * 3 + c) * 4 + y) * 5 + v]); };
    Bytes global, mean, turned(x.size()), pool, padded, poolLast;
    for (std::size_t n = 0; n < 2; ++n)
        for (std::size_t c = 0; c < 3; ++c) {
            double sum = 0;
            for (std::size_t i = 0; i < 20; ++i)
                sum += at(n, c, i / 5, i % 5);
            global.push_back(quantised(sum / 20));
            for (std::size_t i = 0; i < 20; ++i)
                turned[(n * 20 + i) * 3 + c] = x[(n * 3 + c) * 20 + i];
        }
    for (std::size_t n = 0; n < 2; ++n)
        for (std::size_t y = 0; y < 4; ++y) {
            double sum = 0;
            for (std::size_t i = 0; i < 15; ++i)
                sum += at(n, i / 5, y, i % 5);
            mean.push_back(quantised(sum / 15));
        }
    expectClose(done(unary("QLinearGlobalAveragePool", {2, 3, 4, 5}, x))[0], global);
    expectClose(done(unary("QLinearGlobalAveragePool", {2, 4, 5, 3}, turned).set("channels_last", 1))[0], global);
    expectClose(done(unary("QLinearReduceMean", {2, 3, 4, 5}, x).set("axes", Longs{1, -1}).set("keepdims", 0))[0], mean);
    // Windows of 3x2 with strides 2 and 1, padded by one in front.
    for (std::size_t n = 0; n < 2; ++n)
        for (std::size_t c = 0; c < 3; ++c)
            for (int oy = 0; oy < 2; ++oy)
                for (int ox = 0; ox < 5; ++ox) {
                    double sum = 0;
                    int count = 0;
                    for (int y = std::max(0, oy * 2 - 1); y < std::min(4, oy * 2 + 2); ++y)
                        for (int v = std::max(0, ox - 1); v < std::min(5, ox + 1); ++v, ++count)
                            sum += at(n, c, static_cast<std::size_t>(y), static_cast<std::size_t>(v));
                    pool.push_back(quantised(sum / count));
                    padded.push_back(quantised(sum / 6));
                }
    const auto window = [](Bench b) { return b.set("kernel_shape", Longs{3, 2}).set("strides", Longs{2, 1}).set("pads", Longs{1, 1, 0, 0}); };
    expectClose(done(window(unary("QLinearAveragePool", {2, 3, 4, 5}, x)))[0], pool);
    expectClose(done(window(unary("QLinearAveragePool", {2, 3, 4, 5}, x)).set("count_include_pad", 1))[0], padded);
    poolLast.resize(pool.size());
    for (std::size_t i = 0; i < pool.size(); ++i)
        poolLast[(i / 30 * 10 + i % 10) * 3 + i / 10 % 3] = pool[i];
    expectClose(done(window(unary("QLinearAveragePool", {2, 4, 5, 3}, turned)).set("channels_last", 1))[0], poolLast);
}

TEST(ContribBytes, ConcatAndWhere) {
    const Bytes a = noiseBytes(4, 7), b = noiseBytes(6, 8);
    const auto other = [](std::uint8_t q) { return (q - 10.0) * 0.125; };
    Bytes want;
    for (std::size_t r = 0; r < 2; ++r) {
        for (std::size_t i = 0; i < 2; ++i)
            want.push_back(quantised(real(a[r * 2 + i])));
        for (std::size_t i = 0; i < 3; ++i)
            want.push_back(quantised(other(b[r * 3 + i])));
    }
    Bench concat("QLinearConcat");
    one(concat, 0.03125F, 90).in<std::uint8_t>({2, 2}, a);
    one(concat, 0.0625F, 117).in<std::uint8_t>({2, 3}, b);
    expectEqual(done(one(concat, 0.125F, 10).set("axis", 1))[0], want);

    Tensor condition = Tensor::allocate(DType::Bool, {2, 1}).value();
    static_cast<std::uint8_t*>(condition.raw())[0] = 1;
    static_cast<std::uint8_t*>(condition.raw())[1] = 0;
    Bytes chosen;
    for (std::size_t i = 0; i < 6; ++i)
        chosen.push_back(quantised(i < 3 ? real(b[i]) : other(a[0])));
    Bench where("QLinearWhere");
    where.in(condition).in<std::uint8_t>({2, 3}, b);
    one(where, 0.0625F, 117).in<std::uint8_t>({}, {a[0]});
    one(where, 0.125F, 10);
    expectEqual(done(one(where, 0.03125F, 90))[0], chosen);
}

TEST(ContribBytes, QuantizeAndDequantizeLinear) {
    const Floats x = noise(6, 9);
    Bytes q;
    for (std::size_t i = 0; i < 6; ++i)
        q.push_back(quantised(x[i], i % 3 == 0 ? 0.0078125 : 0.015625, 120));
    const Floats scales = {0.0078125F, 0.015625F, 0.015625F};
    const Bytes zeros(3, 120);
    expectEqual(done(Bench("QuantizeLinear").in<float>({2, 3}, x).in<float>({3}, scales).in<std::uint8_t>({3}, zeros).set("axis", 1))[0], q);
    Doubles back;
    for (std::size_t i = 0; i < 6; ++i)
        back.push_back((q[i] - 120.0) * scales[i % 3]);
    expectNear(done(Bench("DequantizeLinear").in<std::uint8_t>({2, 3}, q).in<float>({3}, scales).in<std::uint8_t>({3}, zeros).set("axis", 1))[0], back);
}

}  // namespace
}  // namespace hs::test
