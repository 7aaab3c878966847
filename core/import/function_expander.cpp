// SPDX-License-Identifier: Apache-2.0
// Model-local functions: every call is replaced by the function's nodes, in the graph where the call stands.
#include "core/import/graph_reader.h"

namespace hs {

Status GraphReader::expand(wire::NodeProto& call, const Function& function, Scope& scope) {
    wire::FunctionProto& proto = *function.proto;
    const std::string name = call.name().empty() ? fmt::format("{}_{}", call.op_type(), m_work) : call.name();
    CallFrame frame;
    frame.function = &proto;
    frame.caller = scope.frame;
    frame.opsets = &function.opsets;
    frame.depth = scope.frame == nullptr ? 1 : scope.frame->depth + 1;
    for (const CallFrame* caller = scope.frame; caller != nullptr; caller = caller->caller)
        if (caller->function == &proto) return fail(ErrorCode::BadInput, m_file, "function \"{}\" calls itself: a model-local function must not", proto.name());
    if (frame.depth > m_limits.maxFunctionDepth)
        return fail(ErrorCode::BadInput, m_file, "function \"{}\": calls are nested deeper than {}", proto.name(), m_limits.maxFunctionDepth);

    Scope body;
    body.graph = scope.graph;
    body.depth = scope.depth;
    body.prefix = scope.prefix.empty() ? name : scope.prefix + "/" + name;
    body.frame = &frame;
    HS_CHECK(bindAttributes(call, proto, scope, frame));
    HS_CHECK(bindArguments(call, proto, scope, body));
    HS_CHECK(readNodes(*proto.mutable_node(), body));
    return forwardOutputs(call, proto, scope, body);
}

/// Function inputs become the caller's values; function outputs that a node of the body makes become the caller's outputs.
Status GraphReader::bindArguments(const wire::NodeProto& call, const wire::FunctionProto& function, const Scope& scope, Scope& body) {
    const std::string place = fmt::format("call \"{}\" of function \"{}\"", body.prefix, function.name());
    if (call.input_size() > function.input_size() || call.output_size() > function.output_size())
        return fail(ErrorCode::BadInput, m_file, "{}: gives {} inputs and {} outputs, the function has {} and {}", place, call.input_size(), call.output_size(),
                    function.input_size(), function.output_size());
    HS_TRY(std::vector<ValueId> inputs, resolveInputs(call, scope, place));
    inputs.resize(static_cast<std::size_t>(function.input_size()));
    for (int i = 0; i < function.input_size(); ++i)
        if (!body.names.emplace(function.input(i), inputs[static_cast<std::size_t>(i)]).second)
            return fail(ErrorCode::BadInput, m_file, "{}: input \"{}\" is listed twice", place, function.input(i));

    std::unordered_map<std::string_view, ValueId> wanted;
    for (int i = 0; i < call.output_size(); ++i)
        if (!call.output(i).empty()) wanted.emplace(function.output(i), scope.names.at(call.output(i)));
    for (const auto& node : function.node()) {
        for (const auto& name : node.output()) {
            if (name.empty()) continue;
            if (body.names.contains(name)) return fail(ErrorCode::BadInput, m_file, "{}: value \"{}\" is defined twice in the function", place, name);
            ValueId id;
            if (const auto it = wanted.find(name); it != wanted.end()) {
                id = it->second;
            } else {
                HS_TRY(id, addValue(name, body, {}));
            }
            body.names.emplace(name, id);
        }
    }
    return {};
}

/// An output that is also an input of the function, or listed twice, has no node that could make the caller's value: copy it.
Status GraphReader::forwardOutputs(const wire::NodeProto& call, const wire::FunctionProto& function, const Scope& scope, Scope& body) {
    for (int i = 0; i < call.output_size(); ++i) {
        if (call.output(i).empty()) continue;
        const ValueId outer = scope.names.at(call.output(i));
        const auto inner = body.names.find(function.output(i));
        if (inner == body.names.end() || !inner->second.valid())
            return fail(ErrorCode::BadInput, m_file, "call \"{}\": output \"{}\" of function \"{}\" is produced by no node", body.prefix, function.output(i),
                        function.name());
        if (inner->second == outer) continue;
        const auto opset = body.frame->opsets->find("");
        Node copy;
        copy.name = body.prefix + "/Identity";
        copy.opType = "Identity";
        copy.opset = opset != body.frame->opsets->end() ? static_cast<int>(opset->second) : 1;
        copy.inputs = {inner->second};
        copy.outputs = {outer};
        HS_CHECK(addNode(std::move(copy), body));
    }
    return {};
}

/// What the call gives, looked through references to the caller's own attributes; then the function's defaults.
Status GraphReader::bindAttributes(wire::NodeProto& call, wire::FunctionProto& function, const Scope& scope, CallFrame& frame) const {
    for (auto& attribute : *call.mutable_attribute()) {
        BoundAttribute bound{&attribute, &scope};
        if (!attribute.ref_attr_name().empty()) {
            if (scope.frame == nullptr)
                return fail(ErrorCode::BadInput, m_file, "node \"{}\": attribute \"{}\" refers to a function's attribute outside of any function", call.name(),
                            attribute.name());
            const auto it = scope.frame->attributes.find(attribute.ref_attr_name());
            if (it == scope.frame->attributes.end()) continue;
            bound = it->second;
        }
        if (!frame.attributes.emplace(attribute.name(), bound).second)
            return fail(ErrorCode::BadInput, m_file, "node \"{}\": attribute \"{}\" is given twice", call.name(), attribute.name());
    }
    for (auto& attribute : *function.mutable_attribute_proto())
        frame.attributes.emplace(attribute.name(), BoundAttribute{&attribute, &scope});
    return {};
}

}  // namespace hs
