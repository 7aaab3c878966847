// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "core/graph/model.h"
#include "core/graph/op_registry.h"

/// Private to core/rewrite: what simplify() asks of single nodes.
namespace hs {

/// The value of a Constant node, whatever attribute holds it; nullopt for sparse ones.
std::optional<Tensor> constantValue(const Node& node);

/// A tensor of elements that inference knows completely: int32, int64 and bool of static shape.
std::optional<Tensor> knownTensor(const InferredValue& value);

/// The output's value where it needs no run: a Constant's, or one that inference knows.
std::optional<Tensor> foldedOutput(const Node& node, const InferredValue& output);

/// Does output 0 always equal input 0? Identity, and Dropout that does not train.
bool passesThrough(const Model& model, const TypeTable& types, const Node& node);

}  // namespace hs
