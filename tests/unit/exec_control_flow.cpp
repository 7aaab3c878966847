// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "core/exec/runner.h"
#include "executors/reference/reference_executor.h"
#include "tests/unit/plan_support.h"

namespace hs {
namespace {

using test::floats;
using test::makeDevice;
using test::ModelMaker;

Result<std::vector<Tensor>> runModel(const ModelPtr& model, const std::map<ValueId, Tensor>& inputs) {
    PlanRequest request;
    request.model = model;
    for (const auto& [id, tensor] : inputs)
        request.shapes.inputs[id] = tensor.type();
    request.devices = {makeDevice("cpu", {makeReferenceExecutor()})};
    HS_TRY(Plan plan, makePlan(request));
    HS_TRY(const auto compiled, CompiledModel::compile(std::make_shared<const Plan>(std::move(plan)), nullptr, nullptr));
    return compiled->run(inputs, {});
}

ValueType scalar(DType type) {
    return {TypeKind::Tensor, type, Shape::scalar()};
}

Tensor flag(bool value) {
    Tensor out = Tensor::allocate(DType::Bool, {}).value();
    out.data<std::uint8_t>()[0] = value ? 1 : 0;
    return out;
}

std::vector<float> values(const Tensor& tensor) {
    const auto data = tensor.data<float>();
    return {data.begin(), data.end()};
}

/// Fibonacci: (a, b) -> (b, a + b), the new b also a scan output. The carried values change places, so an iteration that
/// wrote into its own input's memory would give wrong numbers.
ModelPtr fibonacci(ModelMaker& maker) {
    maker.input("trips", scalar(DType::I64));
    maker.input("go", scalar(DType::Bool));
    maker.input("a0", floats({1}));
    maker.input("b0", floats({1}));
    const GraphId body = maker.graph("body");
    maker.input("i", scalar(DType::I64), body);
    maker.input("goOn", scalar(DType::Bool), body);
    maker.input("a", floats({1}), body);
    maker.input("b", floats({1}), body);
    maker.node("Identity", {"goOn"}, {"again"}, {}, body);
    maker.node("Add", {"a", "b"}, {"sum"}, {}, body);
    maker.output("again", body);
    maker.output("b", body);
    maker.output("sum", body);
    maker.output("sum", body);
    maker.node("Loop", {"trips", "go", "a0", "b0"}, {"a1", "b1", "rows"}, {{"body", body}});
    for (const char* name : {"a1", "b1", "rows"})
        maker.output(name);
    return maker.build();
}

std::map<ValueId, Tensor> fibonacciInputs(const ModelMaker& maker, std::int64_t trips, bool go) {
    const std::vector<float> zero = {0};
    const std::vector<float> one = {1};
    return {{maker.id("trips"), Tensor::scalar<std::int64_t>(trips)},
            {maker.id("go"), flag(go)},
            {maker.id("a0"), Tensor::of<float>({1}, zero)},
            {maker.id("b0"), Tensor::of<float>({1}, one)}};
}

TEST(Loop, CarriesValuesAndCollectsRows) {
    ModelMaker maker;
    const ModelPtr model = fibonacci(maker);
    const auto outputs = runModel(model, fibonacciInputs(maker, 6, true));
    ASSERT_TRUE(outputs) << outputs.error().text();
    EXPECT_EQ(values((*outputs)[0]), std::vector<float>{8});
    EXPECT_EQ(values((*outputs)[1]), std::vector<float>{13});
    EXPECT_EQ((*outputs)[2].dims(), (Dims{6, 1}));
    EXPECT_EQ(values((*outputs)[2]), (std::vector<float>{1, 2, 3, 5, 8, 13}));
}

TEST(Loop, WithoutIterationsReturnsWhatItWasGiven) {
    ModelMaker maker;
    const ModelPtr model = fibonacci(maker);
    for (const auto& [trips, go] : {std::pair{std::int64_t{0}, true}, std::pair{std::int64_t{5}, false}}) {
        const auto outputs = runModel(model, fibonacciInputs(maker, trips, go));
        ASSERT_TRUE(outputs) << outputs.error().text();
        EXPECT_EQ(values((*outputs)[1]), std::vector<float>{1});
        EXPECT_EQ((*outputs)[2].dims(), (Dims{0, 1}));
    }
}

ModelPtr branches(ModelMaker& maker) {
    maker.input("which", scalar(DType::Bool));
    maker.input("x", floats({2}));
    maker.node("Neg", {"x"}, {"outer"});
    const GraphId yes = maker.graph("yes");
    maker.node("Neg", {"outer"}, {"t"}, {}, yes);
    maker.output("t", yes);
    const GraphId no = maker.graph("no");
    maker.output("outer", no);
    maker.node("If", {"which"}, {"r"}, {{"then_branch", yes}, {"else_branch", no}});
    maker.node("Abs", {"x"}, {"later"});
    maker.node("Add", {"r", "later"}, {"y"});
    maker.output("y");
    return maker.build();
}

TEST(If, TakesABranchWithCapturedValues) {
    ModelMaker maker;
    const ModelPtr model = branches(maker);
    const Tensor x = Tensor::of<float>({2}, std::vector<float>{-3, 4});
    const auto yes = runModel(model, {{maker.id("which"), flag(true)}, {maker.id("x"), x}});
    ASSERT_TRUE(yes) << yes.error().text();
    EXPECT_EQ(values((*yes)[0]), (std::vector<float>{0, 8}));
    const auto no = runModel(model, {{maker.id("which"), flag(false)}, {maker.id("x"), x}});
    ASSERT_TRUE(no) << no.error().text();
    EXPECT_EQ(values((*no)[0]), (std::vector<float>{6, 0}));
}

/// Running sums over axis 1 of x, backwards, stacked on axis 1 in reverse.
ModelPtr scan(ModelMaker& maker) {
    maker.input("start", floats({2}));
    maker.input("x", floats({2, 3}));
    const GraphId body = maker.graph("body");
    maker.input("state", floats({2}), body);
    maker.input("part", floats({2}), body);
    maker.node("Add", {"state", "part"}, {"sum"}, {}, body);
    maker.node("Neg", {"sum"}, {"row"}, {}, body);
    maker.output("sum", body);
    maker.output("row", body);
    const std::vector<std::int64_t> one = {1};
    maker.node("Scan", {"start", "x"}, {"end", "rows"},
               {{"body", body},
                {"num_scan_inputs", std::int64_t{1}},
                {"scan_input_axes", one},
                {"scan_input_directions", one},
                {"scan_output_axes", one},
                {"scan_output_directions", one}});
    maker.output("end");
    maker.output("rows");
    return maker.build();
}

TEST(Scan, FollowsAxesAndDirections) {
    ModelMaker maker;
    const ModelPtr model = scan(maker);
    const auto outputs = runModel(model, {{maker.id("start"), Tensor::of<float>({2}, std::vector<float>{0, 100})},
                                          {maker.id("x"), Tensor::of<float>({2, 3}, std::vector<float>{1, 2, 3, 10, 20, 30})}});
    ASSERT_TRUE(outputs) << outputs.error().text();
    EXPECT_EQ(values((*outputs)[0]), (std::vector<float>{6, 160}));
    EXPECT_EQ((*outputs)[1].dims(), (Dims{2, 3}));
    EXPECT_EQ(values((*outputs)[1]), (std::vector<float>{-6, -5, -3, -160, -150, -130}));
}

/// Opset 8: the running sums of each entry of a batch, up to its own length; what lies behind it in the rows is zero.
TEST(Scan, OfOpset8TakesABatchOfUnequalLengths) {
    ModelMaker maker(8);
    maker.input("lengths", {TypeKind::Tensor, DType::I64, Shape({2})});
    maker.input("start", floats({2, 1}));
    maker.input("x", floats({2, 3, 1}));
    const GraphId body = maker.graph("body");
    maker.input("state", floats({1}), body);
    maker.input("part", floats({1}), body);
    maker.node("Add", {"state", "part"}, {"sum"}, {}, body);
    maker.node("Neg", {"sum"}, {"row"}, {}, body);
    maker.output("sum", body);
    maker.output("row", body);
    maker.node("Scan", {"lengths", "start", "x"}, {"end", "rows"}, {{"body", body}, {"num_scan_inputs", std::int64_t{1}}});
    maker.output("end");
    maker.output("rows");
    const ModelPtr model = maker.build();
    const auto outputs = runModel(model, {{maker.id("lengths"), Tensor::of<std::int64_t>({2}, std::vector<std::int64_t>{3, 2})},
                                          {maker.id("start"), Tensor::of<float>({2, 1}, std::vector<float>{0, 100})},
                                          {maker.id("x"), Tensor::of<float>({2, 3, 1}, std::vector<float>{1, 2, 3, 10, 20, 30})}});
    ASSERT_TRUE(outputs) << outputs.error().text();
    EXPECT_EQ(values((*outputs)[0]), (std::vector<float>{6, 130}));
    EXPECT_EQ((*outputs)[1].dims(), (Dims{2, 3, 1}));
    EXPECT_EQ(values((*outputs)[1]), (std::vector<float>{-1, -3, -6, -110, -130, 0}));
}

/// Items of unequal shape go through a body that also reads a value from outside; the sequence is fed and returned.
TEST(SequenceMap, RunsItsBodyForEveryItem) {
    ModelMaker maker;
    maker.input("list", {TypeKind::Sequence, DType::F32, Shape()});
    maker.input("x", floats({1}));
    maker.node("Neg", {"x"}, {"outer"});
    const GraphId body = maker.graph("body");
    maker.input("item", floats({Dim()}), body);
    maker.node("Add", {"item", "outer"}, {"moved"}, {}, body);
    maker.output("moved", body);
    maker.node("SequenceMap", {"list"}, {"result"}, {{"body", body}});
    maker.output("result");
    const ModelPtr model = maker.build();
    const Tensor list = Tensor::sequence(DType::F32, {Tensor::of<float>({2}, std::vector<float>{5, 6}), Tensor::of<float>({1}, std::vector<float>{7})});
    const auto outputs = runModel(model, {{maker.id("list"), list}, {maker.id("x"), Tensor::of<float>({1}, std::vector<float>{1})}});
    ASSERT_TRUE(outputs) << outputs.error().text();
    const auto items = (*outputs)[0].items();
    ASSERT_EQ(items.size(), 2U);
    EXPECT_EQ(values(items[0]), (std::vector<float>{4, 5}));
    EXPECT_EQ(values(items[1]), std::vector<float>{6});
    const auto wrong = runModel(model, {{maker.id("list"), Tensor::none(DType::F32)}, {maker.id("x"), Tensor::of<float>({1}, std::vector<float>{1})}});
    ASSERT_FALSE(wrong);
    EXPECT_EQ(wrong.error().code, ErrorCode::BadInput);
}

}  // namespace
}  // namespace hs
