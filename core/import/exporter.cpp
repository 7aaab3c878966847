// SPDX-License-Identifier: Apache-2.0
#include "core/import/exporter.h"

#include <algorithm>

#include "core/import/attribute_type.h"
#include "core/import/tensor_proto.h"
#include "core/import/type_proto.h"

namespace hs {
namespace {

constexpr std::int64_t kDefaultIr = 8;
constexpr std::uint64_t kExternalAlignment = 4096;  // a page, so that a mapped tensor is aligned for any kernel
constexpr std::uint64_t kSmallTensorBytes = 1024;   // stays in the model file, where shape inference sees it

void setType(wire::AttributeProto& out, AttributeType type) {
    out.set_type(static_cast<int>(type));
}

/// Sets the scalar and list forms that need nothing of the model; the others have overloads in writeAttribute.
struct PlainWriter {
    wire::AttributeProto& out;
    bool operator()(std::int64_t v) const { return setType(out, AttributeType::Int), out.set_i(v), true; }
    bool operator()(float v) const { return setType(out, AttributeType::Float), out.set_f(v), true; }
    bool operator()(const std::string& v) const { return setType(out, AttributeType::String), out.set_s(v), true; }
    bool operator()(const std::vector<std::int64_t>& v) const {
        return setType(out, AttributeType::Ints), out.mutable_ints()->Assign(v.begin(), v.end()), true;
    }
    bool operator()(const std::vector<float>& v) const { return setType(out, AttributeType::Floats), out.mutable_floats()->Assign(v.begin(), v.end()), true; }
    bool operator()(const std::vector<std::string>& v) const {
        return setType(out, AttributeType::Strings), out.mutable_strings()->Assign(v.begin(), v.end()), true;
    }
    bool operator()(const Tensor& v) const { return setType(out, AttributeType::Tensor), fillTensor(*out.mutable_t(), v), true; }
    bool operator()(const std::vector<Tensor>& v) const {
        setType(out, AttributeType::Tensors);
        for (const Tensor& each : v)
            fillTensor(*out.add_tensors(), each);
        return true;
    }
    bool operator()(const ValueType& v) const { return setType(out, AttributeType::Type), fillType(*out.mutable_tp(), v), true; }
    bool operator()(GraphId) const { return false; }
    bool operator()(const std::vector<GraphId>&) const { return false; }
};

}  // namespace

void Exporter::nameValue(const Value& value) {
    std::string& name = m_names[value.id.index()];
    if (!name.empty()) return;
    const std::string wanted = value.name.empty() ? fmt::format("value_{}", value.id.index()) : value.name;
    name = wanted;
    for (int i = 1; !m_taken.insert(name).second; ++i)
        name = fmt::format("{}#{}", wanted, i);
}

/// Inputs and outputs of the main graph keep their names; so does everything whose name is its own.
void Exporter::nameValues() {
    m_names.resize(m_model.values().size());
    for (const ValueId id : m_model.main().inputs)
        nameValue(m_model.value(id));
    for (const ValueId id : m_model.main().outputs)
        nameValue(m_model.value(id));
    for (const Value& value : m_model.values())
        nameValue(value);
}

Result<wire::ModelProto> Exporter::write() {
    nameValues();
    wire::ModelProto out;
    const ModelInfo& info = m_model.info();
    out.set_ir_version(info.irVersion == 0 ? kDefaultIr : std::max<std::int64_t>(info.irVersion, 4));  // 3 knows no initializer but a default
    out.set_producer_name(info.producer);
    for (const auto& [domain, version] : info.opsets) {
        auto* import = out.add_opset_import();
        import->set_domain(domain == "ai.onnx" ? "" : domain);
        import->set_version(version);
    }
    for (const auto& [key, value] : info.metadata) {
        auto* entry = out.add_metadata_props();
        entry->set_key(key);
        entry->set_value(value);
    }
    HS_CHECK(writeGraph(GraphId(0), *out.mutable_graph()));
    out.mutable_graph()->set_name(info.name.empty() ? "main" : info.name);
    return out;
}

Status Exporter::writeGraph(GraphId id, wire::GraphProto& out) {
    const Graph& graph = m_model.graph(id);
    out.set_name(graph.name);
    for (const ValueId input : graph.inputs) {
        writeValueInfo(input, *out.add_input());
        if (m_model.value(input).initializer) writeInitializer(input, *out.add_initializer());
    }
    for (const ValueId initializer : graph.initializers)
        writeInitializer(initializer, *out.add_initializer());
    const std::set<ValueId> outputs(graph.outputs.begin(), graph.outputs.end());
    for (const NodeId node : graph.nodes) {
        HS_CHECK(writeNode(m_model.node(node), *out.add_node()));
        for (const ValueId value : m_model.node(node).outputs)
            if (value && !outputs.contains(value) && m_model.value(value).type != ValueType{}) writeValueInfo(value, *out.add_value_info());
    }
    for (const ValueId output : graph.outputs)
        writeValueInfo(output, *out.add_output());
    return {};
}

void Exporter::writeValueInfo(ValueId id, wire::ValueInfoProto& out) const {
    out.set_name(m_names[id.index()]);
    fillType(*out.mutable_type(), m_model.value(id).type);
}

void Exporter::writeInitializer(ValueId id, wire::TensorProto& out) {
    const Tensor& tensor = *m_model.value(id).initializer;
    out.set_name(m_names[id.index()]);
    const bool external = !m_externalFile.empty() && tensor.dtype() != DType::String && tensor.bytes() >= kSmallTensorBytes;
    fillTensor(out, tensor, !external);
    if (!external) return;
    const std::uint64_t offset = (m_externalEnd + kExternalAlignment - 1) / kExternalAlignment * kExternalAlignment;
    m_externalEnd = offset + tensor.bytes();
    m_externals.push_back({tensor, offset});
    out.set_data_location(1);
    const auto add = [&](std::string key, std::string value) {
        auto* entry = out.add_external_data();
        entry->set_key(std::move(key));
        entry->set_value(std::move(value));
    };
    add("location", m_externalFile);
    add("offset", std::to_string(offset));
    add("length", std::to_string(tensor.bytes()));
}

Status Exporter::checkOpset(const Node& node) const {
    const std::string domain = node.domain.empty() ? "ai.onnx" : node.domain;
    const auto it = m_model.info().opsets.find(domain);
    if (it == m_model.info().opsets.end() || it->second != node.opset)
        return fail(ErrorCode::Unsupported, node.name, "follows opset {} of {}, the model imports {}: a model with both cannot be written", node.opset, domain,
                    it == m_model.info().opsets.end() ? 0 : it->second);
    return {};
}

Status Exporter::writeNode(const Node& node, wire::NodeProto& out) {
    HS_CHECK(checkOpset(node));
    out.set_name(node.name);
    out.set_op_type(node.opType);
    out.set_domain(node.domain);
    for (const ValueId input : node.inputs)
        out.add_input(input ? m_names[input.index()] : std::string());
    for (const ValueId output : node.outputs)
        out.add_output(output ? m_names[output.index()] : std::string());
    for (const Attribute& attribute : node.attributes)
        HS_CHECK(writeAttribute(attribute, *out.add_attribute()));
    return {};
}

Status Exporter::writeAttribute(const Attribute& attribute, wire::AttributeProto& out) {
    out.set_name(attribute.name);
    if (std::visit(PlainWriter{out}, attribute.value)) return {};
    if (const auto* one = std::get_if<GraphId>(&attribute.value)) {
        setType(out, AttributeType::Graph);
        return writeGraph(*one, *out.mutable_g());
    }
    setType(out, AttributeType::Graphs);
    for (const GraphId each : std::get<std::vector<GraphId>>(attribute.value))
        HS_CHECK(writeGraph(each, *out.add_graphs()));
    return {};
}

}  // namespace hs
