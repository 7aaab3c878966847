// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/seeds.h"

#include "core/import/importer.h"
#include "core/import/onnx_wire.pb.h"
#include "core/zoo/zoo.h"

namespace hs::fuzz {
namespace {

using wire::ModelProto;
using Nodes = google::protobuf::RepeatedPtrField<wire::NodeProto>;

wire::NodeProto* addNode(Nodes* nodes, const std::string& op, std::vector<std::string> inputs, std::vector<std::string> outputs) {
    wire::NodeProto* node = nodes->Add();
    node->set_op_type(op);
    for (auto& input : inputs)
        node->add_input(std::move(input));
    for (auto& output : outputs)
        node->add_output(std::move(output));
    return node;
}

wire::AttributeProto* addAttribute(wire::NodeProto* node, const std::string& name, int type) {
    auto* out = node->add_attribute();
    out->set_name(name);
    out->set_type(type);
    return out;
}

void setValue(wire::ValueInfoProto* info, const std::string& name, int type) {
    info->set_name(name);
    auto* tensor = info->mutable_type()->mutable_tensor_type();
    tensor->set_elem_type(type);
    tensor->mutable_shape()->add_dim()->set_dim_param("N");
}

ModelProto base() {
    ModelProto model;
    model.set_ir_version(9);
    model.add_opset_import()->set_version(17);
    setValue(model.mutable_graph()->add_input(), "x", 1);
    setValue(model.mutable_graph()->add_output(), "y", 1);
    return model;
}

ModelProto withSubgraphs() {
    ModelProto model = base();
    auto* nodes = model.mutable_graph()->mutable_node();
    addNode(nodes, "ReduceSum", {"x"}, {"s"});
    addAttribute(addNode(nodes, "Cast", {"s"}, {"c"}), "to", 2)->set_i(9);
    auto* choose = addNode(nodes, "If", {"c"}, {"y"});
    for (const char* name : {"then_branch", "else_branch"}) {
        auto* body = addAttribute(choose, name, 5)->mutable_g();
        addNode(body->mutable_node(), "Relu", {"x"}, {"z"});
        setValue(body->add_output(), "z", 1);
    }
    return model;
}

ModelProto withFunctions() {
    ModelProto model = base();
    auto* local = model.add_opset_import();
    local->set_domain("f");
    local->set_version(1);
    auto* call = addNode(model.mutable_graph()->mutable_node(), "G", {"x"}, {"y"});
    call->set_domain("f");
    addAttribute(call, "alpha", 1)->set_f(0.5F);
    for (const std::string name : {"G", "H"}) {
        auto* function = model.add_functions();
        function->set_name(name);
        function->set_domain("f");
        function->add_input("a");
        function->add_output("b");
        function->add_attribute("alpha");
        function->add_opset_import()->set_version(17);
        auto* node = addNode(function->mutable_node(), name == "G" ? "H" : "Elu", {"a"}, {"b"});
        if (name == "G") node->set_domain("f");
        addAttribute(node, "alpha", 1)->set_ref_attr_name("alpha");
    }
    return model;
}

ModelProto withData() {
    ModelProto model = base();
    auto* graph = model.mutable_graph();
    auto* typed = graph->add_initializer();
    typed->set_name("t");
    typed->set_data_type(10);
    typed->add_dims(2);
    typed->add_int32_data(0x3c00);
    typed->add_int32_data(0x4000);
    auto* sparse = graph->add_sparse_initializer();
    sparse->add_dims(4);
    sparse->mutable_values()->set_name("w");
    sparse->mutable_values()->set_data_type(1);
    sparse->mutable_values()->add_dims(1);
    sparse->mutable_values()->add_float_data(1.0F);
    sparse->mutable_indices()->set_data_type(7);
    sparse->mutable_indices()->add_dims(1);
    sparse->mutable_indices()->add_int64_data(3);
    auto* node = addNode(graph->mutable_node(), "Add", {"x", "w"}, {"y"});
    addAttribute(node, "is", 7)->add_ints(-1);
    addAttribute(node, "fs", 6)->add_floats(1.0F);
    addAttribute(node, "ss", 8)->add_strings("s");
    addAttribute(node, "tp", 13)->mutable_tp()->mutable_sequence_type()->mutable_elem_type()->mutable_tensor_type()->set_elem_type(1);
    return model;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> seeds() {
    std::vector<std::pair<std::string, std::string>> out = {
        {"subgraphs", withSubgraphs().SerializeAsString()},
        {"functions", withFunctions().SerializeAsString()},
        {"data", withData().SerializeAsString()},
    };
    // The zoo's graphs without their weights: those say nothing about structure and would only slow the search down.
    for (const std::string name : {"bert_tiny", "lstm", "yolo_like", "squeezenet"}) {
        const auto model = buildZooModel(name);
        if (!model) continue;
        const auto bytes = exportModelBytes(**model);
        ModelProto proto;
        if (!bytes || !proto.ParseFromString(*bytes)) continue;
        for (auto& initializer : *proto.mutable_graph()->mutable_initializer()) {
            if (initializer.raw_data().size() < 256) continue;
            initializer.clear_raw_data();
            initializer.clear_dims();
            initializer.add_dims(0);
        }
        out.emplace_back(name, proto.SerializeAsString());
    }
    return out;
}

}  // namespace hs::fuzz
