// SPDX-License-Identifier: Apache-2.0
#include "executors/onednn/loops.h"

#include <algorithm>

#if defined(__x86_64__)
#define HS_LOOP_WIDE __attribute__((target("avx2")))
#endif

namespace hs::dnn {
namespace {

// The comparisons are written so that a NaN takes the branch that keeps it.
#define HS_CLIP_BODY                                              \
    _Pragma("omp simd") for (std::size_t i = 0; i < count; ++i) { \
        const float raised = from[i] < low ? low : from[i];       \
        to[i] = raised > high ? high : raised;                    \
    }

void clipPlain(const float* from, float* to, std::size_t count, float low, float high) {
    HS_CLIP_BODY
}

void keepNan(const float* from, float* to, std::size_t count, float /*low*/, float /*high*/) {
#pragma omp simd
    for (std::size_t i = 0; i < count; ++i)
        to[i] = from[i] != from[i] ? from[i] : to[i];
}

#ifdef HS_LOOP_WIDE
HS_LOOP_WIDE void clipWide(const float* from, float* to, std::size_t count, float low, float high) {
    HS_CLIP_BODY
}
#endif

}  // namespace

Loop clipLoop(float low, float high) {
#ifdef HS_LOOP_WIDE
    if (__builtin_cpu_supports("avx2")) return {clipWide, low, high};
#endif
    return {clipPlain, low, high};
}

Loop keepNanLoop() {
    return {keepNan};
}

void runLoop(const Loop& loop, const float* from, float* to, std::size_t count, int threads) {
    constexpr std::size_t kChunk = 16384;  // below that a second thread costs more than it saves
    const auto chunks = static_cast<std::ptrdiff_t>((count + kChunk - 1) / kChunk);
    if (threads <= 1 || chunks <= 1) return loop.f(from, to, count, loop.low, loop.high);
#pragma omp parallel for num_threads(threads) schedule(static)
    for (std::ptrdiff_t c = 0; c < chunks; ++c) {
        const std::size_t begin = static_cast<std::size_t>(c) * kChunk;
        loop.f(from + begin, to + begin, std::min(kChunk, count - begin), loop.low, loop.high);
    }
}

}  // namespace hs::dnn
