// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "core/graph/tensor.h"

namespace hs::ref {

/// Sums of floats are kept in double; sums of integers wrap at 64 bits.
template <class T>
using Accumulator = std::conditional_t<std::is_floating_point_v<T>, double, std::uint64_t>;

/// c[m×n] = a[m×k] · b[k×n], row-major with leading dimensions lda, ldb, ldc. Instantiated for float, double, int64.
template <class T>
void multiply(const T* a, std::int64_t lda, const T* b, std::int64_t ldb, T* c, std::int64_t ldc, std::int64_t m, std::int64_t n, std::int64_t k);

/// The transpose of a rows×cols matrix.
template <class T>
std::vector<T> transposed(const T* from, std::int64_t rows, std::int64_t cols) {
    std::vector<T> out(static_cast<std::size_t>(rows * cols));
    for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t c = 0; c < cols; ++c)
            out[static_cast<std::size_t>(c * rows + r)] = from[r * cols + c];
    return out;
}

/// numpy.matmul with broadcasting of the leading dimensions; both of type T.
struct MatMulShape {
    Dims result;          ///< Of the product.
    Dims batchA, batchB;  ///< Leading dimensions of the operands.
    std::int64_t m = 1, n = 1, k = 1;
    static Result<MatMulShape> make(const Dims& a, const Dims& b);
};
template <class T>
Status matmul(const MatMulShape& shape, const T* a, const T* b, T* c);

}  // namespace hs::ref
