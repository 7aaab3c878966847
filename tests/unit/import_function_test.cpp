// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "import_support.h"

namespace hs {
namespace {

using test::addNode;
using test::load;
using test::setFloatType;
using test::smallModel;

wire::FunctionProto* addFunction(wire::ModelProto& model, const std::string& name, std::vector<std::string> inputs, std::vector<std::string> outputs) {
    auto* function = model.add_functions();
    function->set_name(name);
    function->set_domain("local");
    function->add_opset_import()->set_version(16);
    auto* own = function->add_opset_import();
    own->set_domain("local");
    own->set_version(1);
    for (auto& input : inputs)
        function->add_input(std::move(input));
    for (auto& output : outputs)
        function->add_output(std::move(output));
    return function;
}

/// y = Outer(x + w); Outer calls Inner, which scales by an attribute that Outer passes on.
wire::ModelProto nested() {
    auto model = smallModel();
    auto* local = model.add_opset_import();
    local->set_domain("local");
    local->set_version(1);
    auto* call = model.mutable_graph()->mutable_node(1);
    call->set_op_type("Outer");
    call->set_domain("local");
    call->set_name("call");
    auto* outer = addFunction(model, "Outer", {"a", "b"}, {"r"});
    outer->add_attribute("alpha");
    auto* innerCall = addNode(outer->mutable_node(), "Inner", {"a"}, {"h"}, "in");
    innerCall->set_domain("local");
    auto* passed = innerCall->add_attribute();
    passed->set_name("slope");
    passed->set_type(1);
    passed->set_ref_attr_name("alpha");
    addNode(outer->mutable_node(), "Clip", {"h", "b"}, {"r"}, "clip");
    auto* inner = addFunction(model, "Inner", {"q"}, {"h"});
    auto* slope = inner->add_attribute_proto();
    slope->set_name("slope");
    slope->set_type(1);
    slope->set_f(0.25F);
    auto* leaky = addNode(inner->mutable_node(), "LeakyRelu", {"q"}, {"t"});
    auto* alpha = leaky->add_attribute();
    alpha->set_name("alpha");
    alpha->set_type(1);
    alpha->set_ref_attr_name("slope");
    addNode(inner->mutable_node(), "Neg", {"t"}, {"h"}, "neg");
    return model;
}

TEST(ImportFunctions, NestedCallsAreExpandedInline) {
    const auto model = load(nested()).value();
    ASSERT_EQ(model->nodes().size(), 4U);
    const Node& leaky = model->node(model->findNode("call/in/LeakyRelu"));
    EXPECT_EQ(leaky.functionPath, "call/in");
    EXPECT_EQ(leaky.opset, 16);
    EXPECT_FLOAT_EQ(leaky.floatOr("alpha", 0), 0.25F);  // Outer's alpha is not given: Inner's default
    EXPECT_EQ(model->value(leaky.inputs[0]).name, "sum");
    EXPECT_EQ(model->value(leaky.outputs[0]).name, "call/in/t");
    const Node& clip = model->node(model->findNode("call/clip"));
    EXPECT_EQ(clip.inputs.size(), 1U);  // the call leaves b out
    EXPECT_EQ(model->value(clip.outputs[0]).name, "y");
    EXPECT_TRUE(model->nodes()[0].functionPath.empty());
}

TEST(ImportFunctions, AttributesOfTheCallReachTheBody) {
    auto proto = nested();
    auto* alpha = proto.mutable_graph()->mutable_node(1)->add_attribute();
    alpha->set_name("alpha");
    alpha->set_type(1);
    alpha->set_f(0.75F);
    const auto model = load(proto).value();
    EXPECT_FLOAT_EQ(model->node(model->findNode("call/in/LeakyRelu")).floatOr("alpha", 0), 0.75F);
    alpha->set_type(2);
    alpha->clear_f();
    alpha->set_i(1);
    EXPECT_FALSE(load(proto).has_value());
}

TEST(ImportFunctions, CalledTwiceShareWeightsAndKeepNamesApart) {
    auto proto = smallModel();
    auto* local = proto.add_opset_import();
    local->set_domain("local");
    local->set_version(1);
    auto* graph = proto.mutable_graph();
    graph->clear_node();
    for (const std::string name : {"one", "two"})
        addNode(graph->mutable_node(), "Shift", {name == "one" ? "x" : "m"}, {name == "one" ? "m" : "y"}, name)->set_domain("local");
    auto* function = addFunction(proto, "Shift", {"a"}, {"r"});
    auto* constant = addNode(function->mutable_node(), "Constant", {}, {"c"});
    auto* value = constant->add_attribute();
    value->set_name("value");
    value->set_type(4);
    test::setFloats(value->mutable_t(), "", {2000}, std::vector<float>(2000, 1.0F));
    addNode(function->mutable_node(), "Add", {"a", "c"}, {"r"});
    const auto model = load(proto).value();
    const Node& first = model->node(model->findNode("one/Constant"));
    const Node& second = model->node(model->findNode("two/Constant"));
    EXPECT_EQ(first.get<Tensor>("value")->raw(), second.get<Tensor>("value")->raw());
    EXPECT_NE(model->value(first.outputs[0]).name, model->value(second.outputs[0]).name);
}

TEST(ImportFunctions, OutputThatIsAnInputIsCopied) {
    auto proto = nested();
    auto* outer = proto.mutable_functions(0);
    outer->clear_node();
    outer->set_output(0, "a");
    const auto model = load(proto).value();
    EXPECT_EQ(model->nodes()[1].opType, "Identity");
    EXPECT_EQ(model->nodes()[1].opset, 16);
    outer->set_output(0, "b");  // left out by the call
    EXPECT_FALSE(load(proto).has_value());
    outer->set_output(0, "nowhere");
    EXPECT_FALSE(load(proto).has_value());
}

TEST(ImportFunctions, OverloadsAreToldApart) {
    auto proto = nested();
    auto* other = addFunction(proto, "Outer", {"a"}, {"r"});
    other->set_overload("v2");
    addNode(other->mutable_node(), "Sin", {"a"}, {"r"});
    proto.mutable_graph()->mutable_node(1)->set_overload("v2");
    const auto model = load(proto).value();
    ASSERT_EQ(model->nodes().size(), 2U);
    EXPECT_EQ(model->nodes()[1].opType, "Sin");
    other->set_overload("");
    EXPECT_FALSE(load(proto).has_value());  // the same function twice
}

TEST(ImportFunctions, BodySeesNothingOfTheCaller) {
    auto proto = nested();
    proto.mutable_functions(0)->mutable_node(1)->set_input(0, "w");
    EXPECT_FALSE(load(proto).has_value());
}

TEST(ImportFunctions, RecursionIsFound) {
    auto proto = nested();
    addNode(proto.mutable_functions(1)->mutable_node(), "Outer", {"q"}, {"loop"})->set_domain("local");
    const auto result = load(proto);
    ASSERT_FALSE(result.has_value());
    EXPECT_THAT(result.error().text(), testing::HasSubstr("calls itself"));
}

TEST(ImportFunctions, ExponentialExpansionIsBounded) {
    auto proto = smallModel();
    auto* local = proto.add_opset_import();
    local->set_domain("local");
    local->set_version(1);
    proto.mutable_graph()->mutable_node(1)->set_op_type("f0");
    proto.mutable_graph()->mutable_node(1)->set_domain("local");
    for (int i = 0; i < 40; ++i) {
        auto* function = addFunction(proto, "f" + std::to_string(i), {"a"}, {"r"});
        const std::string next = "f" + std::to_string(i + 1);
        addNode(function->mutable_node(), next, {"a"}, {"h"})->set_domain("local");
        addNode(function->mutable_node(), next, {"h"}, {"r"})->set_domain("local");
    }
    auto* last = addFunction(proto, "f40", {"a"}, {"r"});
    addNode(last->mutable_node(), "Abs", {"a"}, {"r"});
    ImportLimits limits;
    limits.maxNodes = 10'000;
    const auto result = load(proto, {}, limits);
    ASSERT_FALSE(result.has_value());
    EXPECT_THAT(result.error().text(), testing::HasSubstr("limit"));
    limits.maxFunctionDepth = 10;
    EXPECT_FALSE(load(proto, {}, limits).has_value());
}

TEST(ImportFunctions, SubgraphInABodySeesTheBody) {
    auto proto = nested();
    auto* inner = proto.mutable_functions(1);
    auto* branch = inner->mutable_node(1);
    branch->set_op_type("If");
    auto* attribute = branch->add_attribute();
    attribute->set_name("then_branch");
    attribute->set_type(5);
    auto* body = attribute->mutable_g();
    auto* node = addNode(body->mutable_node(), "Elu", {"t"}, {"z"});
    auto* alpha = node->add_attribute();
    alpha->set_name("alpha");
    alpha->set_type(1);
    alpha->set_ref_attr_name("slope");
    setFloatType(body->add_output(), "z", {2});
    const auto model = load(proto).value();
    const Node& elu = model->node(model->findNode("call/in/Elu"));
    EXPECT_FLOAT_EQ(elu.floatOr("alpha", 0), 0.25F);
    EXPECT_EQ(model->value(elu.inputs[0]).name, "call/in/t");
    EXPECT_EQ(model->value(elu.outputs[0]).graph, elu.graph);
}

}  // namespace
}  // namespace hs
