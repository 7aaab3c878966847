// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <gtest/gtest.h>

#include "core/run/digest.h"
#include "core/run/profiled_run.h"
#include "tests/unit/plan_support.h"

namespace hs {
namespace {

using test::floats;
using test::ModelMaker;

ModelPtr tokens(ModelMaker& maker) {
    maker.input("ids", {TypeKind::Tensor, DType::I64, Shape({Dim(std::string("N")), Dim(std::string("seq_len"))})});
    maker.constant("table", Tensor::of<float>({5, 2}, std::vector<float>(10, 1.0F)));
    maker.node("Gather", {"table", "ids"}, {"y"});
    maker.output("y");
    return maker.build();
}

TEST(MakeInputs, BindsWhatNothingBinds) {
    ModelMaker maker;
    const ModelPtr model = tokens(maker);
    EXPECT_EQ(makeInputs(*model, {}, {}, 1)->at(maker.id("ids")).dims(), (Dims{1, 16}));
    EXPECT_EQ(makeInputs(*model, {{"N", 3}, {"seq_len", 4}}, {}, 1)->at(maker.id("ids")).dims(), (Dims{3, 4}));
    const auto unknown = makeInputs(*model, {{"M", 3}}, {}, 1);
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().code, ErrorCode::BadRequest);
    EXPECT_NE(unknown.error().message.find("N, seq_len"), std::string::npos);
}

TEST(MakeInputs, IndicesStayInsideOfWhatTheyIndex) {
    ModelMaker maker;
    const ModelPtr model = tokens(maker);
    const auto inputs = makeInputs(*model, {{"N", 100}}, {}, 1);
    ASSERT_TRUE(inputs);
    const auto ids = inputs->at(maker.id("ids")).data<std::int64_t>();
    EXPECT_EQ(*std::min_element(ids.begin(), ids.end()), 0);
    EXPECT_EQ(*std::max_element(ids.begin(), ids.end()), 4);
}

TEST(MakeInputs, TheSeedDecides) {
    ModelMaker maker;
    maker.input("x", floats({64}));
    maker.node("Relu", {"x"}, {"y"});
    maker.output("y");
    const ModelPtr model = maker.build();
    const auto digest = [&](std::uint64_t seed) { return sha256Of(makeInputs(*model, {}, {}, seed)->at(maker.id("x"))); };
    EXPECT_EQ(digest(7), digest(7));
    EXPECT_NE(digest(7), digest(8));
}

TEST(MakeInputs, AGivenInputBindsTheOthers) {
    ModelMaker maker;
    maker.input("a", floats({Dim(std::string("N"))}));
    maker.input("b", floats({Dim(std::string("N")), 2}));
    maker.node("Relu", {"a"}, {"y"});
    maker.output("y");
    const ModelPtr model = maker.build();
    const Tensor a = Tensor::of<float>({5}, std::vector<float>(5, 0.0F));
    EXPECT_EQ(makeInputs(*model, {}, {{maker.id("a"), a}}, 1)->at(maker.id("b")).dims(), (Dims{5, 2}));
    EXPECT_FALSE(makeInputs(*model, {{"N", 4}}, {{maker.id("a"), a}}, 1));
    DimBindings dims;
    ASSERT_TRUE(bindBatch(*model, 8, dims));
    EXPECT_EQ(dims.at("N"), 8);
}

TEST(Sha256, IsThatOfThePackedBytes) {
    const std::vector<std::uint8_t> abc = {'a', 'b', 'c'};
    EXPECT_EQ(sha256Of(Tensor::of<std::uint8_t>({3}, abc)), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(LatencyStats, OfAKnownSample) {
    const LatencyStats stats = latencyStats({4, 1, 3, 2, 5});
    EXPECT_EQ(stats.runs, 5);
    EXPECT_DOUBLE_EQ(stats.medianMs, 3);
    EXPECT_DOUBLE_EQ(stats.meanMs, 3);
    EXPECT_DOUBLE_EQ(stats.minMs, 1);
    EXPECT_DOUBLE_EQ(stats.p90Ms, 4.6);
    EXPECT_NEAR(stats.stddevMs, 1.5811388, 1e-6);
    EXPECT_EQ(latencyStats({}).runs, 0);
}

}  // namespace
}  // namespace hs
