// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/zoo/net.h"

namespace hs {

/// Parts of transformers in the raw operator patterns that PyTorch's exporter writes before any fusion.

/// ReduceMean, Sub, Pow, ReduceMean, Add, Sqrt, Div, Mul, Add over the last axis (Ba et al. 2016).
ValueId rawLayerNorm(Net& net, const std::string& path, ValueId x, std::int64_t width, float epsilon);
/// x / sqrt(2), Erf, + 1, * x, * 0.5 (Hendrycks and Gimpel 2016).
ValueId rawGeluErf(Net& net, const std::string& path, ValueId x);
/// 0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))), the approximation that GPT-2 uses.
ValueId rawGeluTanh(Net& net, const std::string& path, ValueId x);
/// MatMul with a weight [in, out] and Add of the bias, as torch.nn.Linear on rank 3.
ValueId denseMatMul(Net& net, const std::string& path, ValueId x, std::int64_t in, std::int64_t out);
/// Size of one axis as int64[1]: Shape, Gather, Unsqueeze.
ValueId axisSize(Net& net, const std::string& path, ValueId x, std::int64_t axis);
/// Reshape to the sizes of the first two axes followed by `rest`, worked out by a Shape chain.
ValueId reshapeKeepingTwo(Net& net, const std::string& path, ValueId x, const std::vector<std::int64_t>& rest);

}  // namespace hs
