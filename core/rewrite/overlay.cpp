// SPDX-License-Identifier: Apache-2.0
#include "core/rewrite/overlay.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "core/rewrite/fold.h"

namespace hs {
namespace {

/// Builds the overlay in three passes: fold, alias, drop what nobody reads.
class Simplifier {
public:
    Simplifier(const Model& model, const TypeTable& types) : m_model(model), m_types(types) {
        m_out.fate.assign(model.nodes().size(), Overlay::Fate::Live);
        m_out.reason.resize(model.nodes().size());
        for (const Graph& graph : model.graphs())
            m_graphOutputs.insert(graph.outputs.begin(), graph.outputs.end());
    }

    Overlay run() {
        for (const Node& node : m_model.nodes())
            fold(node);
        for (const Graph& graph : m_model.graphs())
            for (const NodeId id : graph.nodes)
                alias(m_model.node(id));
        for (auto& [output, root] : m_out.aliases)
            root = rootOf(root);
        dropUnread();
        return std::move(m_out);
    }

private:
    bool isLive(NodeId id) const { return m_out.fate[id.index()] == Overlay::Fate::Live; }
    bool isRead(ValueId id) const { return id && (m_graphOutputs.contains(id) || !m_model.value(id).consumers.empty()); }

    void settle(const Node& node, Overlay::Fate fate) {
        m_out.fate[node.id.index()] = fate;
        m_out.reason[node.id.index()] = {fate == Overlay::Fate::Folded ? "plan.folded" : "plan.eliminated", {}};
    }

    void fold(const Node& node) {
        if (!node.subgraphs().empty()) return;
        std::vector<std::pair<ValueId, Tensor>> found;
        for (const ValueId output : node.outputs) {
            if (!output) continue;
            auto tensor = foldedOutput(node, m_types.at(output));
            if (tensor)
                found.emplace_back(output, std::move(*tensor));
            else if (isRead(output))
                return;
        }
        if (found.empty()) return;
        settle(node, Overlay::Fate::Folded);
        for (auto& constant : found) {
            m_folded.insert(constant.first);
            m_out.constants.push_back(std::move(constant));
        }
    }

    void alias(const Node& node) {
        if (!isLive(node.id) || !passesThrough(m_model, m_types, node)) return;
        const ValueId output = node.outputs.front();
        // A graph's own inputs and outputs keep their values: the runner reads and writes them by id.
        if (m_graphOutputs.contains(output) || m_model.value(node.inputs.front()).role == ValueRole::GraphInput) return;
        for (std::size_t i = 1; i < node.outputs.size(); ++i)
            if (isRead(node.outputs[i])) return;
        m_alias.emplace(output, node.inputs.front());
        m_out.aliases.emplace_back(output, node.inputs.front());
        settle(node, Overlay::Fate::Eliminated);
    }

    /// A body may be listed before the graph whose values it captures, so chains are followed when all are known.
    ValueId rootOf(ValueId id) const {
        for (auto it = m_alias.find(id); it != m_alias.end(); it = m_alias.find(id))
            id = it->second;
        return id;
    }

    /// Marks producers backward from the main graph's outputs. A live node needs the outputs of its bodies too.
    void dropUnread() {
        std::unordered_set<NodeId> needed;
        std::vector<NodeId> pending;
        const auto need = [&](ValueId id) {
            if (!id) return;
            id = rootOf(id);
            const NodeId producer = m_model.value(id).producer;
            if (producer && !m_folded.contains(id) && needed.insert(producer).second) pending.push_back(producer);
        };
        for (const ValueId output : m_model.main().outputs)
            need(output);
        while (!pending.empty()) {
            const Node& node = m_model.node(pending.back());
            pending.pop_back();
            for (const ValueId input : node.inputs)
                need(input);
            for (const GraphId body : node.subgraphs())
                for (const ValueId output : m_model.graph(body).outputs)
                    need(output);
        }
        for (const Node& node : m_model.nodes())
            if (isLive(node.id) && !needed.contains(node.id)) settle(node, Overlay::Fate::Eliminated);
    }

    const Model& m_model;
    const TypeTable& m_types;
    Overlay m_out;
    std::unordered_set<ValueId> m_graphOutputs;
    std::unordered_set<ValueId> m_folded;
    std::unordered_map<ValueId, ValueId> m_alias;
};

}  // namespace

Overlay simplify(const Model& model, const TypeTable& types) {
    return Simplifier(model, types).run();
}

}  // namespace hs
