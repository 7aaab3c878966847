// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <limits>

#include "tests/unit/onednn_harness.h"

namespace hs::test {
namespace {

struct Geometry {
    Dims strides, dilations, begin;
    std::int64_t groups = 1;
};

/// The definition: y[n,o,p] = bias[o] + Σ x[n, g·I+i, p·s + k·d - begin] · w[o,i,k]
std::vector<float> naiveConvolution(const Tensor& x, const Tensor& w, const Tensor& bias, const Dims& out, const Geometry& g) {
    std::vector<float> y;
    const Dims kernel(w.dims().begin() + 1, w.dims().end());
    const auto outPerGroup = w.dims()[0] / g.groups;
    forEachIndex(out, [&](const Dims& p) {
        double sum = bias.valid() ? bias.data<float>()[static_cast<std::size_t>(p[1])] : 0.0;
        forEachIndex(kernel, [&](const Dims& k) {
            Dims at = {p[0], p[1] / outPerGroup * kernel[0] + k[0]};
            Dims from = {p[1]};
            from.insert(from.end(), k.begin(), k.end());
            for (std::size_t i = 0; i < g.strides.size(); ++i) {
                at.push_back(p[i + 2] * g.strides[i] + k[i + 1] * g.dilations[i] - g.begin[i]);
                if (at.back() < 0 || at.back() >= x.dims()[i + 2]) return;
            }
            sum += static_cast<double>(x.data<float>()[flatIndex(x.dims(), at)]) * w.data<float>()[flatIndex(w.dims(), from)];
        });
        y.push_back(static_cast<float>(sum));
    });
    return y;
}

/// The definition, scattered: every x[n,i,p] · w[i,o,k] lands at p·s + k·d - begin.
std::vector<float> naiveTransposed(const Tensor& x, const Tensor& w, const Dims& out, const Geometry& g) {
    std::vector<float> y(static_cast<std::size_t>(*elementCount(out)), 0.0F);
    const auto inPerGroup = w.dims()[0] / g.groups;
    const Dims kernel(w.dims().begin() + 1, w.dims().end());
    forEachIndex(x.dims(), [&](const Dims& p) {
        forEachIndex(kernel, [&](const Dims& k) {
            Dims to = {p[0], p[1] / inPerGroup * kernel[0] + k[0]};
            Dims from = {p[1]};
            from.insert(from.end(), k.begin(), k.end());
            for (std::size_t i = 0; i < g.strides.size(); ++i) {
                to.push_back(p[i + 2] * g.strides[i] + k[i + 1] * g.dilations[i] - g.begin[i]);
                if (to.back() < 0 || to.back() >= out[i + 2]) return;
            }
            y[flatIndex(out, to)] += x.data<float>()[flatIndex(x.dims(), p)] * w.data<float>()[flatIndex(w.dims(), from)];
        });
    });
    return y;
}

struct ConvParameters {
    Dims x, w, out, strides, dilations, pads;
    std::int64_t groups = 1;
    bool bias = false;
    bool constantWeights = true;
};

class Convolution : public ::testing::TestWithParam<ConvParameters> {};

TEST_P(Convolution, EqualsTheDefinition) {
    const ConvParameters& p = GetParam();
    const Tensor x = random(p.x, 1);
    const Tensor w = random(p.w, 2);
    const Tensor bias = p.bias ? random({p.w[0]}, 3) : Tensor();
    std::vector<Operand> operands = {variable(x), {w, p.constantWeights}};
    if (p.bias) operands.push_back(constant(bias));
    NodeCase c("Conv", operands, {p.out});
    c.ints("strides", p.strides).ints("dilations", p.dilations).ints("pads", p.pads).with("group", p.groups);
    const Dims begin(p.pads.begin(), p.pads.begin() + static_cast<std::ptrdiff_t>(p.pads.size() / 2));
    expectClose(valuesOf(c), naiveConvolution(x, w, bias, p.out, {p.strides, p.dilations, begin, p.groups}));
}

INSTANTIATE_TEST_SUITE_P(OneDnn, Convolution,
                         ::testing::Values(ConvParameters{{1, 3, 9, 11}, {8, 3, 3, 3}, {1, 8, 9, 11}, {1, 1}, {1, 1}, {1, 1, 1, 1}, 1, true},
                                           ConvParameters{{2, 16, 7, 7}, {32, 16, 3, 3}, {2, 32, 4, 4}, {2, 2}, {1, 1}, {1, 1, 1, 1}, 1, true},
                                           ConvParameters{{1, 7, 8, 5}, {5, 7, 1, 1}, {1, 5, 8, 5}, {1, 1}, {1, 1}, {0, 0, 0, 0}},
                                           ConvParameters{{1, 12, 6, 6}, {12, 1, 3, 3}, {1, 12, 6, 6}, {1, 1}, {1, 1}, {1, 1, 1, 1}, 12, true},
                                           ConvParameters{{1, 32, 5, 6}, {64, 8, 3, 3}, {1, 64, 5, 6}, {1, 1}, {1, 1}, {1, 1, 1, 1}, 4},
                                           ConvParameters{{1, 4, 10, 10}, {6, 4, 3, 2}, {1, 6, 6, 9}, {1, 1}, {2, 3}, {0, 1, 0, 1}, 1, true},
                                           ConvParameters{{1, 4, 10, 9}, {6, 4, 3, 3}, {1, 6, 11, 4}, {1, 2}, {1, 1}, {3, 0, 0, 0}, 1, false},
                                           ConvParameters{{2, 5, 17}, {3, 5, 4}, {2, 3, 9}, {2}, {1}, {2, 1}, 1, true},
                                           ConvParameters{{1, 2, 5, 6, 7}, {3, 2, 2, 3, 3}, {1, 3, 4, 6, 4}, {1, 1, 2}, {1, 1, 1}, {0, 1, 1, 0, 1, 1}, 1, true},
                                           ConvParameters{{1, 16, 6, 6}, {16, 16, 3, 3}, {1, 16, 4, 4}, {1, 1}, {1, 1}, {0, 0, 0, 0}, 1, true, false}));

TEST(OneDnnConvolution, AutoPadFollowsTheSpecification) {
    const Tensor x = random({1, 2, 6, 7}, 1);
    const Tensor w = random({3, 2, 4, 4}, 2);
    // SAME with stride 2: out = ceil(in / 2); total padding (out-1)·2+4-in = 2 and 3
    const std::pair<const char*, Dims> rules[] = {{"SAME_UPPER", {1, 1}}, {"SAME_LOWER", {1, 2}}};
    for (const auto& [rule, begin] : rules) {
        NodeCase c("Conv", {variable(x), constant(w)}, {{1, 3, 3, 4}});
        c.ints("strides", {2, 2}).with("auto_pad", std::string(rule));
        expectClose(valuesOf(c), naiveConvolution(x, w, {}, {1, 3, 3, 4}, {{2, 2}, {1, 1}, begin}));
    }
    NodeCase valid("Conv", {variable(x), constant(w)}, {{1, 3, 2, 2}});
    valid.ints("strides", {2, 2}).with("auto_pad", std::string("VALID"));
    expectClose(valuesOf(valid), naiveConvolution(x, w, {}, {1, 3, 2, 2}, {{2, 2}, {1, 1}, {0, 0}}));
}

TEST(OneDnnConvolution, NamesItsKernelAndItsPackedWeights) {
    NodeCase c("Conv", {variable(random({1, 16, 8, 8})), constant(random({16, 16, 3, 3}))}, {{1, 16, 6, 6}});
    const auto outcome = runCase(c);
    ASSERT_TRUE(outcome) << outcome.error().text();
    EXPECT_THAT(outcome->kernel, ::testing::StartsWith("onednn:convolution/"));
    EXPECT_GE(outcome->packedBytes, 16U * 16 * 9 * 4);
}

struct TransposedParameters {
    Dims x, w, out, strides, dilations, pads;
    std::int64_t groups = 1;
    Dims outputPadding = {};
};

class Transposed : public ::testing::TestWithParam<TransposedParameters> {};

TEST_P(Transposed, EqualsTheDefinition) {
    const TransposedParameters& p = GetParam();
    const Tensor x = random(p.x, 1);
    const Tensor w = random(p.w, 2);
    NodeCase c("ConvTranspose", {variable(x), constant(w)}, {p.out});
    c.ints("strides", p.strides).ints("dilations", p.dilations).ints("pads", p.pads).with("group", p.groups);
    if (!p.outputPadding.empty()) c.ints("output_padding", p.outputPadding);
    const Dims begin(p.pads.begin(), p.pads.begin() + static_cast<std::ptrdiff_t>(p.pads.size() / 2));
    expectClose(valuesOf(c), naiveTransposed(x, w, p.out, {p.strides, p.dilations, begin, p.groups}));
}

INSTANTIATE_TEST_SUITE_P(OneDnn, Transposed,
                         ::testing::Values(TransposedParameters{{1, 3, 5, 4}, {3, 6, 3, 3}, {1, 6, 7, 6}, {1, 1}, {1, 1}, {0, 0, 0, 0}},
                                           TransposedParameters{{2, 16, 4, 4}, {16, 8, 2, 2}, {2, 8, 8, 8}, {2, 2}, {1, 1}, {0, 0, 0, 0}},
                                           TransposedParameters{{1, 8, 4, 5}, {8, 3, 3, 3}, {1, 6, 8, 9}, {2, 2}, {1, 1}, {1, 1, 0, 1}, 2},
                                           TransposedParameters{{1, 4, 4, 4}, {4, 5, 3, 3}, {1, 5, 9, 10}, {2, 2}, {1, 1}, {0, 0, 0, 0}, 1, {0, 1}},
                                           TransposedParameters{{1, 4, 4, 4}, {4, 5, 3, 3}, {1, 5, 8, 8}, {1, 1}, {2, 2}, {0, 0, 0, 0}},
                                           TransposedParameters{{1, 4, 6}, {4, 2, 3}, {1, 2, 13}, {2}, {1}, {0, 0}}));

TEST(OneDnnTransposed, SplitsThePaddingThatOutputShapeImplies) {
    const Tensor x = random({1, 2, 3, 3}, 1);
    const Tensor w = random({2, 2, 3, 3}, 2);
    // (3-1)·3+3 = 9 against 8 wanted: one row and column to cut, which ONNX takes at the beginning unless SAME_UPPER
    NodeCase c("ConvTranspose", {variable(x), constant(w)}, {{1, 2, 8, 8}});
    c.ints("strides", {3, 3}).ints("output_shape", {8, 8});
    expectClose(valuesOf(c), naiveTransposed(x, w, {1, 2, 8, 8}, {{3, 3}, {1, 1}, {1, 1}}));
    c.with("auto_pad", std::string("SAME_UPPER"));
    expectClose(valuesOf(c), naiveTransposed(x, w, {1, 2, 8, 8}, {{3, 3}, {1, 1}, {0, 0}}));
}

enum class Pool { Max, Average, AverageWithPadding };

std::vector<float> naivePool(const Tensor& x, const Dims& kernel, const Dims& out, const Geometry& g, Pool kind) {
    std::vector<float> y;
    forEachIndex(out, [&](const Dims& p) {
        double sum = 0;
        double most = -std::numeric_limits<double>::infinity();
        int inside = 0;
        forEachIndex(kernel, [&](const Dims& k) {
            Dims at = {p[0], p[1]};
            for (std::size_t i = 0; i < kernel.size(); ++i) {
                at.push_back(p[i + 2] * g.strides[i] + k[i] * g.dilations[i] - g.begin[i]);
                if (at.back() < 0 || at.back() >= x.dims()[i + 2]) return;
            }
            const double value = x.data<float>()[flatIndex(x.dims(), at)];
            sum += value;
            most = std::max(most, value);
            ++inside;
        });
        if (kind == Pool::AverageWithPadding) inside = static_cast<int>(*elementCount(kernel));
        y.push_back(static_cast<float>(kind == Pool::Max ? most : sum / inside));
    });
    return y;
}

TEST(OneDnnPooling, EqualsTheDefinition) {
    const Tensor x = random({2, 5, 9, 8}, 1);
    for (const Pool kind : {Pool::Max, Pool::Average, Pool::AverageWithPadding}) {
        NodeCase c(kind == Pool::Max ? "MaxPool" : "AveragePool", {variable(x)}, {{2, 5, 5, 4}});
        c.ints("kernel_shape", {3, 2})
            .ints("strides", {2, 2})
            .ints("pads", {1, 0, 1, 0})
            .with("count_include_pad", std::int64_t{kind == Pool::AverageWithPadding});
        expectClose(valuesOf(c), naivePool(x, {3, 2}, {2, 5, 5, 4}, {{2, 2}, {1, 1}, {1, 0}}, kind));
        // ceil((9-3)/4)+1 = 3 and ceil((8-3)/3)+1 = 3: the last windows reach over the edge
        if (kind == Pool::AverageWithPadding) continue;
        NodeCase ceil(kind == Pool::Max ? "MaxPool" : "AveragePool", {variable(x)}, {{2, 5, 3, 3}});
        ceil.ints("kernel_shape", {3, 3}).ints("strides", {4, 3}).with("ceil_mode", std::int64_t{1});
        expectClose(valuesOf(ceil), naivePool(x, {3, 3}, {2, 5, 3, 3}, {{4, 3}, {1, 1}, {0, 0}}, kind));
    }
    NodeCase dilated("MaxPool", {variable(x)}, {{2, 5, 5, 6}});
    dilated.ints("kernel_shape", {3, 2}).ints("dilations", {2, 2});
    expectClose(valuesOf(dilated), naivePool(x, {3, 2}, {2, 5, 5, 6}, {{1, 1}, {2, 2}, {0, 0}}, Pool::Max));
    const Tensor line = random({1, 3, 10}, 2);
    NodeCase one("AveragePool", {variable(line)}, {{1, 3, 5}});
    one.ints("kernel_shape", {3}).ints("strides", {2}).ints("pads", {0, 1});
    expectClose(valuesOf(one), naivePool(line, {3}, {1, 3, 5}, {{2}, {1}, {0}}, Pool::Average));
}

TEST(OneDnnPooling, GlobalPoolsReduceAllSpatialAxes) {
    const Tensor x = random({2, 3, 5, 7}, 1);
    expectClose(valuesOf({"GlobalAveragePool", {variable(x)}, {{2, 3, 1, 1}}}), naivePool(x, {5, 7}, {2, 3, 1, 1}, {{1, 1}, {1, 1}, {0, 0}}, Pool::Average));
    const Tensor point = random({2, 3, 1, 1}, 1);
    expectClose(valuesOf({"GlobalAveragePool", {variable(point)}, {{2, 3, 1, 1}}}), toVector(point));
}

TEST(OneDnnPooling, SaysWhatItCannot) {
    NodeCase indices("MaxPool", {variable(random({1, 1, 4, 4}))}, {{1, 1, 2, 2}, {1, 1, 2, 2}});
    indices.ints("kernel_shape", {2, 2}).ints("strides", {2, 2});
    EXPECT_FALSE(ask(indices).supported);
    NodeCase both("AveragePool", {variable(random({1, 1, 5, 5}))}, {{1, 1, 3, 3}});
    both.ints("kernel_shape", {2, 2}).ints("strides", {2, 2}).with("ceil_mode", std::int64_t{1}).with("count_include_pad", std::int64_t{1});
    EXPECT_THAT(ask(both).reason.text(), ::testing::HasSubstr("ceil_mode"));
}

}  // namespace
}  // namespace hs::test
