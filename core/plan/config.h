// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace hs {

/// What a rule matches: exactly one of these is set.
struct Match {
    std::string node;     ///< Exact node name.
    std::string pattern;  ///< Node name with * and ?.
    std::string opType;   ///< Operator type.
};

/// One choice of a person: "nodes that match run there". The last matching rule that sets a field wins.
struct Rule {
    Match match;
    std::string device;    ///< Empty: no wish.
    std::string executor;  ///< Empty: no wish.
    bool enabled = true;
    int line = 0;  ///< Line of the config file, for messages; 0 when made in memory.
};

/// The ordered list of choices, as saved in a config file (schema heteroscope.config/1).
struct Edits {
    std::vector<Rule> rules;
    bool empty() const { return rules.empty(); }
};

/// Reads a config. BadRequest names file and line for unknown keys, wrong types and bad JSON. Whether nodes, devices
/// and executors exist is checked by makePlan, which names the rule's line.
Result<Edits> parseConfig(std::string_view json, const std::string& path);

/// Stable spelling: fixed key order, one rule a line. parseConfig(writeConfig(e)) == e.
std::string writeConfig(const Edits& edits);

}  // namespace hs
