// SPDX-License-Identifier: Apache-2.0
#include "core/import/graph_reader.h"

namespace hs {
namespace {

std::string placeOf(const wire::NodeProto& proto, const Scope& scope) {
    const std::string path = scope.prefix.empty() ? proto.name() : scope.prefix + "/" + proto.name();
    return fmt::format("node \"{}\" ({})", path, proto.op_type());
}

}  // namespace

Status GraphReader::addNode(Node node, const Scope& scope) {
    node.functionPath = scope.prefix;
    m_builder.addNode(scope.graph, std::move(node));
    return {};
}

Result<std::vector<ValueId>> GraphReader::resolveInputs(const wire::NodeProto& proto, const Scope& scope, const std::string& place) const {
    std::vector<ValueId> out;
    for (const auto& name : proto.input()) {
        const ValueId* id = name.empty() ? nullptr : scope.find(name);
        if (id == nullptr && !name.empty())
            return fail(ErrorCode::BadInput, m_file, "{}: input \"{}\" is produced by no node, input or initializer", place, name);
        out.push_back(id == nullptr ? ValueId{} : *id);
    }
    while (!out.empty() && !out.back())
        out.pop_back();
    return out;
}

/// Exporters forget to import other domains than the default one, of which version 1 is then meant.
Result<std::int64_t> GraphReader::opsetOf(const std::string& domain, const Scope& scope, const std::string& place) {
    const OpsetMap& opsets = scope.frame != nullptr ? *scope.frame->opsets : m_opsets;
    if (const auto it = opsets.find(domain); it != opsets.end()) return it->second;
    if (domain.empty()) return fail(ErrorCode::BadInput, m_file, "{}: the operator set ai.onnx that it needs is not imported", place);
    m_builder.info().opsets.try_emplace(domain, 1);
    return 1;
}

Status GraphReader::readNode(wire::NodeProto& proto, Scope& scope) {
    const std::string place = placeOf(proto, scope);
    HS_CHECK(spend(place));
    if (proto.op_type().empty()) return fail(ErrorCode::BadInput, m_file, "{}: has no operator type", place);
    const std::string domain = normalDomain(proto.domain());
    if (const auto it = m_functions.find({domain, proto.op_type(), proto.overload()}); it != m_functions.end()) return expand(proto, it->second, scope);

    HS_TRY(const std::int64_t opset, opsetOf(domain, scope, place));
    Node node;
    if (!proto.name().empty()) node.name = scope.prefix.empty() ? proto.name() : scope.prefix + "/" + proto.name();
    if (proto.name().empty() && !scope.prefix.empty()) node.name = scope.prefix + "/" + proto.op_type();
    node.opType = proto.op_type();
    node.domain = domain;
    node.opset = static_cast<int>(opset);
    HS_TRY(node.inputs, resolveInputs(proto, scope, place));
    for (const auto& name : proto.output())
        node.outputs.push_back(name.empty() ? ValueId{} : scope.names.at(name));
    HS_CHECK(readAttributes(proto, scope, node, place));
    return addNode(std::move(node), scope);
}

}  // namespace hs
