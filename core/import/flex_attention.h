// SPDX-License-Identifier: Apache-2.0
// Private to core/import.
#pragma once

#include "core/import/onnx_wire.pb.h"

namespace hs {

/// Replaces every FlexAttention (domain ai.onnx.preview) among the graph's own nodes by the operators that define it, with
/// its bodies score_mod and prob_mod set in between. One that has more than the three inputs Q, K and V stays.
void expandFlexAttention(wire::GraphProto& graph);

}  // namespace hs
