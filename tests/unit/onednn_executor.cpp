// SPDX-License-Identifier: Apache-2.0
#include "executors/onednn/onednn_executor.h"

#include <filesystem>
#include <gmock/gmock.h>
#include <thread>

#include "tests/unit/onednn_harness.h"

namespace hs::test {
namespace {

TEST(OneDnnExecutor, RefusesWithAReasonAndWithoutAnException) {
    EXPECT_EQ(ask({"NoSuchOperator", {variable(random({2}))}, {{2}}}).reason.code, "kernel.operator");
    NodeCase foreign("Relu", {variable(random({2}))}, {{2}});
    foreign.node.domain = "com.example";
    EXPECT_EQ(ask(foreign).reason.code, "kernel.operator");
    EXPECT_EQ(ask({"Conv", {variable(random({2, 3})), constant(random({2, 3}))}, {{2, 3}}}).reason.code, "kernel.shape");
    // sizes that contradict each other reach oneDNN, which throws
    const auto wrong = runCase({"Conv", {variable(random({1, 3, 8, 8})), constant(random({4, 3, 3, 3}))}, {{1, 4, 9, 9}}});
    ASSERT_FALSE(wrong);
    EXPECT_EQ(wrong.error().code, ErrorCode::Unsupported);
    EXPECT_THAT(wrong.error().text(), ::testing::HasSubstr("Conv_0"));
}

TEST(OneDnnExecutor, CompilesOneNodeWithKnownSizes) {
    const auto executor = makeOneDnnExecutor();
    ModelBuilder builder;
    const GraphId main(0);
    const ValueId in = builder.addInput(main, "x", {TypeKind::Tensor, DType::F32, Shape({Dim("N"), Dim(4)})});
    const ValueId out = builder.addValue(main, "y");
    Node node;
    node.opType = "Relu";
    node.opset = 17;
    node.inputs = {in};
    node.outputs = {out};
    const NodeId id = builder.addNode(main, node);
    const ModelPtr model = builder.build().value();
    TypeTable types(model->values().size());
    const ValueType symbolic{TypeKind::Tensor, DType::F32, Shape({Dim("N"), Dim(4)})};
    types.at(in).type = symbolic;
    types.at(out).type = symbolic;
    EXPECT_TRUE(executor->supports({model.get(), &model->node(id), &types}).supported) << "sizes may still be symbols when the question is asked";
    types.at(in).type.shape = Shape();
    EXPECT_EQ(executor->supports({model.get(), &model->node(id), &types}).reason.code, "kernel.dynamic_shape");

    const std::vector<NodeId> nodes = {id, id};
    const std::vector<Argument> inputs = {{in, symbolic, nullptr}};
    const std::vector<Argument> outputs = {{out, symbolic, nullptr}};
    const auto dynamic = executor->compile({model.get(), std::span(nodes).first(1), inputs, outputs, 1});
    ASSERT_FALSE(dynamic);
    EXPECT_EQ(dynamic.error().code, ErrorCode::Unsupported);
    const auto group = executor->compile({model.get(), nodes, inputs, outputs, 1});
    ASSERT_FALSE(group);
    EXPECT_EQ(group.error().code, ErrorCode::Unsupported);
}

TEST(OneDnnExecutor, ComputesNothingForEmptyOutputs) {
    const auto outcome = runCase({"Relu", {variable(random({0, 4}))}, {{0, 4}}});
    ASSERT_TRUE(outcome) << outcome.error().text();
    EXPECT_EQ(outcome->outputs[0].dims(), (Dims{0, 4}));
    EXPECT_FALSE(runCase({"MatMul", {variable(random({2, 0})), variable(random({0, 3}))}, {{2, 3}}}));
}

int threadCount() {
    int count = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/self/task"))
        ++count;
    return count;
}

TEST(OneDnnExecutor, UsesNoMoreThreadsThanAskedFor) {
    // every calling thread has its own OpenMP team: in a fresh one nobody else's team can be mistaken for ours
    std::thread([] {
        const int before = threadCount();
        NodeCase c("MatMul", {variable(random({256, 256})), constant(random({256, 256}))}, {{256, 256}});
        ASSERT_TRUE(runCase(c, 1));
        EXPECT_EQ(threadCount(), before);
        ASSERT_TRUE(runCase(c, 3));
        EXPECT_LE(threadCount(), before + 2);
    }).join();
}

}  // namespace
}  // namespace hs::test
