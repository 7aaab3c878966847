// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <numeric>

#include "core/exec/runner.h"
#include "executors/reference/reference_executor.h"
#include "tests/unit/plan_support.h"

namespace hs {
namespace {

using test::floats;
using test::ListedExecutor;
using test::makeDevice;
using test::ModelMaker;

std::unique_ptr<CompiledModel> compileModel(const ModelPtr& model, const std::map<ValueId, Tensor>& inputs,
                                            std::vector<std::shared_ptr<const Executor>> executors = {makeReferenceExecutor()}) {
    PlanRequest request;
    request.model = model;
    for (const auto& [id, tensor] : inputs)
        request.shapes.inputs[id] = tensor.type();
    request.devices = {makeDevice("cpu", std::move(executors))};
    auto plan = makePlan(request);
    EXPECT_TRUE(plan) << (plan ? "" : plan.error().text());
    if (!plan) return nullptr;
    auto compiled = CompiledModel::compile(std::make_shared<const Plan>(std::move(*plan)), nullptr, nullptr);
    EXPECT_TRUE(compiled) << (compiled ? "" : compiled.error().text());
    return compiled ? std::move(*compiled) : nullptr;
}

Tensor ramp(Dims dims) {
    Tensor out = Tensor::allocate(DType::F32, std::move(dims)).value();
    auto data = out.data<float>();
    std::iota(data.begin(), data.end(), -1.0F);
    return out;
}

std::vector<float> values(const Tensor& tensor) {
    const auto data = tensor.data<float>();
    return {data.begin(), data.end()};
}

/// x -> Relu -> a -> Reshape -> flat; later values would overwrite a's memory if the view did not keep it alive.
ModelPtr viewModel(ModelMaker& maker) {
    maker.input("x", floats({2, 3}));
    maker.constant("shape", Tensor::of<std::int64_t>({1}, std::vector<std::int64_t>{6}));
    maker.node("Relu", {"x"}, {"a"});
    maker.node("Reshape", {"a", "shape"}, {"flat"});
    maker.node("Neg", {"x"}, {"b"});
    maker.node("Neg", {"b"}, {"c"});
    maker.node("Reshape", {"c", "shape"}, {"cflat"});
    maker.node("Add", {"flat", "cflat"}, {"y"});
    maker.output("y");
    maker.output("flat");
    return maker.build();
}

TEST(Engine, ViewsShareMemoryAndOutputsBelongToTheCaller) {
    ModelMaker maker;
    const ModelPtr model = viewModel(maker);
    const std::map<ValueId, Tensor> inputs = {{maker.id("x"), ramp({2, 3})}};
    const auto compiled = compileModel(model, inputs);
    ASSERT_TRUE(compiled);
    const auto first = compiled->run(inputs, {});
    ASSERT_TRUE(first) << first.error().text();
    EXPECT_EQ(values((*first)[0]), (std::vector<float>{-1, 0, 2, 4, 6, 8}));
    EXPECT_EQ(values((*first)[1]), (std::vector<float>{0, 0, 1, 2, 3, 4}));
    const auto second = compiled->run({{maker.id("x"), Tensor::of<float>({2, 3}, std::vector<float>(6, 5.0F))}}, {});
    ASSERT_TRUE(second);
    EXPECT_EQ(values((*first)[0]), (std::vector<float>{-1, 0, 2, 4, 6, 8})) << "a later run changed an earlier result";
    EXPECT_EQ(values((*second)[0]), std::vector<float>(6, 10.0F));
}

TEST(Engine, ShapesKnownOnlyDuringTheRun) {
    ModelMaker maker;
    maker.input("x", floats({4}));
    maker.node("NonZero", {"x"}, {"where"});
    maker.node("Cast", {"where"}, {"real"}, {{"to", std::int64_t{1}}});
    maker.node("Neg", {"real"}, {"y"});
    maker.output("y");
    const ModelPtr model = maker.build();
    const std::map<ValueId, Tensor> inputs = {{maker.id("x"), ramp({4})}};  // -1 0 1 2
    const auto compiled = compileModel(model, inputs);
    ASSERT_TRUE(compiled);
    for (int i = 0; i < 2; ++i) {
        const auto outputs = compiled->run(inputs, {});
        ASSERT_TRUE(outputs) << outputs.error().text();
        EXPECT_EQ((*outputs)[0].dims(), (Dims{1, 3}));
        EXPECT_EQ(values((*outputs)[0]), (std::vector<float>{0, -2, -3}));
    }
}

TEST(Engine, NamesTheInputThatIsWrong) {
    ModelMaker maker;
    const ModelPtr model = viewModel(maker);
    const std::map<ValueId, Tensor> inputs = {{maker.id("x"), ramp({2, 3})}};
    const auto compiled = compileModel(model, inputs);
    ASSERT_TRUE(compiled);
    for (const auto& bad : {std::map<ValueId, Tensor>{}, std::map<ValueId, Tensor>{{maker.id("x"), ramp({3, 2})}},
                            std::map<ValueId, Tensor>{{maker.id("x"), Tensor::scalar<std::int64_t>(1)}}}) {
        const auto outputs = compiled->run(bad, {});
        ASSERT_FALSE(outputs);
        EXPECT_EQ(outputs.error().code, ErrorCode::BadInput);
        EXPECT_EQ(outputs.error().where, "x");
    }
}

TEST(Engine, AnExecutorThatCannotCompileIsReplacedAloud) {
    ModelMaker maker;
    const ModelPtr model = viewModel(maker);
    const std::map<ValueId, Tensor> inputs = {{maker.id("x"), ramp({2, 3})}};
    const auto compiled = compileModel(model, inputs, {std::make_shared<ListedExecutor>("broken", std::set<std::string>{"Relu"}), makeReferenceExecutor()});
    ASSERT_TRUE(compiled);
    ASSERT_EQ(compiled->warnings().size(), 1U);
    EXPECT_NE(compiled->warnings()[0].find("broken"), std::string::npos);
    EXPECT_TRUE(compiled->run(inputs, {}));
}

TEST(Engine, StopsWhenCancelled) {
    ModelMaker maker;
    const ModelPtr model = viewModel(maker);
    const std::map<ValueId, Tensor> inputs = {{maker.id("x"), ramp({2, 3})}};
    const auto compiled = compileModel(model, inputs);
    ASSERT_TRUE(compiled);
    const std::atomic<bool> cancel{true};
    RunOptions options;
    options.cancel = &cancel;
    const auto outputs = compiled->run(inputs, options);
    ASSERT_FALSE(outputs);
    EXPECT_EQ(outputs.error().code, ErrorCode::Cancelled);
}

TEST(Engine, KeepsCopiesOfAllValuesWhenAsked) {
    ModelMaker maker;
    const ModelPtr model = viewModel(maker);
    const std::map<ValueId, Tensor> inputs = {{maker.id("x"), ramp({2, 3})}};
    const auto compiled = compileModel(model, inputs);
    ASSERT_TRUE(compiled);
    RunOptions options;
    options.keepAll = true;
    ASSERT_TRUE(compiled->run(inputs, options));
    EXPECT_EQ(values(compiled->kept().at(maker.id("b"))), (std::vector<float>{1, 0, -1, -2, -3, -4}));
    EXPECT_EQ(compiled->kept().size(), 6U);
}

}  // namespace
}  // namespace hs
