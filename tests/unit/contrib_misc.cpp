// SPDX-License-Identifier: Apache-2.0
// The other operators of com.microsoft against naive loops.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "tests/unit/contrib_support.h"

namespace hs::test {
namespace {

TEST(ContribMisc, InverseTimesTheMatrixIsOne) {
    Floats x = noise(18, 1);
    x[0] = 0;  // needs a pivot
    const auto out = done(Bench("Inverse").in<float>({2, 3, 3}, x));
    for (std::size_t b = 0; b < 2; ++b)
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j) {
                double sum = 0;
                for (std::size_t k = 0; k < 3; ++k)
                    sum += static_cast<double>(x[b * 9 + i * 3 + k]) * out[0].data<float>()[b * 9 + k * 3 + j];
                EXPECT_NEAR(sum, i == j ? 1 : 0, 1e-4);
            }
    EXPECT_FALSE(Bench("Inverse").in<float>({2, 2}, {1, 2, 2, 4}).run());
}

TEST(ContribMisc, UniqueKeepsTheOrder) {
    const auto out = done(Bench("Unique").in<float>({6}, {2, 1, 1, 3, 4, 3}), 3);
    expectEqual<float>(out[0], {2, 1, 3, 4});
    expectEqual<std::int64_t>(out[1], {0, 1, 1, 2, 3, 2});
    expectEqual<std::int64_t>(out[2], {1, 2, 2, 1});
    expectEqual<std::string>(done(Bench("Unique").in<std::string>({3}, {"b", "a", "b"}), 3)[0], {"b", "a"});
    expectEqual<std::int8_t>(done(Bench("Unique").in<std::int8_t>({3}, {-1, 5, -1}), 3)[0], {-1, 5});
}

TEST(ContribMisc, CropAndResize) {
    const Floats x = noise(2 * 4 * 5, 2);  // two images of one channel
    const Floats boxes = {0, 0, 1, 1, 0.25F, 0.5F, 0.9F, 1.2F};
    const auto pixel = [&](std::size_t n, int y, int v) {
        return static_cast<double>(x[(n * 4 + static_cast<std::size_t>(y)) * 5 + static_cast<std::size_t>(v)]);
    };
    for (const bool nearest : {false, true}) {
        Doubles want;
        for (std::size_t r = 0; r < 2; ++r)
            for (int i = 0; i < 3; ++i)
                for (int j = 0; j < 2; ++j) {
                    const double y = (boxes[r * 4] + i / 2.0 * (boxes[r * 4 + 2] - boxes[r * 4])) * 3;
                    const double v = (boxes[r * 4 + 1] + j * static_cast<double>(boxes[r * 4 + 3] - boxes[r * 4 + 1])) * 4;
                    if (y < 0 || y > 3 || v < 0 || v > 4) {
                        want.push_back(-7);
                        continue;
                    }
                    double sum = 0;  // tent weights over every pixel
                    for (int py = 0; py < 4; ++py)
                        for (int pv = 0; pv < 5; ++pv)
                            sum += pixel(1 - r, py, pv) * std::max(0.0, 1 - std::fabs(y - py)) * std::max(0.0, 1 - std::fabs(v - pv));
                    want.push_back(nearest ? pixel(1 - r, static_cast<int>(y + 0.5), static_cast<int>(v + 0.5)) : sum);
                }
        Bench bench("CropAndResize");
        bench.in<float>({2, 1, 4, 5}, x).in<float>({2, 4}, boxes).in<std::int32_t>({2}, {1, 0}).in<std::int32_t>({2}, {3, 2}).set("extrapolation_value", -7.0F);
        if (nearest) bench.set("mode", std::string("nearest"));
        expectNear(done(bench)[0], want);
    }
}

TEST(ContribMisc, NGramRepeatBlock) {
    // "1 2" was followed by 3 and by 0; the second row never repeats.
    const Longs ids = {1, 2, 3, 1, 2, 0, 1, 2, 0, 1, 2, 3, 3, 1, 0, 2};
    const Floats scores = noise(8, 3);
    Floats want = scores;
    want[3] = want[0] = -std::numeric_limits<float>::infinity();
    expectEqual(done(Bench("NGramRepeatBlock").in<std::int64_t>({2, 8}, ids).in<float>({2, 4}, scores).set("ngram_size", 3))[0], want);
    expectEqual(done(Bench("NGramRepeatBlock").in<std::int64_t>({2, 8}, ids).in<float>({2, 4}, scores).set("ngram_size", 9))[0], scores);
}

TEST(ContribMisc, CDist) {
    const Floats a = noise(6, 4), b = noise(9, 5);
    Doubles squares, roots;
    for (std::size_t i = 0; i < 2; ++i)
        for (std::size_t j = 0; j < 3; ++j) {
            double sum = 0;
            for (std::size_t k = 0; k < 3; ++k)
                sum += std::pow(static_cast<double>(a[i * 3 + k]) - b[j * 3 + k], 2);
            squares.push_back(sum);
            roots.push_back(std::sqrt(sum));
        }
    expectNear(done(Bench("CDist").in<float>({2, 3}, a).in<float>({3, 3}, b))[0], squares);
    expectNear(done(Bench("CDist").in<float>({2, 3}, a).in<float>({3, 3}, b).set("metric", std::string("euclidean")))[0], roots);
    Bench city("CDist");
    expectRefused(city.in<float>({2, 3}, a).in<float>({3, 3}, b).set("metric", std::string("cityblock")), "metric=cityblock");
}

TEST(ContribMisc, ShapesAndRanges) {
    EXPECT_EQ(done(Bench("ExpandDims").in<float>({2, 3}, noise(6, 6)).in<std::int32_t>({}, {1}))[0].dims(), (Dims{2, 1, 3}));
    EXPECT_EQ(done(Bench("ExpandDims").in<float>({2, 3}, noise(6, 6)).in<std::int32_t>({}, {-1}))[0].dims(), (Dims{2, 3, 1}));
    EXPECT_FALSE(Bench("ExpandDims").in<float>({2, 3}, noise(6, 6)).in<std::int32_t>({}, {3}).run());
    expectEqual<std::int32_t>(done(Bench("Range").in<std::int32_t>({}, {2}).in<std::int32_t>({}, {5}))[0], {2, 3, 4});
    expectEqual<float>(done(Bench("Range").in<float>({}, {2}).in<float>({}, {1}).in<float>({}, {-0.5F}))[0], {2, 1.5F});
}

TEST(ContribMisc, Twins) {
    expectEqual<float>(done(Bench("GatherND").in<float>({2, 2}, {0, 1, 2, 3}).in<std::int64_t>({2, 1}, {1, 0}))[0], {2, 3, 0, 1});
    expectEqual<float>(done(Bench("Trilu").in<float>({2, 2}, {1, 2, 3, 4}).set("upper", 0))[0], {1, 0, 3, 4});
    expectEqual<float>(done(Bench("Pad").in<float>({2}, {1, 2}).in<std::int64_t>({1, 2}, {1, 2}).in<float>({1}, {9}))[0], {9, 1, 2, 9, 9});
    expectEqual<float>(done(Bench("Pad").in<float>({3}, {1, 2, 3}).in<std::int64_t>({2}, {2, 0}).set("mode", std::string("reflect")))[0], {3, 2, 1, 2, 3});
    const Floats corner = {-1, -1};
    expectNear(done(Bench("GridSample")
                        .in<float>({1, 1, 2, 2}, {1, 2, 3, 4})
                        .in<float>({1, 1, 1, 2}, corner)
                        .set("align_corners", 1)
                        .set("mode", std::string("bilinear")))[0],
               {1});
}

/// 1.5, -2 and 0.5 in float16.
TEST(ContribMisc, HalfPrecisionIsRoundedOnce) {
    Tensor x = Tensor::allocate(DType::F16, {1, 3}).value();
    const std::uint16_t bits[] = {0x3E00, 0xC000, 0x3800};
    std::copy(std::begin(bits), std::end(bits), static_cast<std::uint16_t*>(x.raw()));
    const auto product = done(Bench("FusedMatMul").in(x).in(x).set("transB", 1).set("alpha", 0.5F));
    ASSERT_EQ(product[0].dtype(), DType::F16);
    EXPECT_EQ(static_cast<const std::uint16_t*>(product[0].raw())[0], 0x4280);  // (2.25 + 4 + 0.25) / 2 = 3.25
}

TEST(ContribMisc, OtherDomainsStayUnknown) {
    Node node;
    node.opType = "FusedMatMul";
    node.opset = 21;
    EXPECT_EQ(makeReferenceExecutor()->supports({nullptr, &node, nullptr}).reason.code, "kernel.operator");
    node.domain = "com.example";
    EXPECT_EQ(makeReferenceExecutor()->supports({nullptr, &node, nullptr}).reason.code, "kernel.operator");
}

}  // namespace
}  // namespace hs::test
