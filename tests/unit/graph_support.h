// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/graph/op_registry.h"

/// Small models in a few lines.
namespace hs::test {

inline ValueType tensor(DType type, std::vector<Dim> dims) {
    return {TypeKind::Tensor, type, Shape(std::move(dims))};
}
inline ValueType f32(std::vector<Dim> dims) {
    return tensor(DType::F32, std::move(dims));
}
inline Dim sym(const char* name) {
    return Dim(std::string(name));
}
inline Tensor ints(std::vector<std::int64_t> values) {
    return Tensor::of<std::int64_t>({static_cast<std::int64_t>(values.size())}, values);
}

/// Builds one graph, naming values by string.
struct Net {
    ModelBuilder builder;
    std::map<std::string, ValueId> ids;
    int opset = 17;
    GraphId graph{0};

    Net& input(const std::string& name, ValueType type) {
        ids[name] = builder.addInput(graph, name, std::move(type));
        return *this;
    }
    Net& constant(const std::string& name, Tensor value) {
        ids[name] = builder.addInitializer(graph, name, std::move(value));
        return *this;
    }
    /// An empty name is an absent input or output.
    Net& node(const std::string& op, const std::vector<std::string>& in, const std::vector<std::string>& out, std::vector<Attribute> attributes = {}) {
        Node n;
        n.opType = op;
        n.opset = opset;
        n.attributes = std::move(attributes);
        for (const auto& name : in)
            n.inputs.push_back(name.empty() ? ValueId{} : ids.at(name));
        for (const auto& name : out) {
            if (!name.empty() && !ids.contains(name)) ids[name] = builder.addValue(graph, name);
            n.outputs.push_back(name.empty() ? ValueId{} : ids.at(name));
        }
        builder.addNode(graph, std::move(n));
        return *this;
    }
    Net& output(const std::string& name) {
        builder.addOutput(graph, ids.at(name));
        return *this;
    }
    ModelPtr build() { return builder.build().value(); }
};

}  // namespace hs::test
