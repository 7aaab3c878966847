// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace hs::dnn {

/// A function of one float each, over dense memory; `from` and `to` may be the same. oneDNN's relu, clip, exp, max and min
/// lose a NaN, which must reach the output.
struct Loop {
    using Function = void (*)(const float* from, float* to, std::size_t count, float low, float high);
    Function f = nullptr;
    float low = 0;
    float high = 0;
};

/// to = min(max(from, low), high); NaN stays NaN.
Loop clipLoop(float low, float high);
/// to = from where from is NaN; the rest of `to` stays.
Loop keepNanLoop();

/// Runs over `count` elements on up to `threads` threads.
void runLoop(const Loop& loop, const float* from, float* to, std::size_t count, int threads);

}  // namespace hs::dnn
