// SPDX-License-Identifier: Apache-2.0
// What the executor accepts must be exact over all floats, not only around zero: |error| ≤ 1e-5 of the value + 1e-7, and the
// same infinities and NaN as the definition in double precision.
#include <bit>
#include <cmath>
#include <limits>

#include "tests/unit/onednn_harness.h"

namespace hs::test {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// All magnitudes from denormal to the largest, both signs; finer steps around 0; the special values.
const std::vector<float>& manyFloats() {
    static const std::vector<float> kAll = [] {
        std::vector<float> all = {0, -0.0F, kInf, -kInf, kNan, 1, -1, 0.5F, 1.5F, 2.5F, -0.5F, -1.5F, -2.5F};
        for (std::uint32_t bits = 1; bits < 0x7F800000U; bits += 99991) {
            all.push_back(std::bit_cast<float>(bits));
            all.push_back(-all.back());
        }
        for (int i = -60000; i <= 60000; ++i)
            all.push_back(static_cast<float>(i) * 0.0017F);
        return all;
    }();
    return kAll;
}

bool exact(float got, double want) {
    const auto rounded = static_cast<float>(want);
    if (std::isnan(rounded)) return std::isnan(got);
    if (std::isinf(rounded) || std::isinf(got)) return got == rounded;
    return std::abs(got - want) <= 1e-5 * std::abs(want) + 1e-7;
}

void expectExact(NodeCase c, const std::function<double(double)>& f) {
    const std::vector<float>& x = manyFloats();
    const Dims dims = {static_cast<std::int64_t>(x.size())};
    c.inputs[0] = variable(floats(dims, x));
    c.outputs = {dims};
    const auto outcome = runCase(c);
    ASSERT_TRUE(ask(c).supported && outcome) << c.node.opType;
    const auto y = outcome->outputs[0].data<float>();
    int bad = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
        if (!exact(y[i], f(x[i])) && ++bad <= 3) ADD_FAILURE() << c.node.opType << " of " << x[i] << " is " << y[i] << ", want " << f(x[i]);
    EXPECT_EQ(bad, 0) << c.node.opType;
}

NodeCase unary(const char* op) {
    return {op, {absent()}, {{}}};
}

NodeCase pow(float exponent) {
    return {"Pow", {absent(), constant(floats({}, {exponent}))}, {{}}};
}

double clamp(double x, double low, double high) {
    return std::isnan(x) ? x : std::fmin(std::fmax(x, low), high);
}

TEST(OneDnnExactness, FunctionsAreExactOverAllFloats) {
    expectExact(unary("Relu"), [](double x) { return clamp(x, 0, INFINITY); });
    expectExact(unary("LeakyRelu"), [](double x) { return x < 0 ? double{0.01F} * x : x; });
    expectExact(unary("LeakyRelu").with("alpha", 0.0F), [](double x) { return clamp(x, 0, INFINITY); });
    expectExact(unary("Elu"), [](double x) { return x > 0 ? x : std::expm1(x); });
    expectExact(unary("Sigmoid"), [](double x) { return 1 / (1 + std::exp(-x)); });
    expectExact(unary("Tanh"), [](double x) { return std::tanh(x); });
    expectExact(unary("Exp"), [](double x) { return std::exp(x); });
    expectExact(unary("Sqrt"), [](double x) { return std::sqrt(x); });
    expectExact(unary("Abs"), [](double x) { return std::abs(x); });
    expectExact(unary("Neg"), [](double x) { return -x; });
    expectExact(unary("Reciprocal"), [](double x) { return 1 / x; });
    expectExact(unary("Round"), [](double x) { return std::nearbyint(x); });
    expectExact(unary("HardSwish"), [](double x) { return x * clamp(x / 6 + 0.5, 0, 1); });
    expectExact(unary("HardSigmoid"), [](double x) { return clamp(double{0.2F} * x + 0.5, 0, 1); });
    expectExact({"Clip", {absent(), constant(floats({}, {-1})), constant(floats({}, {6}))}, {{}}}, [](double x) { return clamp(x, -1, 6); });
    for (const float exponent : {2.0F, 3.0F, -2.0F, 1.0F, 0.0F, 2.5F, -0.5F})
        expectExact(pow(exponent), [&](double x) { return std::pow(x, exponent); });
    expectExact(unary("Gelu").opset(20).with("approximate", std::string("tanh")),
                [](double x) { return x / (1 + std::exp(-2 * std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x))); });
}

TEST(OneDnnExactness, RefusesWhatOneDnnComputesInexactly) {
    for (const char* op : {"Log", "Softplus", "Mish", "Gelu"})
        EXPECT_FALSE(ask({op, {variable(random({3}))}, {{3}}}).supported) << op;
    for (const char* op : {"ReduceMax", "ReduceMin"})
        EXPECT_FALSE(ask({op, {variable(floats({1, 2}, {-kInf, -kInf}))}, {{1, 1}}}).supported) << op << " would start at the largest finite value";
    EXPECT_FALSE(ask({"Pow", {variable(random({3})), constant(floats({}, {0.5F}))}, {{3}}}).supported);
}

TEST(OneDnnExactness, MinAndMaxKeepNanOfEitherSide) {
    const Tensor x = floats({2, 3}, {kNan, 1, -kInf, 4, kNan, kInf});
    const Tensor y = floats({2, 3}, {0, kNan, -kInf, 5, 2, 1});
    const Tensor row = floats({3}, {1, kNan, 0});
    const auto nanAt = [](const std::vector<float>& values) {
        std::vector<std::size_t> at;
        for (std::size_t i = 0; i < values.size(); ++i)
            if (std::isnan(values[i])) at.push_back(i);
        return at;
    };
    const auto first = [](const NodeCase& c) {
        const auto kernel = runCase(c, 1);
        return kernel ? toVector(kernel->outputs[0]) : std::vector<float>{};
    };
    using At = std::vector<std::size_t>;
    for (const char* op : {"Min", "Max"}) {
        EXPECT_EQ(nanAt(first({op, {variable(x), variable(y)}, {{2, 3}}})), (At{0, 1, 4})) << op;
        EXPECT_EQ(nanAt(first({op, {variable(x), variable(row)}, {{2, 3}}})), (At{0, 1, 4})) << op;
        EXPECT_EQ(nanAt(first({op, {variable(row), variable(x)}, {{2, 3}}})), (At{0, 1, 4})) << op;
    }
    EXPECT_EQ(first({"Max", {variable(x), variable(y)}, {{2, 3}}})[2], -kInf);
}

}  // namespace
}  // namespace hs::test
