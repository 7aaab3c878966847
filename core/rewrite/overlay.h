// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "core/base/reason.h"
#include "core/graph/model.h"
#include "core/graph/op_registry.h"

namespace hs {

/// What rewriting found out about a model, laid over it: the graph itself is never edited.
/// Per node: does it still execute, or was it folded or eliminated, and why.
struct Overlay {
    enum class Fate : std::uint8_t { Live, Folded, Eliminated };
    std::vector<Fate> fate;                             ///< By NodeId.
    std::vector<Reason> reason;                         ///< By NodeId; empty for live nodes.
    std::vector<std::pair<ValueId, Tensor>> constants;  ///< Values known before the run.
    std::vector<std::pair<ValueId, ValueId>> aliases;   ///< Output of an eliminated node, and the value that stands for it.
};

/// Folds Constant nodes and integer values that shape inference already knows, and eliminates Identity (and inference
/// Dropout without a mask) and nodes whose outputs nobody reads.
Overlay simplify(const Model& model, const TypeTable& types);

}  // namespace hs
