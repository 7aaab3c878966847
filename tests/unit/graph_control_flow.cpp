// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/unit/graph_support.h"

namespace hs {
namespace {

using namespace test;

/// An If whose branches cast or concatenate the outer x.
struct Branches {
    Net net;
    GraphId yes, no;
    ModelPtr model;

    explicit Branches(bool constantCondition) {
        net.input("x", f32({sym("N"), 4}));
        if (constantCondition) {
            Tensor flag = Tensor::allocate(DType::Bool, {}).value();
            *static_cast<std::uint8_t*>(flag.raw()) = 1;
            net.constant("cond", flag);
        } else {
            net.input("cond", tensor(DType::Bool, {}));
        }
        yes = net.builder.addGraph("yes");
        no = net.builder.addGraph("no");
        net.graph = yes;
        net.node("Relu", {"x"}, {"a"}).output("a");
        net.graph = no;
        net.node("Concat", {"x", "x"}, {"b"}, {{"axis", std::int64_t{1}}}).output("b");
        net.graph = GraphId(0);
        net.node("If", {"cond"}, {"y"}, {{"then_branch", yes}, {"else_branch", no}}).output("y");
        model = net.build();
    }
};

TEST(ControlFlow, BranchesAreMerged) {
    Branches b(false);
    const auto types = inferTypes(*b.model);
    ASSERT_TRUE(types) << types.error().text();
    EXPECT_EQ(types->type(b.net.ids["y"]).text(), "float32[N,?]");
    EXPECT_EQ(types->type(b.net.ids["b"]).text(), "float32[N,8]");
}

TEST(ControlFlow, AKnownConditionChoosesTheBranch) {
    Branches b(true);
    EXPECT_EQ(inferTypes(*b.model)->type(b.net.ids["y"]).text(), "float32[N,4]");
}

/// A loop that appends to `acc` (or not) and scans a slice out.
Net loopNet(bool grows) {
    Net net;
    net.input("x", f32({2, 4})).constant("trips", Tensor::scalar<std::int64_t>(5));
    const GraphId body = net.builder.addGraph("body");
    net.graph = body;
    net.input("i", tensor(DType::I64, {})).input("c", tensor(DType::Bool, {})).input("acc", {TypeKind::Tensor, DType::F32, Shape()});
    net.node("Identity", {"c"}, {"c2"});
    if (grows)
        net.node("Concat", {"acc", "x"}, {"acc2"}, {{"axis", std::int64_t{0}}});
    else
        net.node("Add", {"acc", "x"}, {"acc2"});
    net.node("Relu", {"x"}, {"row"}).output("c2").output("acc2").output("row");
    net.graph = GraphId(0);
    net.node("Loop", {"trips", "", "x"}, {"final", "rows"}, {{"body", body}}).output("final").output("rows");
    return net;
}

TEST(ControlFlow, LoopKeepsSettledShapesAndCountsTrips) {
    Net net = loopNet(false);
    const auto model = net.build();
    const auto types = inferTypes(*model);
    ASSERT_TRUE(types) << types.error().text();
    EXPECT_EQ(types->type(net.ids["final"]).text(), "float32[2,4]");
    EXPECT_EQ(types->type(net.ids["rows"]).text(), "float32[5,2,4]");
}

TEST(ControlFlow, LoopThatGrowsForgetsTheSize) {
    Net net = loopNet(true);
    const auto model = net.build();
    const auto types = inferTypes(*model);
    ASSERT_TRUE(types) << types.error().text();
    EXPECT_EQ(types->type(net.ids["final"]).text(), "float32[?,4]");
}

TEST(ControlFlow, ScanSlicesItsInputs) {
    Net net;
    net.input("init", f32({3})).input("xs", f32({7, 3}));
    const GraphId body = net.builder.addGraph("body");
    net.graph = body;
    net.input("s", {TypeKind::Tensor, DType::F32, Shape()}).input("x", {TypeKind::Tensor, DType::F32, Shape()});
    net.node("Add", {"s", "x"}, {"s2"}).node("Relu", {"s2"}, {"o"}).output("s2").output("o");
    net.graph = GraphId(0);
    net.node("Scan", {"init", "xs"}, {"final", "all"},
             {{"body", body}, {"num_scan_inputs", std::int64_t{1}}, {"scan_output_axes", std::vector<std::int64_t>{1}}});
    const auto model = net.output("final").output("all").build();
    const auto types = inferTypes(*model);
    ASSERT_TRUE(types) << types.error().text();
    EXPECT_EQ(types->type(net.ids["final"]).text(), "float32[3]");
    EXPECT_EQ(types->type(net.ids["all"]).text(), "float32[3,7]");
}

}  // namespace
}  // namespace hs
