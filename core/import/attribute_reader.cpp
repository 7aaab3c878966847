// SPDX-License-Identifier: Apache-2.0
#include <set>

#include "core/import/attribute_type.h"
#include "core/import/graph_reader.h"
#include "core/import/type_proto.h"

namespace hs {
namespace {

/// Elements that attributes of functions may be copied into in all, over every call.
constexpr std::uint64_t kMaxCopiedElements = std::uint64_t{1} << 27;

/// The type whose field the message fills, Undefined when none is (a zero may be left out), nothing when several are.
std::optional<AttributeType> filledField(const wire::AttributeProto& a) {
    const std::pair<bool, AttributeType> fields[] = {
        {a.has_f(), AttributeType::Float},
        {a.has_i(), AttributeType::Int},
        {a.has_s(), AttributeType::String},
        {a.has_t(), AttributeType::Tensor},
        {a.has_g(), AttributeType::Graph},
        {a.has_tp(), AttributeType::Type},
        {a.has_sparse_tensor(), AttributeType::SparseTensor},
        {a.floats_size() > 0, AttributeType::Floats},
        {a.ints_size() > 0, AttributeType::Ints},
        {a.strings_size() > 0, AttributeType::Strings},
        {a.tensors_size() > 0, AttributeType::Tensors},
        {a.graphs_size() > 0, AttributeType::Graphs},
        {a.type_protos_size() > 0, AttributeType::Types},
        {a.sparse_tensors_size() > 0, AttributeType::SparseTensors},
    };
    std::optional<AttributeType> found = AttributeType::Undefined;
    for (const auto& [filled, type] : fields) {
        if (!filled) continue;
        if (found != AttributeType::Undefined) return std::nullopt;
        found = type;
    }
    return found;
}

/// A message without content stands for zero, an empty string or an empty list, but not for a tensor, graph or type.
Status checkField(const wire::AttributeProto& a) {
    const auto type = static_cast<AttributeType>(a.type());
    const auto filled = filledField(a);
    const bool needsContent =
        type == AttributeType::Tensor || type == AttributeType::Graph || type == AttributeType::Type || type == AttributeType::SparseTensor;
    if (!filled || (*filled != type && (*filled != AttributeType::Undefined || needsContent)))
        return fail(ErrorCode::BadInput, "", "its content is not of the type {} that it claims", a.type());
    return {};
}

}  // namespace

Status GraphReader::readAttributes(wire::NodeProto& proto, const Scope& scope, Node& node, const std::string& place) {
    std::set<std::string_view> seen;
    for (auto& attribute : *proto.mutable_attribute()) {
        const std::string here = fmt::format("{}: attribute \"{}\"", place, attribute.name());
        if (attribute.name().empty() || !seen.insert(attribute.name()).second)
            return fail(ErrorCode::BadInput, m_file, "{}: {}", here, attribute.name().empty() ? "has no name" : "is given twice");
        BoundAttribute bound{&attribute, &scope};
        if (!attribute.ref_attr_name().empty()) {
            if (scope.frame == nullptr) return fail(ErrorCode::BadInput, m_file, "{}: refers to a function's attribute outside of any function", here);
            const auto it = scope.frame->attributes.find(attribute.ref_attr_name());
            if (it == scope.frame->attributes.end()) continue;  // optional and not given: the operator's own default holds
            bound = it->second;
            if (attribute.type() != 0 && attribute.type() != bound.proto->type())
                return fail(ErrorCode::BadInput, m_file, "{}: wants type {}, but the call gives type {}", here, attribute.type(), bound.proto->type());
        }
        auto value = readValue(*bound.proto, *bound.scope);
        if (!value) return at(here, std::move(value).error());
        // Held densely, so Constant's sparse_value is its value.
        const bool sparse = node.opType == "Constant" && attribute.name() == "sparse_value";
        node.attributes.push_back({sparse ? "value" : attribute.name(), std::move(*value)});
    }
    return {};
}

Result<AttributeValue> GraphReader::readValue(wire::AttributeProto& proto, const Scope& scope) {
    HS_CHECK(checkField(proto));
    HS_CHECK(spendCopies(proto));
    switch (static_cast<AttributeType>(proto.type())) {
        case AttributeType::Float: return proto.f();
        case AttributeType::Int: return std::int64_t{proto.i()};
        case AttributeType::String: return proto.s();
        case AttributeType::Floats: return std::vector<float>(proto.floats().begin(), proto.floats().end());
        case AttributeType::Ints: return std::vector<std::int64_t>(proto.ints().begin(), proto.ints().end());
        case AttributeType::Strings: return std::vector<std::string>(proto.strings().begin(), proto.strings().end());
        case AttributeType::Tensor: {
            HS_TRY(Tensor out, tensor(*proto.mutable_t()));
            return out;
        }
        case AttributeType::SparseTensor: {
            // Not taken from the message itself: a function body may be read again.
            wire::SparseTensorProto copy = proto.sparse_tensor();
            HS_TRY(Tensor out, takeSparseTensor(copy, m_source));
            return out;
        }
        case AttributeType::Type: {
            HS_TRY(ValueType out, readType(proto.tp()));
            return out;
        }
        case AttributeType::Graph: {
            HS_TRY(const GraphId out, readBody(*proto.mutable_g(), scope));
            return out;
        }
        default: return readList(proto, scope);
    }
}

Result<AttributeValue> GraphReader::readList(wire::AttributeProto& proto, const Scope& scope) {
    switch (static_cast<AttributeType>(proto.type())) {
        case AttributeType::Tensors: {
            std::vector<Tensor> out;
            for (auto& each : *proto.mutable_tensors()) {
                HS_TRY(Tensor one, tensor(each));
                out.push_back(std::move(one));
            }
            return out;
        }
        case AttributeType::Graphs: {
            std::vector<GraphId> out;
            for (auto& each : *proto.mutable_graphs()) {
                HS_TRY(const GraphId one, readBody(each, scope));
                out.push_back(one);
            }
            return out;
        }
        case AttributeType::Types:
        case AttributeType::SparseTensors: return fail(ErrorCode::Unsupported, "", "lists of types or sparse tensors are not supported");
        default: return fail(ErrorCode::BadInput, "", "unknown attribute type {}", proto.type());
    }
}

Result<GraphId> GraphReader::readBody(wire::GraphProto& proto, const Scope& scope) {
    if (scope.depth >= m_limits.maxSubgraphDepth) return fail(ErrorCode::BadInput, "", "subgraphs are nested deeper than {}", m_limits.maxSubgraphDepth);
    HS_CHECK(spend("a subgraph"));
    Scope body;
    body.outer = &scope;
    body.graph = m_builder.addGraph(proto.name());
    body.depth = scope.depth + 1;
    body.prefix = scope.prefix;
    body.frame = scope.frame;
    HS_CHECK(readGraph(proto, body));
    return body.graph;
}

Result<Tensor> GraphReader::tensor(wire::TensorProto& proto) {
    if (m_functions.empty()) return takeTensor(proto, m_source);
    if (const auto it = m_tensors.find(&proto); it != m_tensors.end()) return it->second;
    HS_TRY(Tensor out, takeTensor(proto, m_source));
    m_tensors.emplace(&proto, out);
    return out;
}

Status GraphReader::spendCopies(const wire::AttributeProto& proto) {
    if (m_functions.empty()) return {};
    m_copiedElements += static_cast<std::uint64_t>(proto.ints_size()) + static_cast<std::uint64_t>(proto.floats_size()) + proto.s().size() / sizeof(float);
    for (const auto& each : proto.strings())
        m_copiedElements += 8 + each.size() / sizeof(float);
    if (m_copiedElements > kMaxCopiedElements)
        return fail(ErrorCode::BadInput, "", "function calls repeat too much attribute data: over the limit for a model");
    return {};
}

}  // namespace hs
