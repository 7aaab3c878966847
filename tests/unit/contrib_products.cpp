// SPDX-License-Identifier: Apache-2.0
// Matrix products and convolutions of com.microsoft against naive loops.
#include <algorithm>

#include "tests/unit/contrib_support.h"

namespace hs::test {
namespace {

TEST(ContribProducts, FusedMatMulTransposesEitherWay) {
    // A is stored so that element (n, i, k) of the product's left operand is where the attributes say.
    const std::size_t batch = 2, m = 3, n = 4, inner = 5;
    const Floats left = noise(batch * m * inner, 1), right = noise(batch * inner * n, 2);
    Doubles want;
    for (std::size_t b = 0; b < batch; ++b)
        for (std::size_t i = 0; i < m; ++i)
            for (std::size_t j = 0; j < n; ++j) {
                double sum = 0;
                for (std::size_t k = 0; k < inner; ++k)
                    sum += static_cast<double>(left[(b * m + i) * inner + k]) * right[(b * inner + k) * n + j];
                want.push_back(0.5 * sum);
            }
    for (int form = 0; form < 16; ++form) {
        const bool transA = (form & 1) != 0, transB = (form & 2) != 0, batchA = (form & 4) != 0, batchB = (form & 8) != 0;
        Floats a(left.size()), b(right.size());
        const auto place = [&](std::size_t g, std::size_t row, std::size_t column, std::size_t rows, std::size_t columns, bool trans, bool groups) {
            // Stored [group, row, column]; `trans` swaps the last two, `groups` puts the matrix' first axis in front of the groups.
            const std::size_t first = trans ? column : row, second = trans ? row : column;
            const std::size_t firsts = trans ? columns : rows, seconds = trans ? rows : columns;
            return groups ? (first * batch + g) * seconds + second : (g * firsts + first) * seconds + second;
        };
        for (std::size_t g = 0; g < batch; ++g) {
            for (std::size_t i = 0; i < m; ++i)
                for (std::size_t k = 0; k < inner; ++k)
                    a[place(g, i, k, m, inner, transA, batchA)] = left[(g * m + i) * inner + k];
            for (std::size_t k = 0; k < inner; ++k)
                for (std::size_t j = 0; j < n; ++j)
                    b[place(g, k, j, inner, n, transB, batchB)] = right[(g * inner + k) * n + j];
        }
        const auto dims = [&](std::int64_t rows, std::int64_t columns, bool trans, bool groups) {
            if (trans) std::swap(rows, columns);
            return groups ? Dims{rows, 2, columns} : Dims{2, rows, columns};
        };
        Bench bench("FusedMatMul");
        bench.in<float>(dims(3, 5, transA, batchA), a).in<float>(dims(5, 4, transB, batchB), b).set("alpha", 0.5F);
        bench.set("transA", transA ? 1 : 0).set("transB", transB ? 1 : 0).set("transBatchA", batchA ? 1 : 0).set("transBatchB", batchB ? 1 : 0);
        expectNear(done(bench)[0], want);
        EXPECT_EQ(bench.flops(), 2.0 * 2 * 3 * 4 * 5) << form;
    }
}

TEST(ContribProducts, GemmWithActivation) {
    const Floats a = noise(6, 3), b = noise(12, 4), c = noise(4, 5);
    Doubles want;
    for (std::size_t i = 0; i < 2; ++i)
        for (std::size_t j = 0; j < 4; ++j) {
            double sum = 0;
            for (std::size_t k = 0; k < 3; ++k)
                sum += static_cast<double>(a[k * 2 + i]) * b[j * 3 + k];
            const double v = 2 * sum + 0.5 * c[j];
            want.push_back(v >= 0 ? v : 0.25 * v);
        }
    Bench bench("FusedGemm");
    bench.in<float>({3, 2}, a).in<float>({4, 3}, b).in<float>({4}, c).set("transA", 1).set("transB", 1).set("alpha", 2.0F).set("beta", 0.5F);
    bench.set("activation", std::string("LeakyRelu")).set("activation_alpha", 0.25F);
    expectNear(done(bench)[0], want);
    Bench unknown("FusedGemm");
    unknown.in<float>({3, 2}, a).in<float>({2, 3}, noise(6, 1)).set("activation", std::string("Softmax"));
    expectRefused(unknown, "activation=Softmax");
}

TEST(ContribProducts, GemmFastGelu) {
    const Floats a = noise(6, 6), b = noise(6, 7), c = noise(2, 8);
    Doubles want;
    for (std::size_t i = 0; i < 2; ++i)
        for (std::size_t j = 0; j < 2; ++j) {
            double v = c[j];
            for (std::size_t k = 0; k < 3; ++k)
                v += static_cast<double>(a[i * 3 + k]) * b[k * 2 + j];
            want.push_back(v / (1 + std::exp(-2 * (0.797885 * v + 0.035677 * v * v * v))));
        }
    expectNear(done(Bench("GemmFastGelu").in<float>({2, 3}, a).in<float>({3, 2}, b).in<float>({2}, c))[0], want);
}

TEST(ContribProducts, MatMulNBitsOfEveryWidth) {
    const std::size_t n = 3, k = 20, block = 16, blocks = 2;  // the last block is short
    const Floats x = noise(2 * k, 11), scales = noise(n * blocks, 12), bias = noise(n, 13), floatZeros = noise(n * blocks, 14);
    for (const unsigned bits : {2U, 4U, 8U})
        for (const int zeros : {0, 1, 2}) {
            const Bytes raw = noiseBytes(n * blocks * block, bits), rawZeros = noiseBytes(n * blocks, bits + 1);
            const unsigned most = (1U << bits) - 1, each = 8 / bits;
            Bytes packed(raw.size() / each, 0);
            for (std::size_t i = 0; i < raw.size(); ++i)
                packed[i / each] = static_cast<std::uint8_t>(packed[i / each] | (raw[i] & most) << (i % each * bits));
            const std::size_t rowBytes = (blocks * bits + 7) / 8;
            Bytes packedZeros(n * rowBytes, 0);
            for (std::size_t r = 0; r < n; ++r)
                for (std::size_t b = 0; b < blocks; ++b) {
                    auto& byte = packedZeros[r * rowBytes + b / each];
                    byte = static_cast<std::uint8_t>(byte | (rawZeros[r * blocks + b] & most) << (b % each * bits));
                }
            Doubles want;
            for (std::size_t t = 0; t < 2; ++t)
                for (std::size_t r = 0; r < n; ++r) {
                    double sum = bias[r];
                    for (std::size_t i = 0; i < k; ++i) {
                        const std::size_t at = r * blocks + i / block;
                        const double zero = zeros == 0 ? std::pow(2.0, bits - 1) : zeros == 1 ? rawZeros[at] & most : static_cast<double>(floatZeros[at]);
                        sum += x[t * k + i] * ((raw[at * block + i % block] & most) - zero) * scales[at];
                    }
                    want.push_back(sum);
                }
            Bench bench("MatMulNBits");
            bench.in<float>({2, 20}, x).in<std::uint8_t>({3, 2, static_cast<std::int64_t>(block / each)}, packed).in<float>({3, 2}, scales);
            if (zeros == 0)
                bench.none();
            else if (zeros == 1)
                bench.in<std::uint8_t>({3, static_cast<std::int64_t>(rowBytes)}, packedZeros);
            else
                bench.in<float>({3, 2}, floatZeros);
            bench.none().in<float>({3}, bias).set("K", 20).set("N", 3).set("block_size", 16).set("bits", static_cast<int>(bits));
            expectNear(done(bench)[0], want, 1e-4);
            EXPECT_EQ(bench.flops(), 2.0 * 2 * 3 * 20);
        }
    Bench odd("MatMulNBits");
    odd.in<float>({2, 20}, x).in<std::uint8_t>({3, 2, 6}, Bytes(36)).in<float>({3, 2}, scales).set("K", 20).set("N", 3).set("block_size", 16).set("bits", 3);
    expectRefused(odd, "bits=3");
}

TEST(ContribProducts, IntegerProducts) {
    const Bytes a = noiseBytes(6, 21), b = noiseBytes(12, 22);
    const Floats scales = {0.01F, 0.02F, 0.03F, 0.04F}, bias = noise(4, 23);
    const Bytes zeros = {120, 121, 122, 123};
    Doubles want;
    for (std::size_t i = 0; i < 2; ++i)
        for (std::size_t j = 0; j < 4; ++j) {
            double sum = 0;
            for (std::size_t k = 0; k < 3; ++k)
                sum += (a[i * 3 + k] - 100.0) * (b[k * 4 + j] - static_cast<double>(zeros[j]));
            want.push_back(sum * 0.5 * scales[j] + bias[j]);
        }
    Bench bench("MatMulIntegerToFloat");
    bench.in<std::uint8_t>({2, 3}, a)
        .in<std::uint8_t>({3, 4}, b)
        .in<float>({}, {0.5F})
        .in<float>({4}, scales)
        .in<std::uint8_t>({}, {100})
        .in<std::uint8_t>({4}, zeros);
    expectNear(done(bench.in<float>({4}, bias))[0], want);

    const std::vector<std::int16_t> p = {30000, -20000, 7, -8, 9, 10};
    const std::vector<std::uint16_t> q = {60000, 1, 2, 3, 4, 50000};
    std::vector<std::int32_t> sums;
    for (std::size_t i = 0; i < 2; ++i)
        for (std::size_t j = 0; j < 2; ++j) {
            std::int64_t sum = 0;
            for (std::size_t k = 0; k < 3; ++k)
                sum += static_cast<std::int64_t>(p[i * 3 + k]) * q[k * 2 + j];
            sums.push_back(static_cast<std::int32_t>(static_cast<std::uint32_t>(static_cast<std::uint64_t>(sum))));
        }
    expectEqual(done(Bench("MatMulInteger16").in<std::int16_t>({2, 3}, p).in<std::uint16_t>({3, 2}, q))[0], sums);
}

TEST(ContribProducts, DynamicQuantizeMatMulQuantisesTheLeftOperand) {
    const Floats a = {-1.0F, 0.5F, 2.0F, 0.25F, -0.75F, 1.5F};
    const Bytes b = noiseBytes(6, 24);
    const float scale = 3.0F / 255.0F;  // from -1 to 2
    const double zero = 85;
    Doubles want;
    for (std::size_t i = 0; i < 2; ++i)
        for (std::size_t j = 0; j < 2; ++j) {
            double sum = 0;
            for (std::size_t k = 0; k < 3; ++k)
                sum += (std::rint(a[i * 3 + k] / scale) + zero - zero) * (b[k * 2 + j] - 128.0);
            want.push_back(sum * scale * 0.25 + (j == 0 ? 1.0 : -1.0));
        }
    Bench bench("DynamicQuantizeMatMul");
    bench.in<float>({2, 3}, a).in<std::uint8_t>({3, 2}, b).in<float>({}, {0.25F}).in<std::uint8_t>({}, {128}).in<float>({2}, {1, -1});
    expectNear(done(bench)[0], want);
}

struct Image {
    // x [2, 2, 5, 4] in groups of one channel, w [4, 1, 3, 2], strides 2 and 1, pads 1.
    Floats x = noise(80, 31), w = noise(24, 32), b = noise(4, 33), z = noise(120, 34);
    double at(std::size_t n, std::size_t f, std::int64_t oy, std::int64_t ox) const {
        double sum = b[f];
        for (std::int64_t ky = 0; ky < 3; ++ky)
            for (std::int64_t kx = 0; kx < 2; ++kx) {
                const std::int64_t y = oy * 2 + ky - 1, v = ox + kx - 1;
                if (y >= 0 && y < 5 && v >= 0 && v < 4)
                    sum += static_cast<double>(x[((n * 2 + f / 2) * 5 + static_cast<std::size_t>(y)) * 4 + static_cast<std::size_t>(v)]) *
                           w[(f * 3 + static_cast<std::size_t>(ky)) * 2 + static_cast<std::size_t>(kx)];
            }
        return sum;
    }
    static Bench& window(Bench& bench) {
        return bench.set("strides", Longs{2, 1}).set("pads", Longs{1, 1, 1, 1}).set("group", 2).set("kernel_shape", Longs{3, 2});
    }
};

TEST(ContribProducts, ConvolutionsWithActivationAndAddend) {
    const Image image;
    Doubles first, last;
    for (std::size_t n = 0; n < 2; ++n)
        for (std::size_t f = 0; f < 4; ++f)
            for (std::int64_t y = 0; y < 3; ++y)
                for (std::int64_t v = 0; v < 5; ++v)
                    first.push_back(std::clamp(image.at(n, f, y, v) + image.z[first.size()], -0.5, 0.75));
    Bench fused("FusedConv");
    fused.in<float>({2, 2, 5, 4}, image.x).in<float>({4, 1, 3, 2}, image.w).in<float>({4}, image.b).in<float>({2, 4, 3, 5}, image.z);
    fused.set("activation", std::string("Clip")).set("activation_params", Floats{-0.5F, 0.75F});
    expectNear(done(Image::window(fused))[0], first);

    Floats turned(80);
    for (std::size_t i = 0; i < 80; ++i)
        turned[((i / 40 * 5 + i / 4 % 5) * 4 + i % 4) * 2 + i / 20 % 2] = image.x[i];
    for (std::size_t n = 0; n < 2; ++n)
        for (std::int64_t y = 0; y < 3; ++y)
            for (std::int64_t v = 0; v < 5; ++v)
                for (std::size_t f = 0; f < 4; ++f)
                    last.push_back(image.at(n, f, y, v));
    Bench plain("NhwcConv");
    plain.in<float>({2, 5, 4, 2}, turned).in<float>({4, 1, 3, 2}, image.w).in<float>({4}, image.b);
    expectNear(done(Image::window(plain))[0], last);
    for (std::size_t i = 0; i < last.size(); ++i)
        last[i] = std::max(0.0, last[i] + image.z[i]);
    Bench both("NhwcFusedConv");
    both.in<float>({2, 5, 4, 2}, turned).in<float>({4, 1, 3, 2}, image.w).in<float>({4}, image.b).in<float>({2, 3, 5, 4}, image.z);
    expectNear(done(Image::window(both.set("activation", std::string("Relu"))))[0], last);
}

}  // namespace
}  // namespace hs::test
