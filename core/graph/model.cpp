// SPDX-License-Identifier: Apache-2.0
#include "core/graph/model.h"

#include <algorithm>
#include <set>

namespace hs {

const AttributeValue* Node::find(std::string_view attribute) const {
    const auto it = std::find_if(attributes.begin(), attributes.end(), [&](const Attribute& a) { return a.name == attribute; });
    return it == attributes.end() ? nullptr : &it->value;
}

std::vector<GraphId> Node::subgraphs() const {
    std::vector<GraphId> out;
    for (const Attribute& attribute : attributes) {
        if (const auto* one = std::get_if<GraphId>(&attribute.value)) out.push_back(*one);
        if (const auto* many = std::get_if<std::vector<GraphId>>(&attribute.value)) out.insert(out.end(), many->begin(), many->end());
    }
    return out;
}

std::vector<ValueId> Model::requiredInputs() const {
    std::vector<ValueId> out;
    for (const ValueId id : main().inputs)
        if (!value(id).initializer) out.push_back(id);
    return out;
}

std::vector<ValueId> Model::captures(GraphId graphId) const {
    std::set<GraphId> inside;
    std::set<ValueId> read;
    std::vector<GraphId> pending = {graphId};
    while (!pending.empty()) {
        const GraphId current = pending.back();
        pending.pop_back();
        inside.insert(current);
        read.insert(graph(current).outputs.begin(), graph(current).outputs.end());
        for (const NodeId id : graph(current).nodes) {
            for (const ValueId input : node(id).inputs)
                if (input) read.insert(input);
            for (const GraphId body : node(id).subgraphs())
                pending.push_back(body);
        }
    }
    std::vector<ValueId> out;
    for (const ValueId id : read)
        if (!inside.contains(value(id).graph)) out.push_back(id);
    return out;
}

NodeId Model::findNode(std::string_view name) const {
    const auto it = m_byName.find(name);
    return it == m_byName.end() ? NodeId{} : it->second;
}

}  // namespace hs
