// SPDX-License-Identifier: Apache-2.0
#include "executors/reference/gemm.h"

#include <algorithm>
#include <array>

#include "executors/reference/walk.h"

namespace hs::ref {
namespace {

constexpr std::int64_t kRows = 4;       // rows of a that share one pass over b
constexpr std::int64_t kColumns = 128;  // columns whose sums stay in the first-level cache

template <class T, int kCount>
void block(const T* a, std::int64_t lda, const T* b, std::int64_t ldb, T* c, std::int64_t ldc, std::int64_t n, std::int64_t k) {
    using Sum = Accumulator<T>;
    std::array<std::array<Sum, kColumns>, kCount> sums;
    for (auto& row : sums)
        std::fill_n(row.begin(), n, Sum{0});
    for (std::int64_t p = 0; p < k; ++p) {
        const T* from = b + p * ldb;
        for (int r = 0; r < kCount; ++r) {
            const auto factor = static_cast<Sum>(a[r * lda + p]);
            Sum* sum = sums[static_cast<std::size_t>(r)].data();
            for (std::int64_t j = 0; j < n; ++j)
                sum[j] += factor * static_cast<Sum>(from[j]);
        }
    }
    for (int r = 0; r < kCount; ++r)
        for (std::int64_t j = 0; j < n; ++j)
            c[r * ldc + j] = static_cast<T>(sums[static_cast<std::size_t>(r)][static_cast<std::size_t>(j)]);
}

}  // namespace

template <class T>
void multiply(const T* a, std::int64_t lda, const T* b, std::int64_t ldb, T* c, std::int64_t ldc, std::int64_t m, std::int64_t n, std::int64_t k) {
    for (std::int64_t j = 0; j < n; j += kColumns) {
        const std::int64_t width = std::min(kColumns, n - j);
        std::int64_t i = 0;
        for (; i + kRows <= m; i += kRows)
            block<T, kRows>(a + i * lda, lda, b + j, ldb, c + i * ldc + j, ldc, width, k);
        for (; i < m; ++i)
            block<T, 1>(a + i * lda, lda, b + j, ldb, c + i * ldc + j, ldc, width, k);
    }
}

Result<MatMulShape> MatMulShape::make(const Dims& a, const Dims& b) {
    MatMulShape out;
    if (a.empty() || b.empty()) return fail(ErrorCode::BadInput, "", "a matrix product needs operands of rank 1 or more");
    const std::int64_t inner = b.size() == 1 ? b[0] : b[b.size() - 2];
    if (a.back() != inner) return fail(ErrorCode::BadInput, "", "the inner sizes of {} and {} differ", toString(a), toString(b));
    out.k = inner;
    out.m = a.size() == 1 ? 1 : a[a.size() - 2];
    out.n = b.size() == 1 ? 1 : b.back();
    if (a.size() > 2) out.batchA.assign(a.begin(), a.end() - 2);
    if (b.size() > 2) out.batchB.assign(b.begin(), b.end() - 2);
    const std::array<const Dims*, 2> both = {&out.batchA, &out.batchB};
    HS_TRY(const Broadcast batch, Broadcast::make(both));
    out.result = batch.dims();
    if (a.size() > 1) out.result.push_back(out.m);
    if (b.size() > 1) out.result.push_back(out.n);
    return out;
}

template <class T>
Status matmul(const MatMulShape& s, const T* a, const T* b, T* c) {
    // One shared right operand: all rows of the left one are a single matrix.
    if (product(s.batchB) == 1) {
        multiply(a, s.k, b, s.n, c, s.n, product(s.batchA) * s.m, s.n, s.k);
        return {};
    }
    const std::array<const Dims*, 2> both = {&s.batchA, &s.batchB};
    HS_TRY(const Broadcast batch, Broadcast::make(both));
    batch.rows([&](std::int64_t at, const std::int64_t* from, std::int64_t count) {
        for (std::int64_t i = 0; i < count; ++i)
            multiply(a + (from[0] + i * batch.step(0)) * s.m * s.k, s.k, b + (from[1] + i * batch.step(1)) * s.k * s.n, s.n, c + (at + i) * s.m * s.n, s.n, s.m,
                     s.n, s.k);
    });
    return {};
}

template void multiply<float>(const float*, std::int64_t, const float*, std::int64_t, float*, std::int64_t, std::int64_t, std::int64_t, std::int64_t);
template void multiply<double>(const double*, std::int64_t, const double*, std::int64_t, double*, std::int64_t, std::int64_t, std::int64_t, std::int64_t);
template void multiply<std::int64_t>(const std::int64_t*, std::int64_t, const std::int64_t*, std::int64_t, std::int64_t*, std::int64_t, std::int64_t,
                                     std::int64_t, std::int64_t);
template Status matmul<float>(const MatMulShape&, const float*, const float*, float*);
template Status matmul<double>(const MatMulShape&, const double*, const double*, double*);
template Status matmul<std::int64_t>(const MatMulShape&, const std::int64_t*, const std::int64_t*, std::int64_t*);

}  // namespace hs::ref
