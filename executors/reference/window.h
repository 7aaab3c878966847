// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "executors/reference/call.h"

namespace hs::ref {

/// The window attributes of Conv, ConvTranspose and the pools, completed with their defaults. All have one entry per
/// spatial dimension.
struct Window {
    Dims kernel, strides, dilations, padBegin, padEnd;
    std::string autoPad;

    /// `input` and `kernel`: spatial sizes. BadInput for contradictions and for sizes that could overflow.
    static Result<Window> make(const Call& call, const Dims& input, const Dims& kernel);
    /// Output sizes of a window that slides over `input`; sets the padding that auto_pad asks for.
    Result<Dims> slide(const Call& call, const Dims& input, bool ceilMode);
    /// Reach of the dilated kernel.
    std::int64_t extent(std::size_t d) const { return (kernel[d] - 1) * dilations[d] + 1; }
    std::size_t rank() const { return kernel.size(); }
};

}  // namespace hs::ref
