// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/plan/plan.h"

namespace hs {

inline constexpr std::string_view kHostExecutor = "host";  ///< Steps that the runner does itself: control flow and views.

/// True for If, Loop, Scan and SequenceMap of ai.onnx.
bool isControlFlow(const Node& node);

/// True when the node only gives its first input another shape and both are known: no kernel is needed.
bool isStaticView(const Node& node, const TypeTable& types);

/// A config's rules, arranged so that the winning one of a node is found without going through all.
class RuleBook {
public:
    /// BadRequest, naming the rule's line, for a rule that names an unknown device, executor, node or operator.
    static Result<RuleBook> make(const PlanRequest& request);

    struct Wish {
        std::string device, executor;  ///< Empty: none.
        std::size_t rule = 0;          ///< Number of the last rule that took part, from 1; 0: none did.
    };
    Wish wishFor(const Node& node) const;

private:
    /// Indices of the last rules that set the device and the executor.
    struct Last {
        std::optional<std::size_t> device, executor;
        void add(const Rule& rule, std::size_t index);
        void merge(const Last& other);
    };
    std::vector<Rule> m_rules;
    std::map<std::string, Last, std::less<>> m_byNode, m_byOp;
    std::vector<std::size_t> m_patterns;
};

/// `*` stands for any characters, `?` for one.
bool globMatches(std::string_view pattern, std::string_view text);

/// Where one node goes.
struct Placement {
    bool found = false;
    std::uint32_t device = 0;
    std::size_t executor = 0;  ///< Index in the device's executors.
    Decision decision;         ///< `rejected` also filled when nothing was found.
};
Placement placeNode(const PlanRequest& request, const RuleBook& rules, const Node& node, const TypeTable& types);

}  // namespace hs
