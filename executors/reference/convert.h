// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/graph/tensor.h"
#include "executors/reference/float_bits.h"

namespace hs::ref {

struct ConvertOptions {
    bool saturate = false;  ///< Out-of-range values become the largest of a small float type.
    Float8E8M0::Round round = Float8E8M0::Round::Up;
};

/// Converts every element; `to` has the same count. Floats go through double exactly and are rounded once to nearest
/// even; to integers they are truncated towards zero (NaN gives 0) and wrapped; integers wrap; numbers to bool: not zero.
/// Strings are parsed (BadInput) or printed.
Status convert(const Tensor& from, Tensor& to, const ConvertOptions& options = {});

/// Every element as double. Unsupported for strings and complex numbers.
Result<std::vector<double>> toDoubles(const Tensor& tensor);

/// Sub-byte elements to one byte each, as raw bits, and back.
void unpackRaw(const Tensor& from, Tensor& to);
void packRaw(const Tensor& from, Tensor& to);

}  // namespace hs::ref
