// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "executors/reference/call.h"
#include "executors/reference/window.h"

namespace hs::ref {

/// Sizes of a convolution: input [batch, channels, input…], weights [filters, channels/groups, kernel…].
struct ConvShape {
    Window window;
    Dims input, output, result;
    std::int64_t batch = 0, channels = 0, filters = 0, groups = 1;
    static Result<ConvShape> make(const Call& call, const Dims& x, const Dims& w);
};

/// y = x * w without bias. Instantiated for float, double and int64.
template <class T>
void convolve(const ConvShape& shape, const T* x, const T* w, T* y);

}  // namespace hs::ref
