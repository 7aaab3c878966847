// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "core/rewrite/overlay.h"
#include "tests/unit/graph_support.h"

namespace hs {
namespace {

using namespace test;
using Fate = Overlay::Fate;
using Ints = std::vector<std::int64_t>;

struct Simplified {
    ModelPtr model;
    Overlay overlay;
    Fate fate(const char* node) const { return overlay.fate[model->findNode(node).index()]; }
    const Tensor* constant(ValueId id) const {
        for (const auto& [value, tensor] : overlay.constants)
            if (value == id) return &tensor;
        return nullptr;
    }
};

Simplified simplified(Net& net, const InferOptions& options = {}) {
    Simplified out{net.build(), {}};
    const auto types = inferTypes(*out.model, options);
    EXPECT_TRUE(types) << types.error().text();
    out.overlay = simplify(*out.model, *types);
    return out;
}

TEST(Simplify, FoldsEveryFormOfConstant) {
    Net net;
    net.node("Constant", {}, {"t"}, {{"value", ints({7, 8})}}).node("Constant", {}, {"i"}, {{"value_int", std::int64_t{3}}});
    net.node("Constant", {}, {"is"}, {{"value_ints", Ints{1, 2}}}).node("Constant", {}, {"f"}, {{"value_float", 1.5F}});
    net.node("Constant", {}, {"fs"}, {{"value_floats", std::vector<float>{2.5F}}}).node("Constant", {}, {"s"}, {{"value_string", std::string("a")}});
    net.node("Constant", {}, {"ss"}, {{"value_strings", std::vector<std::string>{"b", "c"}}});
    for (const auto* name : {"t", "i", "is", "f", "fs", "s", "ss"})
        net.output(name);
    const Simplified out = simplified(net);
    ASSERT_EQ(out.overlay.constants.size(), 7U);
    EXPECT_EQ(toInt64s(*out.constant(net.ids["t"])), (Ints{7, 8}));
    EXPECT_EQ(out.constant(net.ids["i"])->rank(), 0U);
    EXPECT_EQ(out.constant(net.ids["f"])->data<float>()[0], 1.5F);
    EXPECT_EQ(out.constant(net.ids["ss"])->data<std::string>()[1], "c");
    EXPECT_EQ(out.overlay.reason[0].code, "plan.folded");
}

TEST(Simplify, FoldsShapesOnlyWhenTheyAreKnown) {
    Net net;
    net.input("x", f32({sym("N"), 6})).node("Shape", {"x"}, {"s"}).node("Reshape", {"x", "s"}, {"y"}).output("y");
    Net same = net;
    EXPECT_EQ(simplified(net).fate("Shape_0"), Fate::Live);
    const Simplified out = simplified(same, {{{"N", 2}}, {}, {}});
    EXPECT_EQ(out.fate("Shape_0"), Fate::Folded);
    EXPECT_EQ(out.fate("Reshape_0"), Fate::Live);
    EXPECT_EQ(toInt64s(*out.constant(net.ids["s"])), (Ints{2, 6}));
}

TEST(Simplify, IdentityChainsStandForTheirRoot) {
    Net net;
    net.input("x", f32({2})).node("Relu", {"x"}, {"a"}).node("Identity", {"a"}, {"b"}).node("Identity", {"b"}, {"c"});
    net.node("Relu", {"c"}, {"d"}).node("Identity", {"d"}, {"y"}).output("y");
    const Simplified out = simplified(net);
    EXPECT_EQ(out.fate("Identity_0"), Fate::Eliminated);
    EXPECT_EQ(out.fate("Identity_1"), Fate::Eliminated);
    EXPECT_EQ(out.fate("Identity_2"), Fate::Live) << "its output is the graph's";
    EXPECT_EQ(out.fate("Relu_0"), Fate::Live);
    ASSERT_EQ(out.overlay.aliases.size(), 2U);
    EXPECT_EQ(out.overlay.aliases[1], (std::pair{net.ids["c"], net.ids["a"]}));
}

TEST(Simplify, IdentityOfAGraphInputStays) {
    Net net;
    net.input("x", f32({2})).node("Identity", {"x"}, {"a"}).node("Relu", {"a"}, {"y"}).output("y");
    EXPECT_EQ(simplified(net).fate("Identity_0"), Fate::Live);
}

TEST(Simplify, DropoutGoesUnlessItsMaskIsReadOrItTrains) {
    const auto fate = [](bool mask, bool trains) {
        Net net;
        net.input("x", f32({2})).node("Relu", {"x"}, {"a"});
        Tensor flag = Tensor::allocate(DType::Bool, {}).value();
        *static_cast<std::uint8_t*>(flag.raw()) = trains ? 1 : 0;
        net.constant("flag", flag).node("Dropout", {"a", "", "flag"}, {"b", "m"}).node("Relu", {"b"}, {"y"}).output("y");
        if (mask) net.output("m");
        return simplified(net).fate("Dropout_0");
    };
    EXPECT_EQ(fate(false, false), Fate::Eliminated);
    EXPECT_EQ(fate(true, false), Fate::Live);
    EXPECT_EQ(fate(false, true), Fate::Live);
}

TEST(Simplify, DropsWhatNobodyReads) {
    Net net;
    net.input("x", f32({2})).node("Relu", {"x"}, {"y"}).node("Exp", {"x"}, {"a"}).node("Log", {"a"}, {"b"}).output("y");
    const Simplified out = simplified(net);
    EXPECT_EQ(out.fate("Relu_0"), Fate::Live);
    EXPECT_EQ(out.fate("Exp_0"), Fate::Eliminated);
    EXPECT_EQ(out.fate("Log_0"), Fate::Eliminated);
    EXPECT_EQ(out.overlay.reason[out.model->findNode("Log_0").index()].code, "plan.eliminated");
}

TEST(Simplify, BodiesKeepWhatTheyCaptureAndLoseWhatIsDead) {
    Net net;
    net.input("x", f32({2})).input("cond", tensor(DType::Bool, {})).node("Exp", {"x"}, {"captured"}).node("Log", {"x"}, {"unused"});
    const GraphId yes = net.builder.addGraph("yes");
    const GraphId no = net.builder.addGraph("no");
    net.graph = yes;
    net.node("Identity", {"captured"}, {"same"}).node("Relu", {"same"}, {"a"}).node("Tanh", {"captured"}, {"dead"}).output("a");
    net.graph = no;
    net.node("Identity", {"x"}, {"b"}).output("b");
    net.graph = GraphId(0);
    net.node("If", {"cond"}, {"y"}, {{"then_branch", yes}, {"else_branch", no}}).output("y");
    const Simplified out = simplified(net);
    EXPECT_EQ(out.fate("Exp_0"), Fate::Live);
    EXPECT_EQ(out.fate("Log_0"), Fate::Eliminated);
    EXPECT_EQ(out.fate("Identity_0"), Fate::Eliminated);
    EXPECT_EQ(out.fate("Relu_0"), Fate::Live);
    EXPECT_EQ(out.fate("Tanh_0"), Fate::Eliminated);
    EXPECT_EQ(out.fate("Identity_1"), Fate::Live) << "a body's output";
    ASSERT_EQ(out.overlay.aliases.size(), 1U);
    EXPECT_EQ(out.overlay.aliases[0], (std::pair{net.ids["same"], net.ids["captured"]}));
}

}  // namespace
}  // namespace hs
