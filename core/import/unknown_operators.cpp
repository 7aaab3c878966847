// SPDX-License-Identifier: Apache-2.0
#include <map>

#include "core/graph/op_registry.h"
#include "core/import/importer.h"

namespace hs {

std::vector<UnknownOperator> unknownOperators(const Model& model) {
    std::map<std::pair<std::string, std::string>, std::vector<std::string>> found;
    for (const Node& node : model.nodes())
        if (OpRegistry::instance().find(node.domain, node.opType, node.opset) == nullptr) found[{node.domain, node.opType}].push_back(node.name);
    std::vector<UnknownOperator> out;
    for (auto& [key, nodes] : found)
        out.push_back({key.second, key.first, std::move(nodes)});
    return out;
}

}  // namespace hs
