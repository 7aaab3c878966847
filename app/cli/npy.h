// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/base/result.h"
#include "core/graph/tensor.h"

namespace hs::cli {

/// Reads NumPy's .npy format, versions 1 to 3: little-endian numbers and bools in C order. BadInput for anything else.
Result<Tensor> readNpy(const std::string& path);

}  // namespace hs::cli
