// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/unit/graph_support.h"

namespace hs {
namespace {

using namespace test;
using Ints = std::vector<std::int64_t>;

NodeCost costOf(Net& net) {
    const auto model = net.build();
    const auto types = inferTypes(*model);
    EXPECT_TRUE(types) << types.error().text();
    return nodeCost(*model, model->nodes().front(), *types);
}

TEST(Cost, ConvolutionCountsTwoPerMultiplyAdd) {
    Net net;
    net.input("x", f32({1, 3, 224, 224})).input("w", f32({64, 3, 7, 7}));
    net.node("Conv", {"x", "w"}, {"y"}, {{"strides", Ints{2, 2}}, {"pads", Ints{3, 3, 3, 3}}});
    const NodeCost cost = costOf(net);
    EXPECT_DOUBLE_EQ(cost.flops, 2.0 * 64 * 112 * 112 * 3 * 49);
    EXPECT_DOUBLE_EQ(cost.bytes, 4.0 * (3 * 224 * 224 + 64 * 3 * 49 + 64 * 112 * 112));
}

TEST(Cost, DepthwiseConvolutionCountsOneChannel) {
    Net net;
    net.input("x", f32({1, 8, 10, 10})).input("w", f32({8, 1, 3, 3}));
    net.node("Conv", {"x", "w"}, {"y"}, {{"group", std::int64_t{8}}});
    EXPECT_DOUBLE_EQ(costOf(net).flops, 2.0 * 8 * 8 * 8 * 9);
}

TEST(Cost, Products) {
    Net a;
    a.input("x", f32({2, 12, 7, 64})).input("w", f32({2, 12, 64, 7}));
    a.node("MatMul", {"x", "w"}, {"y"});
    EXPECT_DOUBLE_EQ(costOf(a).flops, 2.0 * 2 * 12 * 7 * 7 * 64);
    Net b;
    b.input("x", f32({4, 8})).input("w", f32({16, 8})).input("c", f32({16}));
    b.node("Gemm", {"x", "w", "c"}, {"y"}, {{"transB", std::int64_t{1}}});
    EXPECT_DOUBLE_EQ(costOf(b).flops, 2.0 * 4 * 16 * 8 + 64);
    Net c;
    c.input("x", f32({5, 2, 8})).input("w", f32({1, 64, 8})).input("r", f32({1, 64, 16}));
    c.node("LSTM", {"x", "w", "r"}, {"y"}, {{"hidden_size", std::int64_t{16}}});
    EXPECT_DOUBLE_EQ(costOf(c).flops, 5.0 * 2 * 64 * 2 * (8 + 16));
}

TEST(Cost, MovingDataIsFreeAndTheRestCountsElements) {
    Net a;
    a.input("x", f32({4, 8})).node("Transpose", {"x"}, {"y"});
    EXPECT_DOUBLE_EQ(costOf(a).flops, 0);
    Net b;
    b.input("x", f32({4, 8})).node("Relu", {"x"}, {"y"});
    EXPECT_DOUBLE_EQ(costOf(b).flops, 32);
    Net c;
    c.input("x", f32({1, 1, 8, 8})).node("MaxPool", {"x"}, {"y"}, {{"kernel_shape", Ints{2, 2}}, {"strides", Ints{2, 2}}});
    EXPECT_DOUBLE_EQ(costOf(c).flops, 64);
    Net d;
    d.input("x", f32({sym("N"), 8})).node("Relu", {"x"}, {"y"});
    EXPECT_DOUBLE_EQ(costOf(d).flops, 0) << "not static";
}

}  // namespace
}  // namespace hs
