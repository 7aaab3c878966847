// SPDX-License-Identifier: Apache-2.0
#include "core/import/graph_reader.h"

#include "core/import/flex_attention.h"
#include "core/import/type_proto.h"

namespace hs {

std::string normalDomain(const std::string& domain) {
    return domain == "ai.onnx" ? std::string() : domain;
}

Result<OpsetMap> readOpsets(const google::protobuf::RepeatedPtrField<wire::OpsetId>& imports) {
    OpsetMap out;
    for (const auto& import : imports) {
        if (import.version() < 1 || import.version() > 1'000'000)
            return fail(ErrorCode::BadInput, "", "opset version {} of domain \"{}\" is not possible", import.version(), import.domain());
        std::int64_t& version = out[normalDomain(import.domain())];
        version = std::max(version, import.version());
    }
    return out;
}

const ValueId* Scope::find(std::string_view name) const {
    for (const Scope* scope = this; scope != nullptr; scope = scope->outer)
        if (const auto it = scope->names.find(name); it != scope->names.end()) return &it->second;
    return nullptr;
}

tl::unexpected<Error> GraphReader::at(std::string_view place, Error error) const {
    if (error.where != m_file) {
        error.message = fmt::format("{}: {}", place, error.message);
        error.where = m_file;
    }
    return tl::unexpected<Error>(std::move(error));
}

Status GraphReader::spend(std::string_view what) {
    if (++m_work > m_limits.maxNodes)
        return fail(ErrorCode::BadInput, m_file, "more than {} nodes and function calls (at {}): over the limit for a model", m_limits.maxNodes, what);
    return {};
}

Status GraphReader::read(wire::ModelProto& model) {
    auto opsets = readOpsets(model.opset_import());
    if (!opsets) return at("opset_import", std::move(opsets).error());
    m_opsets = std::move(*opsets);
    if (m_opsets.empty()) return fail(ErrorCode::BadInput, m_file, "the model imports no operator set: it is damaged or not an ONNX model");
    for (const auto& [domain, version] : m_opsets)
        m_builder.info().opsets[domain.empty() ? "ai.onnx" : domain] = version;
    HS_CHECK(readFunctions(model));
    Scope scope;
    scope.graph = GraphId(0);
    HS_CHECK(readGraph(*model.mutable_graph(), scope));
    if (model.graph().output_size() == 0) return fail(ErrorCode::BadInput, m_file, "the graph has no outputs");
    return {};
}

Status GraphReader::readFunctions(wire::ModelProto& model) {
    for (auto& proto : *model.mutable_functions()) {
        const std::string place = fmt::format("function \"{}\"", proto.name());
        if (proto.name().empty()) return fail(ErrorCode::BadInput, m_file, "a model-local function has no name");
        auto opsets = readOpsets(proto.opset_import());
        if (!opsets) return at(place, std::move(opsets).error());
        const bool added = m_functions.try_emplace({normalDomain(proto.domain()), proto.name(), proto.overload()}, Function{&proto, std::move(*opsets)}).second;
        if (!added) return fail(ErrorCode::BadInput, m_file, "{}: defined twice", place);
    }
    return {};
}

Status GraphReader::readGraph(wire::GraphProto& proto, Scope& scope) {
    expandFlexAttention(proto);
    HS_CHECK(readInputs(proto.input(), scope));
    HS_CHECK(readInitializers(proto, scope));
    HS_CHECK(declareOutputs(proto.node(), proto.value_info(), scope));
    HS_CHECK(readNodes(*proto.mutable_node(), scope));
    return readOutputs(proto.output(), scope);
}

std::string GraphReader::scopedName(std::string_view name, const Scope& scope) {
    if (scope.prefix.empty()) {
        if (!m_functions.empty()) m_scopedNames.emplace(name);
        return std::string(name);
    }
    const std::string wanted = fmt::format("{}/{}", scope.prefix, name);
    std::string out = wanted;
    for (int i = 1; !m_scopedNames.insert(out).second; ++i)
        out = fmt::format("{}#{}", wanted, i);
    return out;
}

Result<ValueId> GraphReader::addValue(std::string_view name, const Scope& scope, ValueType type) {
    if (++m_values > m_limits.maxValues) return fail(ErrorCode::BadInput, m_file, "more than {} values: over the limit for a model", m_limits.maxValues);
    return m_builder.addValue(scope.graph, scopedName(name, scope), std::move(type));
}

Status GraphReader::readInputs(const ValueInfos& inputs, Scope& scope) {
    for (const auto& info : inputs) {
        if (info.name().empty()) return fail(ErrorCode::BadInput, m_file, "a graph input has no name");
        auto type = readType(info.type());
        if (!type) return at(fmt::format("input \"{}\"", info.name()), std::move(type).error());
        if (++m_values > m_limits.maxValues) return fail(ErrorCode::BadInput, m_file, "more than {} values: over the limit for a model", m_limits.maxValues);
        if (scope.names.contains(info.name())) return fail(ErrorCode::BadInput, m_file, "input \"{}\": listed twice", info.name());
        scope.names.emplace(info.name(), m_builder.addInput(scope.graph, scopedName(info.name(), scope), std::move(*type)));
    }
    return {};
}

Status GraphReader::readInitializers(wire::GraphProto& proto, Scope& scope) {
    for (auto& initializer : *proto.mutable_initializer()) {
        auto value = tensor(initializer);
        if (!value) return at(fmt::format("initializer \"{}\"", initializer.name()), std::move(value).error());
        HS_CHECK(addInitializer(initializer.name(), std::move(*value), scope));
    }
    for (auto& sparse : *proto.mutable_sparse_initializer()) {
        auto value = takeSparseTensor(sparse, m_source);
        if (!value) return at(fmt::format("sparse initializer \"{}\"", sparse.values().name()), std::move(value).error());
        HS_CHECK(addInitializer(sparse.values().name(), std::move(*value), scope));
    }
    return {};
}

/// One that is also listed as an input is that input's default (always so before IR 4).
Status GraphReader::addInitializer(std::string_view name, Tensor tensor, Scope& scope) {
    if (name.empty()) return fail(ErrorCode::BadInput, m_file, "an initializer has no name");
    const auto known = scope.names.find(name);
    if (known == scope.names.end()) {
        if (++m_values > m_limits.maxValues) return fail(ErrorCode::BadInput, m_file, "more than {} values: over the limit for a model", m_limits.maxValues);
        scope.names.emplace(name, m_builder.addInitializer(scope.graph, scopedName(name, scope), std::move(tensor)));
        return {};
    }
    const Value& input = m_builder.value(known->second);
    if (input.role != ValueRole::GraphInput || input.initializer) return fail(ErrorCode::BadInput, m_file, "initializer \"{}\": defined twice", name);
    const auto dims = input.type.shape.concrete();
    const bool typed = input.type.dtype != DType::Undefined;
    if ((typed && input.type.dtype != tensor.dtype()) || (dims && *dims != tensor.dims()))
        return fail(ErrorCode::BadInput, m_file, "initializer \"{}\" is {}, but the input of that name is declared as {}", name, tensor.type().text(),
                    input.type.text());
    m_builder.setDefault(known->second, std::move(tensor));
    return {};
}

Status GraphReader::declareOutputs(const Nodes& nodes, const ValueInfos& infos, Scope& scope) {
    std::unordered_map<std::string_view, const wire::ValueInfoProto*> declared;
    for (const auto& info : infos)
        declared[info.name()] = &info;
    for (const auto& node : nodes) {
        for (const auto& name : node.output()) {
            if (name.empty()) continue;
            ValueType type;
            if (const auto it = declared.find(name); it != declared.end()) {
                auto read = readType(it->second->type());
                if (!read) return at(fmt::format("value \"{}\"", name), std::move(read).error());
                type = std::move(*read);
            }
            if (scope.names.contains(name))
                return fail(ErrorCode::BadInput, m_file, "value \"{}\": defined twice in one graph, again by node \"{}\" ({})", name, node.name(),
                            node.op_type());
            HS_TRY(const ValueId id, addValue(name, scope, std::move(type)));
            scope.names.emplace(name, id);
        }
    }
    return {};
}

Status GraphReader::readNodes(Nodes& nodes, Scope& scope) {
    for (auto& node : nodes)
        HS_CHECK(readNode(node, scope));
    return {};
}

Status GraphReader::readOutputs(const ValueInfos& outputs, Scope& scope) {
    for (const auto& info : outputs) {
        const ValueId* id = scope.find(info.name());
        if (id == nullptr || !id->valid())
            return fail(ErrorCode::BadInput, m_file, "graph output \"{}\" is produced by no node, input or initializer", info.name());
        auto type = readType(info.type());
        if (!type) return at(fmt::format("output \"{}\"", info.name()), std::move(type).error());
        const Value& value = m_builder.value(*id);
        if (value.role == ValueRole::NodeOutput && value.graph == scope.graph && *type != ValueType{}) m_builder.setType(*id, std::move(*type));
        m_builder.addOutput(scope.graph, *id);
    }
    return {};
}

}  // namespace hs
