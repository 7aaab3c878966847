// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "core/plan/placement.h"
#include "tests/unit/plan_support.h"

namespace hs {
namespace {

using test::floats;
using test::ListedExecutor;
using test::makeDevice;
using test::ModelMaker;

PlanRequest chain(ModelMaker& maker) {
    maker.input("x", floats({1, 64}));
    maker.node("Relu", {"x"}, {"a"}, {}, GraphId(0), "first");
    maker.node("Sigmoid", {"a"}, {"b"}, {}, GraphId(0), "second");
    maker.node("Relu", {"b"}, {"y"}, {}, GraphId(0), "third");
    maker.output("y");
    PlanRequest request;
    request.model = maker.build();
    const auto fast = std::make_shared<ListedExecutor>("fast", std::set<std::string>{"Relu"});
    const auto reference = std::make_shared<ListedExecutor>("reference", std::set<std::string>{"*"});
    request.devices = {makeDevice("cpu", {fast, reference})};
    return request;
}

Rule rule(Match match, std::string device, std::string executor) {
    return {std::move(match), std::move(device), std::move(executor), true, 7};
}

TEST(Glob, MatchesStarsAndQuestionMarks) {
    EXPECT_TRUE(globMatches("*", ""));
    EXPECT_TRUE(globMatches("/a/*/c", "/a/b/b/c"));
    EXPECT_TRUE(globMatches("conv_?", "conv_1"));
    EXPECT_FALSE(globMatches("conv_?", "conv_12"));
    EXPECT_FALSE(globMatches("a*b", "ac"));
}

TEST(MakePlan, TakesTheBestExecutorAndSaysWhyNotTheOthers) {
    ModelMaker maker;
    const auto plan = makePlan(chain(maker));
    ASSERT_TRUE(plan) << plan.error().text();
    ASSERT_EQ(plan->steps.size(), 3U);
    EXPECT_EQ(plan->steps[0].executor, "fast");
    EXPECT_EQ(plan->steps[1].executor, "reference");
    const Decision& second = plan->decisions[1];
    ASSERT_EQ(second.rejected.size(), 1U);
    EXPECT_EQ(second.rejected[0].code, "kernel.operator");
    EXPECT_EQ(second.reason.code, "plan.best_available");
}

TEST(MakePlan, TheLastMatchingRuleWins) {
    ModelMaker maker;
    PlanRequest request = chain(maker);
    request.edits.rules = {rule({.node = "", .pattern = "", .opType = "Relu"}, "", "reference"),
                           rule({.node = "third", .pattern = "", .opType = ""}, "", "fast")};
    const auto plan = makePlan(request);
    ASSERT_TRUE(plan) << plan.error().text();
    EXPECT_EQ(plan->steps[0].executor, "reference");
    EXPECT_EQ(plan->decisions[0].reason, (Reason{"plan.pinned", {"1"}}));
    EXPECT_EQ(plan->steps[2].executor, "fast");
    EXPECT_EQ(plan->decisions[2].reason, (Reason{"plan.pinned", {"2"}}));
    request.edits.rules[1].enabled = false;
    EXPECT_EQ(makePlan(request)->steps[2].executor, "reference");
}

TEST(MakePlan, FallsBackWhenThePinnedDeviceCannot) {
    ModelMaker maker;
    PlanRequest request = chain(maker);
    request.devices.insert(request.devices.begin(), makeDevice("gpu:0", {std::make_shared<ListedExecutor>("fast", std::set<std::string>{"Relu"})}));
    request.edits.rules = {rule({.node = "second", .pattern = "", .opType = ""}, "gpu:0", "")};
    const auto plan = makePlan(request);
    ASSERT_TRUE(plan) << plan.error().text();
    EXPECT_EQ(plan->decisions[1].device, "cpu");
    EXPECT_EQ(plan->decisions[1].reason, (Reason{"plan.fallback", {"gpu:0", "cpu"}}));
    ASSERT_EQ(plan->transfers.size(), 2U);
    EXPECT_EQ(plan->transfers[0].toDevice, "cpu");
    EXPECT_EQ(plan->transfers[0].bytes, 256U);
}

TEST(MakePlan, RulesThatNameNothingAreErrorsWithTheirLine) {
    ModelMaker maker;
    PlanRequest request = chain(maker);
    for (const Rule& bad : {rule({.node = "fourth", .pattern = "", .opType = ""}, "cpu", ""), rule({.node = "", .pattern = "", .opType = "Relu"}, "tpu", ""),
                            rule({.node = "", .pattern = "", .opType = "Relu"}, "", "slow"), rule({.node = "", .pattern = "", .opType = "Relux"}, "cpu", "")}) {
        request.edits.rules = {bad};
        const auto plan = makePlan(request);
        ASSERT_FALSE(plan);
        EXPECT_EQ(plan.error().code, ErrorCode::BadRequest);
        EXPECT_EQ(plan.error().where, "config line 7");
    }
}

TEST(MakePlan, NamesOperatorsThatNobodyRuns) {
    ModelMaker maker;
    PlanRequest request = chain(maker);
    request.devices[0].executors.pop_back();
    const auto plan = makePlan(request);
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.error().code, ErrorCode::Unsupported);
    EXPECT_NE(plan.error().message.find("Sigmoid (domain ai.onnx) at \"second\""), std::string::npos) << plan.error().message;
    EXPECT_EQ(plan.error().message.find("Relu"), std::string::npos);
}

TEST(MakePlan, CallersTensorsGetNoArenaSlot) {
    ModelMaker maker;
    const auto plan = makePlan(chain(maker));
    ASSERT_TRUE(plan);
    const DeviceMemoryPlan& memory = plan->memory[0];
    ASSERT_EQ(memory.slots.size(), 2U);
    EXPECT_EQ(memory.slots[0].value, maker.id("a"));
    EXPECT_EQ(memory.slots[0].firstStep, 0U);
    EXPECT_EQ(memory.slots[0].lastStep, 1U);
    EXPECT_EQ(memory.arenaBytes, 512U);
    EXPECT_EQ(memory.lowerBoundBytes, 512U);
}

TEST(MakePlan, ViewsNeedNoExecutor) {
    ModelMaker maker;
    maker.input("x", floats({2, 32}));
    maker.constant("shape", Tensor::of<std::int64_t>({1}, std::vector<std::int64_t>{64}));
    maker.node("Relu", {"x"}, {"a"});
    maker.node("Reshape", {"a", "shape"}, {"flat"});
    maker.node("Sigmoid", {"x"}, {"b"});
    maker.node("Relu", {"flat"}, {"c"});
    maker.node("Reshape", {"b", "shape"}, {"bflat"});
    maker.node("Add", {"c", "bflat"}, {"y"});
    maker.output("y");
    PlanRequest request;
    request.model = maker.build();
    request.devices = {makeDevice("cpu", {std::make_shared<ListedExecutor>("reference", std::set<std::string>{"Relu", "Add", "Sigmoid"})})};
    const auto plan = makePlan(request);
    ASSERT_TRUE(plan) << plan.error().text();
    EXPECT_EQ(plan->steps[1].executor, "host");
    EXPECT_EQ(plan->decisions[1].reason.code, "plan.view");
    const auto& slots = plan->memory[0].slots;
    ASSERT_EQ(slots.size(), 3U);  // a, b and c: the views have none of their own
    EXPECT_EQ(slots[0].value, maker.id("a"));
    EXPECT_EQ(slots[0].lastStep, 3U);  // read through the view
}

}  // namespace
}  // namespace hs
