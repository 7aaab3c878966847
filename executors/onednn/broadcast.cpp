// SPDX-License-Identifier: Apache-2.0
#include "executors/onednn/broadcast.h"

namespace hs::dnn {

Broadcast mergedBroadcast(const Dims& a, const Dims& b, const Dims& out) {
    const std::size_t rank = out.size();
    const auto sizeAt = [&](const Dims& dims, std::size_t axis) { return axis + dims.size() < rank ? 1 : dims[axis + dims.size() - rank]; };
    Broadcast result;
    int last = -1;
    for (std::size_t i = 0; i < rank; ++i) {
        if (out[i] == 1) continue;
        const auto sizeA = sizeAt(a, i);
        const auto sizeB = sizeAt(b, i);
        const int pattern = (sizeA == 1 ? 1 : 0) + (sizeB == 1 ? 2 : 0);
        if (pattern == last) {
            result.a.back() *= sizeA;
            result.b.back() *= sizeB;
            result.out.back() *= out[i];
        } else {
            result.a.push_back(sizeA);
            result.b.push_back(sizeB);
            result.out.push_back(out[i]);
        }
        last = pattern;
    }
    if (result.out.empty()) result.a = result.b = result.out = {1};
    return result;
}

Reduced mergedReduction(const Dims& in, const std::vector<bool>& reduced) {
    Reduced result;
    for (std::size_t i = 0; i < in.size(); ++i) {
        if (in[i] == 1) continue;
        const bool same = !result.in.empty() && (result.out.back() == 1) == reduced[i];
        if (same) {
            result.in.back() *= in[i];
            result.out.back() *= reduced[i] ? 1 : in[i];
        } else {
            result.in.push_back(in[i]);
            result.out.push_back(reduced[i] ? 1 : in[i]);
        }
    }
    if (result.in.empty()) result.in = result.out = {1};
    return result;
}

}  // namespace hs::dnn
