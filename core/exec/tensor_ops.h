// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "core/base/result.h"
#include "core/graph/tensor.h"

namespace hs {

/// A tensor with memory of its own and the same contents.
Result<Tensor> deepCopy(const Tensor& tensor);

/// Copies the elements of `from` into `to`, which has the same type and sizes.
void copyElements(const Tensor& from, Tensor& to);

/// The part at `index` of `axis`, without that axis. Sub-byte types are refused (Unsupported).
Result<Tensor> sliceAt(const Tensor& tensor, std::size_t axis, std::int64_t index);

/// Stacks equally shaped parts along a new axis. `parts` is not empty. BadInput when types or shapes differ.
Result<Tensor> stack(std::span<const Tensor> parts, std::size_t axis);

}  // namespace hs
