// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/graph/tensor.h"

namespace hs {

/// SHA-256, hexadecimal, of the packed little-endian data. Strings: each one's bytes and a zero byte.
std::string sha256Of(const Tensor& tensor);

}  // namespace hs
