// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/graph/model.h"

namespace hs::test {

/// input → blocks × (Conv, Relu, Conv, Add with a skip) → GlobalAveragePool → Gemm → output.
ModelPtr residualModel(int blocks);
/// Relu → If (then: Sigmoid of a captured value; else: Tanh, Neg) → Abs, and a Constant that feeds an Add.
ModelPtr branchingModel();
/// One Split-like source, `branches` chains of `depth` Relu, one Concat.
ModelPtr wideModel(int branches, int depth);

}  // namespace hs::test
