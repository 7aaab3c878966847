// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/graph/tensor.h"

namespace hs::cli {

struct Tolerance {
    double rtol = 1e-3;
    double atol = 1e-7;
};

/// The rule of the ONNX backend tests: equal shape and type; strings equal; all else |out - expected| <= atol + rtol *
/// |expected|, NaN equal to NaN, infinities at the same places with the same sign. Sequences are compared
/// item by item. Empty: passes; else says why not.
std::string mismatch(const Tensor& out, const Tensor& expected, const Tolerance& tolerance);

/// For outputs that are random: equal shape and type; finite numbers; whole ones, or only 0 and 1, where the expected
/// ones are such. Empty: passes; else says why not.
std::string kindMismatch(const Tensor& out, const Tensor& expected);

/// How far two results are apart. Elements where either is not finite count only when they differ.
struct Deviation {
    double maxAbs = 0;
    double maxRel = 0;  ///< |a - b| / |b|, where b is not 0.
    double cosine = 1;  ///< Of the two as vectors; 1 for two zero vectors.
    bool comparable = true;
};
Deviation deviationOf(const Tensor& a, const Tensor& b);

}  // namespace hs::cli
