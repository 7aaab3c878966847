// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "import_support.h"

namespace hs {
namespace {

using test::addNode;
using test::load;
using test::setFloats;
using test::setFloatType;
using test::smallModel;

TEST(Import, ReadsGraphWeightsAndInfo) {
    auto proto = smallModel();
    auto* meta = proto.add_metadata_props();
    meta->set_key("author");
    meta->set_value("me");
    auto* dim = proto.mutable_graph()->mutable_input(0)->mutable_type()->mutable_tensor_type()->mutable_shape()->add_dim();
    dim->set_dim_param("N");
    const auto model = load(proto).value();
    EXPECT_EQ(model->info().name, "small");
    EXPECT_EQ(model->info().producer, "test");
    EXPECT_EQ(model->info().opsets.at("ai.onnx"), 17);
    EXPECT_EQ(model->info().metadata.at("author"), "me");
    EXPECT_EQ(model->info().sha256.size(), 64U);
    ASSERT_EQ(model->nodes().size(), 2U);
    EXPECT_EQ(model->nodes()[0].name, "add");
    EXPECT_EQ(model->nodes()[0].opset, 17);
    EXPECT_EQ(model->nodes()[1].name, "Relu_0");
    EXPECT_EQ(model->value(model->main().inputs[0]).type.text(), "float32[2,N]");
    const Value& weight = model->value(model->main().initializers.at(0));
    EXPECT_THAT(weight.initializer->data<float>(), testing::ElementsAre(1.5F, -2.5F));
}

TEST(Import, Sha256IsThatOfTheBytes) {
    EXPECT_EQ(load(smallModel()).value()->info().sha256, load(smallModel()).value()->info().sha256);
    auto other = smallModel();
    other.set_producer_name("tesu");
    EXPECT_NE(load(smallModel()).value()->info().sha256, load(other).value()->info().sha256);
}

TEST(Import, NodesInAnyOrderAreSorted) {
    auto proto = smallModel();
    proto.mutable_graph()->mutable_node()->SwapElements(0, 1);
    const auto model = load(proto).value();
    EXPECT_EQ(model->node(model->main().nodes[0]).opType, "Add");
}

TEST(Import, InitializerAmongInputsIsADefault) {
    for (const int ir : {3, 8}) {
        auto proto = smallModel();
        proto.set_ir_version(ir);
        setFloatType(proto.mutable_graph()->add_input(), "w", {2});
        const auto model = load(proto).value();
        ASSERT_EQ(model->main().inputs.size(), 2U);
        EXPECT_TRUE(model->main().initializers.empty());
        EXPECT_EQ(model->requiredInputs().size(), 1U);
        const Value& value = model->value(model->main().inputs[1]);
        EXPECT_EQ(value.role, ValueRole::GraphInput);
        EXPECT_TRUE(value.initializer.has_value());
    }
}

TEST(Import, ForgottenImportOfAnotherDomainMeansVersionOne) {
    auto proto = smallModel();
    proto.mutable_graph()->mutable_node(0)->set_domain("com.acme");
    const auto model = load(proto).value();
    EXPECT_EQ(model->nodes()[0].opset, 1);
    EXPECT_EQ(model->info().opsets.at("com.acme"), 1);
    EXPECT_TRUE(exportModelBytes(*model).has_value());
}

TEST(Import, LargeRawDataIsMovedNotCopied) {
    auto proto = smallModel();
    auto* weight = proto.mutable_graph()->mutable_initializer(0);
    weight->clear_float_data();
    weight->mutable_dims()->Set(0, 100'000);
    weight->set_raw_data(std::string(400'000, '\x01'));
    const auto model = load(proto).value();
    const Tensor& tensor = *model->value(model->main().initializers[0]).initializer;
    EXPECT_EQ(tensor.bytes(), 400'000U);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(tensor.raw()) % alignof(double), 0U);
    EXPECT_EQ(tensor.data<std::uint8_t>()[99'999], 1);
}

TEST(Import, SparseInitializerIsWrittenOut) {
    auto proto = smallModel();
    auto* graph = proto.mutable_graph();
    graph->clear_initializer();
    auto* sparse = graph->add_sparse_initializer();
    sparse->add_dims(2);
    setFloats(sparse->mutable_values(), "w", {1}, {7.0F});
    auto* indices = sparse->mutable_indices();
    indices->set_data_type(7);
    indices->add_dims(1);
    indices->add_int64_data(1);
    const auto model = load(proto).value();
    EXPECT_THAT(model->value(model->main().initializers[0]).initializer->data<float>(), testing::ElementsAre(0.0F, 7.0F));
    indices->set_int64_data(0, 2);
    EXPECT_FALSE(load(proto).has_value());
    indices->set_int64_data(0, -1);
    EXPECT_FALSE(load(proto).has_value());
    sparse->set_dims(0, std::int64_t{1} << 36);
    indices->set_int64_data(0, 1);
    EXPECT_FALSE(load(proto).has_value());
}

/// If with a then-branch that captures the outer `sum` and an else-branch whose own value hides the outer `sum`.
wire::ModelProto modelWithIf() {
    auto proto = smallModel();
    auto* graph = proto.mutable_graph();
    graph->mutable_node()->RemoveLast();
    auto* condition = graph->add_input();
    condition->set_name("c");
    condition->mutable_type()->mutable_tensor_type()->set_elem_type(9);
    condition->mutable_type()->mutable_tensor_type()->mutable_shape();
    auto* branch = addNode(graph->mutable_node(), "If", {"c"}, {"y"}, "choose");
    for (const std::string name : {"then_branch", "else_branch"}) {
        auto* attribute = branch->add_attribute();
        attribute->set_name(name);
        attribute->set_type(5);
        auto* body = attribute->mutable_g();
        body->set_name(name);
        if (name == "then_branch") {
            addNode(body->mutable_node(), "Relu", {"sum"}, {"t"});
            setFloatType(body->add_output(), "t", {2});
        } else {
            addNode(body->mutable_node(), "Neg", {"x"}, {"sum"});
            addNode(body->mutable_node(), "Abs", {"sum"}, {"e"});
            setFloatType(body->add_output(), "e", {2});
        }
    }
    return proto;
}

TEST(Import, SubgraphsCaptureAndHideOuterNames) {
    const auto model = load(modelWithIf()).value();
    ASSERT_EQ(model->graphs().size(), 3U);
    const Node& choose = model->node(model->findNode("choose"));
    const GraphId thenGraph = choose.getOr<GraphId>("then_branch", {});
    const GraphId elseGraph = choose.getOr<GraphId>("else_branch", {});
    ASSERT_TRUE(thenGraph && elseGraph);
    EXPECT_EQ(model->graph(thenGraph).parent, choose.id);
    const auto captured = model->captures(thenGraph);
    ASSERT_EQ(captured.size(), 1U);
    EXPECT_EQ(model->value(captured[0]).name, "sum");
    EXPECT_EQ(model->value(captured[0]).graph, GraphId(0));
    const Node& abs = model->node(model->graph(elseGraph).nodes[1]);
    EXPECT_EQ(model->value(abs.inputs[0]).graph, elseGraph);
}

TEST(Import, OuterValueAsSubgraphOutput) {
    auto proto = modelWithIf();
    auto* body = proto.mutable_graph()->mutable_node(1)->mutable_attribute(0)->mutable_g();
    body->clear_node();
    body->mutable_output(0)->set_name("sum");
    const auto model = load(proto).value();
    const Node& choose = model->node(model->findNode("choose"));
    EXPECT_EQ(model->captures(*choose.get<GraphId>("then_branch")).size(), 1U);
}

std::string roundTripText(const Model& model) {
    std::string out;
    for (const Graph& graph : model.graphs()) {
        out += "graph " + graph.name + "\n";
        for (const ValueId id : graph.inputs)
            out += " in " + model.value(id).name + " " + model.value(id).type.text() + (model.value(id).initializer ? " default" : "") + "\n";
        for (const ValueId id : graph.initializers)
            out += " weight " + model.value(id).name + " " + model.value(id).type.text() + "\n";
        for (const NodeId id : graph.nodes) {
            const Node& node = model.node(id);
            out += fmt::format(" {} {} {} {}", node.name, node.opType, node.domain, node.opset);
            for (const ValueId input : node.inputs)
                out += input ? " <" + model.value(input).name : " <-";
            for (const ValueId output : node.outputs)
                out += output ? " >" + model.value(output).name + ":" + model.value(output).type.text() : " >-";
            for (const Attribute& attribute : node.attributes)
                out += fmt::format(" {}#{}", attribute.name, attribute.value.index());
            out += "\n";
        }
        for (const ValueId id : graph.outputs)
            out += " out " + model.value(id).name + " " + model.value(id).type.text() + "\n";
    }
    return out;
}

TEST(Export, RoundTripKeepsEverything) {
    auto proto = smallModel();
    auto* node = proto.mutable_graph()->mutable_node(0);
    const auto attribute = [&](const char* name, int type) {
        auto* out = node->add_attribute();
        out->set_name(name);
        out->set_type(type);
        return out;
    };
    attribute("f", 1)->set_f(0.5F);
    attribute("i", 2)->set_i(-3);
    attribute("s", 3)->set_s(std::string("a\0b", 3));
    setFloats(attribute("t", 4)->mutable_t(), "", {1}, {2.0F});
    attribute("fs", 6)->add_floats(1.0F);
    attribute("is", 7)->add_ints(9);
    attribute("ss", 8)->add_strings("x");
    setFloats(attribute("ts", 9)->add_tensors(), "", {1}, {3.0F});
    attribute("tp", 13)
        ->mutable_tp()
        ->mutable_optional_type()
        ->mutable_elem_type()
        ->mutable_sequence_type()
        ->mutable_elem_type()
        ->mutable_tensor_type()
        ->set_elem_type(7);
    setFloatType(proto.mutable_graph()->add_value_info(), "sum", {2});
    setFloatType(proto.mutable_graph()->add_input(), "w", {2});
    proto.mutable_graph()->mutable_input(0)->mutable_type()->mutable_tensor_type()->mutable_shape()->mutable_dim(0)->set_dim_param("N");
    const auto model = load(proto).value();
    const std::string bytes = exportModelBytes(*model).value();
    const auto again = importModelBytes(test::asBytes(bytes), "again").value();
    EXPECT_EQ(roundTripText(*model), roundTripText(*again));
    EXPECT_EQ(*again->nodes()[0].get<std::string>("s"), std::string("a\0b", 3));
    EXPECT_EQ(again->nodes()[0].get<ValueType>("tp")->kind, TypeKind::OptionalSequence);
    EXPECT_EQ(again->nodes()[0].get<std::vector<Tensor>>("ts")->at(0).data<float>()[0], 3.0F);
    EXPECT_EQ(again->info().producer, "test");
}

TEST(Export, SubgraphsAndHiddenNames) {
    const auto model = load(modelWithIf()).value();
    const auto again = importModelBytes(test::asBytes(exportModelBytes(*model).value()), "again").value();
    ASSERT_EQ(again->graphs().size(), 3U);
    const Node& choose = again->node(again->findNode("choose"));
    const Node& abs = again->node(again->graph(*choose.get<GraphId>("else_branch")).nodes[1]);
    EXPECT_EQ(again->value(abs.inputs[0]).graph, *choose.get<GraphId>("else_branch"));
    EXPECT_EQ(again->captures(*choose.get<GraphId>("then_branch")).size(), 1U);
}

TEST(Export, LargeWeightsGoToAFileBeside) {
    const test::TemporaryFolder folder;
    auto proto = smallModel();
    setFloats(proto.mutable_graph()->add_initializer(), "big", {1000}, std::vector<float>(1000, 4.0F));
    const auto model = load(proto).value();
    const std::string path = (folder.path() / "m.onnx").string();
    ASSERT_TRUE(exportModel(*model, path, 100).has_value());
    EXPECT_EQ(std::filesystem::file_size(path + ".data"), 4000U);
    EXPECT_LT(std::filesystem::file_size(path), 1000U);
    const auto again = importModel(path).value();
    EXPECT_EQ(again->value(again->main().initializers[1]).initializer->data<float>()[999], 4.0F);
    ASSERT_TRUE(exportModel(*again, path, 100).has_value());  // over the file that it is mapped from
    EXPECT_EQ(importModel(path).value()->value(again->main().initializers[1]).initializer->data<float>()[999], 4.0F);
}

TEST(Export, WriteErrorsAreIo) {
    const auto model = load(smallModel()).value();
    EXPECT_EQ(exportModel(*model, "/no/such/folder/m.onnx").error().code, ErrorCode::Io);
    if (std::filesystem::exists("/dev/full")) {
        EXPECT_EQ(exportModel(*model, "/dev/full").error().code, ErrorCode::Io);
    }
}

}  // namespace
}  // namespace hs
