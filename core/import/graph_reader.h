// SPDX-License-Identifier: Apache-2.0
// Private to core/import.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "core/graph/model.h"
#include "core/import/importer.h"
#include "core/import/tensor_proto.h"

namespace hs {

/// Versions by domain; the default domain is "".
using OpsetMap = std::map<std::string, std::int64_t, std::less<>>;

/// Reads the opset imports of a model or a function; the highest version of a domain counts.
Result<OpsetMap> readOpsets(const google::protobuf::RepeatedPtrField<wire::OpsetId>& imports);
/// "" for both spellings of the default domain.
std::string normalDomain(const std::string& domain);

struct Scope;

/// An attribute that a call gives to a function; a graph in it sees the names of the caller.
struct BoundAttribute {
    wire::AttributeProto* proto = nullptr;
    const Scope* scope = nullptr;
};

/// A call of a model-local function that is being expanded.
struct CallFrame {
    const wire::FunctionProto* function = nullptr;
    const CallFrame* caller = nullptr;
    const OpsetMap* opsets = nullptr;
    int depth = 1;
    std::map<std::string, BoundAttribute, std::less<>> attributes;
};

/// Names visible to the nodes of one graph or function body.
struct Scope {
    const Scope* outer = nullptr;  ///< Enclosing graph; null for the main graph and function bodies, which see nothing outside.
    GraphId graph;
    int depth = 0;
    std::string prefix;  ///< Path of calls, "outer/inner"; empty outside functions.
    const CallFrame* frame = nullptr;
    std::unordered_map<std::string_view, ValueId> names;

    /// The innermost value of that name; null when there is none. An invalid id is a function input that the call leaves out.
    const ValueId* find(std::string_view name) const;
};

/// Turns a parsed model into a Model: names become ids, functions are expanded, subgraphs become graphs of their own.
/// Takes the data out of the messages, so a message serves one reader.
class GraphReader {
public:
    GraphReader(ModelBuilder& builder, std::string file, TensorSource source, const ImportLimits& limits)
        : m_builder(builder), m_file(std::move(file)), m_source(source), m_limits(limits) {}
    Status read(wire::ModelProto& model);

private:
    struct Function {
        wire::FunctionProto* proto = nullptr;
        OpsetMap opsets;
    };
    using FunctionKey = std::tuple<std::string, std::string, std::string>;  ///< Domain, name, overload.
    using Nodes = google::protobuf::RepeatedPtrField<wire::NodeProto>;
    using ValueInfos = google::protobuf::RepeatedPtrField<wire::ValueInfoProto>;

    Status readFunctions(wire::ModelProto& model);
    Status readGraph(wire::GraphProto& proto, Scope& scope);
    Status readInputs(const ValueInfos& inputs, Scope& scope);
    Status readInitializers(wire::GraphProto& proto, Scope& scope);
    Status addInitializer(std::string_view name, Tensor tensor, Scope& scope);
    Status declareOutputs(const Nodes& nodes, const ValueInfos& infos, Scope& scope);
    Status readNodes(Nodes& nodes, Scope& scope);
    Status readOutputs(const ValueInfos& outputs, Scope& scope);

    Result<std::int64_t> opsetOf(const std::string& domain, const Scope& scope, const std::string& place);
    Status readNode(wire::NodeProto& proto, Scope& scope);
    Result<std::vector<ValueId>> resolveInputs(const wire::NodeProto& proto, const Scope& scope, const std::string& place) const;
    Status expand(wire::NodeProto& call, const Function& function, Scope& scope);
    Status bindArguments(const wire::NodeProto& call, const wire::FunctionProto& function, const Scope& scope, Scope& body);
    Status bindAttributes(wire::NodeProto& call, wire::FunctionProto& function, const Scope& scope, CallFrame& frame) const;
    Status forwardOutputs(const wire::NodeProto& call, const wire::FunctionProto& function, const Scope& scope, Scope& body);

    Status readAttributes(wire::NodeProto& proto, const Scope& scope, Node& node, const std::string& place);
    Result<AttributeValue> readValue(wire::AttributeProto& proto, const Scope& scope);
    Result<AttributeValue> readList(wire::AttributeProto& proto, const Scope& scope);
    Result<GraphId> readBody(wire::GraphProto& proto, const Scope& scope);
    Result<Tensor> tensor(wire::TensorProto& proto);
    Status spendCopies(const wire::AttributeProto& proto);

    Result<ValueId> addValue(std::string_view name, const Scope& scope, ValueType type);
    Status addNode(Node node, const Scope& scope);
    std::string scopedName(std::string_view name, const Scope& scope);
    Status spend(std::string_view what);
    tl::unexpected<Error> at(std::string_view place, Error error) const;

    ModelBuilder& m_builder;
    std::string m_file;
    TensorSource m_source;
    const ImportLimits& m_limits;
    OpsetMap m_opsets;
    std::map<FunctionKey, Function> m_functions;
    std::unordered_map<const wire::TensorProto*, Tensor> m_tensors;  ///< Read already; a function body is read once per call.
    std::unordered_set<std::string> m_scopedNames;                   ///< Names taken by expanded values.
    std::uint64_t m_work = 0;                                        ///< Nodes and calls so far.
    std::uint64_t m_values = 0;
    std::uint64_t m_copiedElements = 0;
};

}  // namespace hs
