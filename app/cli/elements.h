// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <cstdint>

#include "core/graph/tensor.h"

namespace hs::cli {

/// Element i of a tensor of any numeric type, widened. 64-bit integers beyond 2^53 are rounded: compare equal bits first.
std::complex<double> elementAt(const Tensor& tensor, std::int64_t i);

}  // namespace hs::cli
