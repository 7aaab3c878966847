// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>

#include "tests/unit/onednn_harness.h"

namespace hs::test {
namespace {

using Function = std::function<double(double)>;

void expectFunction(NodeCase c, const Function& f, float scale = 3, float offset = 0) {
    for (const Dims& dims : {Dims{3, 5, 7}, Dims{}, Dims{1}, Dims{2, 1, 3, 1, 5, 2}}) {
        Tensor x = random(dims, 5);
        std::vector<float> want;
        for (float& value : x.data<float>()) {
            value = value * scale + offset;
            want.push_back(static_cast<float>(f(value)));
        }
        c.inputs[0] = variable(x);
        c.outputs = {dims};
        SCOPED_TRACE(c.node.opType + " " + toString(dims));
        expectClose(valuesOf(c), want, 1e-4F, 1e-5F);
    }
}

NodeCase unary(const char* op) {
    return {op, {absent()}, {{}}};
}

TEST(OneDnnEltwise, EqualsTheDefinition) {
    expectFunction(unary("Relu"), [](double x) { return std::max(x, 0.0); });
    expectFunction(unary("LeakyRelu"), [](double x) { return x < 0 ? 0.01 * x : x; });
    expectFunction(unary("LeakyRelu").with("alpha", 0.2F), [](double x) { return x < 0 ? 0.2 * x : x; });
    expectFunction(unary("Elu").with("alpha", 2.0F), [](double x) { return x < 0 ? 2 * (std::exp(x) - 1) : x; });
    expectFunction(unary("Sigmoid"), [](double x) { return 1 / (1 + std::exp(-x)); });
    expectFunction(unary("Tanh"), [](double x) { return std::tanh(x); });
    expectFunction(unary("Exp"), [](double x) { return std::exp(x); });
    expectFunction(
        unary("Sqrt"), [](double x) { return std::sqrt(x); }, 1, 1);
    expectFunction(unary("Abs"), [](double x) { return std::abs(x); });
    expectFunction(unary("Neg"), [](double x) { return -x; });
    expectFunction(
        unary("Reciprocal"), [](double x) { return 1 / x; }, 1, 2);
    expectFunction(unary("Round"), [](double x) { return std::nearbyint(x); });
    expectFunction(
        unary("HardSwish"), [](double x) { return x * std::clamp(x / 6 + 0.5, 0.0, 1.0); }, 5);
    expectFunction(
        unary("HardSigmoid"), [](double x) { return std::clamp(0.2 * x + 0.5, 0.0, 1.0); }, 5);
    expectFunction(unary("Gelu").opset(20).with("approximate", std::string("tanh")),
                   [](double x) { return x / 2 * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x))); });
}

TEST(OneDnnEltwise, RoundsHalvesToEven) {
    const Tensor x = floats({6}, {0.5F, 1.5F, 2.5F, -0.5F, -1.5F, -2.5F});
    expectClose(valuesOf({"Round", {variable(x)}, {{6}}}), {0, 2, 2, 0, -2, -2});
}

TEST(OneDnnEltwise, ClipTakesBoundsFromInputsOrAttributes) {
    NodeCase both("Clip", {absent(), constant(floats({}, {-1})), constant(floats({}, {2}))}, {{}});
    expectFunction(both, [](double x) { return std::clamp(x, -1.0, 2.0); });
    NodeCase lower("Clip", {absent(), constant(floats({}, {-1}))}, {{}});
    expectFunction(lower, [](double x) { return std::max(x, -1.0); });
    NodeCase upper("Clip", {absent(), absent(), constant(floats({}, {1}))}, {{}});
    expectFunction(upper, [](double x) { return std::min(x, 1.0); });
    expectFunction(unary("Clip").opset(6).with("min", -0.5F).with("max", 0.5F), [](double x) { return std::clamp(x, -0.5, 0.5); });
    NodeCase variableBound("Clip", {variable(random({3})), variable(floats({}, {-1}))}, {{3}});
    EXPECT_FALSE(ask(variableBound).supported);
}

TEST(OneDnnEltwise, PowTakesAConstantExponent) {
    for (const float exponent : {2.0F, 3.0F, 1.0F})
        expectFunction({"Pow", {absent(), constant(floats({}, {exponent}))}, {{}}}, [&](double x) { return std::pow(x, exponent); });
    for (const float exponent : {-0.5F, 1.7F})
        expectFunction(
            {"Pow", {absent(), constant(floats({}, {exponent}))}, {{}}}, [&](double x) { return std::pow(x, exponent); }, 1, 1.5F);
    expectFunction({"Pow", {absent(), constant(ints64({}, {2}))}, {{}}}, [](double x) { return x * x; });
    EXPECT_FALSE(ask({"Pow", {variable(random({3})), variable(random({3}))}, {{3}}}).supported);
}

TEST(OneDnnEltwise, PReluSpreadsItsSlope) {
    const Tensor x = random({2, 3, 4, 5}, 1);
    for (const Dims& slopeDims : {Dims{3, 1, 1}, Dims{1}, Dims{2, 3, 4, 5}, Dims{5}}) {
        const Tensor slope = random(slopeDims, 2);
        std::vector<float> want;
        forEachIndex(x.dims(), [&](const Dims& i) {
            const float value = spreadAt(x, i);
            want.push_back(value < 0 ? value * spreadAt(slope, i) : value);
        });
        SCOPED_TRACE(toString(slopeDims));
        expectClose(valuesOf({"PRelu", {variable(x), constant(slope)}, {x.dims()}}), want);
    }
}

struct BinarySizes {
    Dims a, b, out;
};

class Binary : public ::testing::TestWithParam<BinarySizes> {};

TEST_P(Binary, EqualsTheDefinition) {
    const BinarySizes& s = GetParam();
    const Tensor a = random(s.a, 1);
    Tensor b = random(s.b, 2);
    for (float& x : b.data<float>())
        x += x < 0 ? -0.2F : 0.2F;  // divisors away from 0
    const std::pair<const char*, std::function<float(float, float)>> ops[] = {
        {"Add", [](float x, float y) { return x + y; }},          {"Sub", [](float x, float y) { return x - y; }},
        {"Mul", [](float x, float y) { return x * y; }},          {"Div", [](float x, float y) { return x / y; }},
        {"Min", [](float x, float y) { return std::min(x, y); }}, {"Max", [](float x, float y) { return std::max(x, y); }},
    };
    for (const auto& [op, f] : ops) {
        std::vector<float> want;
        forEachIndex(s.out, [&](const Dims& i) { want.push_back(f(spreadAt(a, i), spreadAt(b, i))); });
        SCOPED_TRACE(op);
        expectClose(valuesOf({op, {variable(a), variable(b)}, {s.out}}), want);
    }
}

INSTANTIATE_TEST_SUITE_P(OneDnn, Binary,
                         ::testing::Values(BinarySizes{{3, 5}, {3, 5}, {3, 5}}, BinarySizes{{2, 3, 4, 5}, {}, {2, 3, 4, 5}},
                                           BinarySizes{{}, {2, 3, 4}, {2, 3, 4}}, BinarySizes{{2, 3, 4, 5}, {3, 1, 1}, {2, 3, 4, 5}},
                                           BinarySizes{{2, 3, 4, 5}, {5}, {2, 3, 4, 5}}, BinarySizes{{4, 5}, {2, 3, 1, 1}, {2, 3, 4, 5}},
                                           BinarySizes{{3, 1}, {1, 4}, {3, 4}}, BinarySizes{{2, 1, 4, 1}, {3, 1, 5}, {2, 3, 4, 5}},
                                           BinarySizes{{7, 1}, {7, 768}, {7, 768}}, BinarySizes{{}, {}, {}}, BinarySizes{{1, 1}, {1}, {1, 1}}));

TEST(OneDnnBinary, FoldsAnyNumberOfOperands) {
    const Tensor a = random({1, 4}, 1);
    const Tensor b = random({3, 1}, 2);
    const Tensor c = random({2, 1, 1}, 3);
    std::vector<float> sum;
    forEachIndex({2, 3, 4}, [&](const Dims& i) { sum.push_back(spreadAt(a, i) + spreadAt(b, i) + spreadAt(c, i)); });
    expectClose(valuesOf({"Sum", {variable(a), variable(b), variable(c)}, {{2, 3, 4}}}), sum);
    EXPECT_FALSE(ask({"Max", {variable(a), variable(b), variable(c)}, {{2, 3, 4}}}).supported);
    expectClose(valuesOf({"Min", {variable(a)}, {{1, 4}}}), toVector(a));
}

TEST(OneDnnNormalization, EqualsTheDefinition) {
    const Tensor x = random({2, 5, 3, 4}, 1);
    const Tensor scale = random({5}, 2);
    const Tensor bias = random({5}, 3);
    const Tensor mean = random({5}, 4);
    Tensor variance = random({5}, 5);
    for (float& v : variance.data<float>())
        v = std::abs(v) + 0.1F;
    std::vector<float> want;
    const auto channel = [](const Tensor& t, const Dims& i) { return t.data<float>()[static_cast<std::size_t>(i[1])]; };
    forEachIndex(x.dims(), [&](const Dims& i) {
        want.push_back((spreadAt(x, i) - channel(mean, i)) / std::sqrt(channel(variance, i) + 0.01F) * channel(scale, i) + channel(bias, i));
    });
    NodeCase c("BatchNormalization", {variable(x), constant(scale), constant(bias), constant(mean), constant(variance)}, {x.dims()});
    c.with("epsilon", 0.01F);
    expectClose(valuesOf(c), want);
    c.inputs[0] = variable(x.reshaped({2, 5, 12}));
    c.outputs = {{2, 5, 12}};
    expectClose(valuesOf(c), want);
    c.with("training_mode", std::int64_t{1});
    EXPECT_FALSE(ask(c).supported);
}

TEST(OneDnnNormalization, LayerAndInstanceNormalizeTheirRows) {
    const Tensor x = random({3, 4, 6}, 1);
    const auto normalize = [&](std::int64_t rows, const std::function<float(std::int64_t, std::int64_t)>& scale,
                               const std::function<float(std::int64_t, std::int64_t)>& bias) {
        std::vector<float> want;
        const auto data = x.data<float>();
        const std::int64_t columns = x.count() / rows;
        for (std::int64_t r = 0; r < rows; ++r) {
            double mean = 0;
            double square = 0;
            for (std::int64_t i = 0; i < columns; ++i)
                mean += data[static_cast<std::size_t>(r * columns + i)] / static_cast<double>(columns);
            for (std::int64_t i = 0; i < columns; ++i)
                square += std::pow(data[static_cast<std::size_t>(r * columns + i)] - mean, 2) / static_cast<double>(columns);
            for (std::int64_t i = 0; i < columns; ++i)
                want.push_back(static_cast<float>((data[static_cast<std::size_t>(r * columns + i)] - mean) / std::sqrt(square + 1e-5)) * scale(r, i) +
                               bias(r, i));
        }
        return want;
    };
    const Tensor scale = random({6}, 2);
    const Tensor bias = random({6}, 3);
    const auto at = [](const Tensor& t, std::int64_t i) { return t.data<float>()[static_cast<std::size_t>(i)]; };
    expectClose(valuesOf({"LayerNormalization", {variable(x), constant(scale), constant(bias)}, {x.dims()}}),
                normalize(
                    12, [&](auto, auto i) { return at(scale, i); }, [&](auto, auto i) { return at(bias, i); }));
    expectClose(valuesOf({"LayerNormalization", {variable(x), variable(scale)}, {x.dims()}}),
                normalize(
                    12, [&](auto, auto i) { return at(scale, i); }, [](auto, auto) { return 0.0F; }));
    const Tensor wide = random({4, 6}, 4);
    NodeCase twoAxes("LayerNormalization", {variable(x), constant(wide), constant(wide)}, {x.dims()});
    twoAxes.with("axis", std::int64_t{1});
    expectClose(valuesOf(twoAxes), normalize(
                                       3, [&](auto, auto i) { return at(wide, i); }, [&](auto, auto i) { return at(wide, i); }));
    const Tensor channels = random({4}, 5);
    expectClose(valuesOf({"InstanceNormalization", {variable(x), constant(channels), constant(channels)}, {x.dims()}}),
                normalize(
                    12, [&](auto r, auto) { return at(channels, r % 4); }, [&](auto r, auto) { return at(channels, r % 4); }));
}

TEST(OneDnnNormalization, LrnSumsOverNeighbouringChannels) {
    const Tensor x = random({2, 6, 3, 3}, 1);
    std::vector<float> want;
    forEachIndex(x.dims(), [&](const Dims& i) {
        double sum = 0;
        for (std::int64_t k = std::max<std::int64_t>(0, i[1] - 1); k <= std::min<std::int64_t>(5, i[1] + 1); ++k)
            sum += std::pow(spreadAt(x, {i[0], k, i[2], i[3]}), 2);
        want.push_back(static_cast<float>(spreadAt(x, i) / std::pow(2.0 + 0.3 / 3 * sum, 0.75)));
    });
    NodeCase c("LRN", {variable(x)}, {x.dims()});
    c.with("size", std::int64_t{3}).with("alpha", 0.3F).with("bias", 2.0F);
    expectClose(valuesOf(c), want);
}

std::vector<float> naiveSoftmax(const Tensor& x, std::int64_t outer, std::int64_t length, std::int64_t inner, bool logarithm) {
    std::vector<float> y(static_cast<std::size_t>(x.count()));
    for (std::int64_t o = 0; o < outer; ++o)
        for (std::int64_t i = 0; i < inner; ++i) {
            const auto at = [&](std::int64_t k) { return static_cast<std::size_t>((o * length + k) * inner + i); };
            double sum = 0;
            for (std::int64_t k = 0; k < length; ++k)
                sum += std::exp(static_cast<double>(x.data<float>()[at(k)]));
            for (std::int64_t k = 0; k < length; ++k) {
                const double share = std::exp(static_cast<double>(x.data<float>()[at(k)])) / sum;
                y[at(k)] = static_cast<float>(logarithm ? std::log(share) : share);
            }
        }
    return y;
}

TEST(OneDnnSoftmax, FollowsTheOpset) {
    const Tensor x = random({2, 3, 4, 5}, 1);
    for (const char* op : {"Softmax", "LogSoftmax"}) {
        const bool logarithm = op[0] == 'L';
        expectClose(valuesOf({op, {variable(x)}, {x.dims()}}), naiveSoftmax(x, 24, 5, 1, logarithm));
        NodeCase middle(op, {variable(x)}, {x.dims()});
        middle.with("axis", std::int64_t{-3});
        expectClose(valuesOf(middle), naiveSoftmax(x, 2, 3, 20, logarithm));
        NodeCase old(op, {variable(x)}, {x.dims()});
        old.opset(11).with("axis", std::int64_t{2});
        expectClose(valuesOf(old), naiveSoftmax(x, 6, 20, 1, logarithm));
        NodeCase oldDefault(op, {variable(x)}, {x.dims()});
        expectClose(valuesOf(oldDefault.opset(9)), naiveSoftmax(x, 2, 60, 1, logarithm));
    }
    EXPECT_FALSE(ask(NodeCase("Softmax", {variable(x)}, {x.dims()}).with("axis", std::int64_t{7})).supported);
}

}  // namespace
}  // namespace hs::test
