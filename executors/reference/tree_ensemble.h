// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "executors/reference/call.h"

namespace hs::ref {

/// TreeEnsemble of ai.onnx.ml 5: rows [N, F] to [N, n_targets], by trees whose nodes compare one feature each.
Status treeEnsemble(Call& call);

}  // namespace hs::ref
