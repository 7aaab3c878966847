// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "executors/reference/contrib_parts.h"
#include "executors/reference/conv_parts.h"

namespace hs::ref {
namespace {

/// y = activation(x * w + bias + z); `last`: x, z and y have their channels last.
Status convolution(Call& c, bool last) {
    HS_CHECK(c.need(2));
    Dims dims = c.dims(0);
    if (dims.size() < 3) return c.bad("the input must have rank 3 or more, not {}", toString(dims));
    HS_TRY(Values x, values(c, 0));
    if (last) x = channelsFirst(x, dims);
    HS_TRY(const ConvShape s, ConvShape::make(c, dims, c.dims(1)));
    HS_TRY(const Values w, values(c, 1));
    HS_TRY(const Values bias, valuesOr(c, 2, s.filters, 0));
    Values y(static_cast<std::size_t>(product(s.result)));
    if (!y.empty()) convolve(s, x.data(), w.data(), y.data());
    const std::int64_t plane = product(s.output);
    for (std::size_t i = 0; i < y.size(); ++i)
        y[i] += bias[i / static_cast<std::size_t>(plane) % bias.size()];
    Dims result = s.result;
    if (last) y = channelsLast(y, result);
    if (c.has(3)) {
        if (c.dims(3) != result) return c.bad("the addend {} does not fit the result {}", toString(c.dims(3)), toString(result));
        HS_TRY(const Values z, values(c, 3));
        for (std::size_t i = 0; i < y.size(); ++i)
            y[i] += z[i];
    }
    const std::string name = c.node().stringOr("activation", "");
    if (const FusedActivation f = fusedActivation(name); f != nullptr) {
        std::array<double, 3> parameters = fusedDefaults(name);
        const auto given = c.node().getOr<std::vector<float>>("activation_params", {});
        for (std::size_t i = 0; i < std::min<std::size_t>(given.size(), 3); ++i)
            parameters[i] = static_cast<double>(given[i]);
        for (double& v : y)
            v = f(v, parameters);
    }
    return emit(c, 0, c.declared(), result, y);
}

Status fusedConv(Call& c) {
    return convolution(c, false);
}
Status nhwcConv(Call& c) {
    return convolution(c, true);
}

const Operator kOperators[] = {
    contrib("FusedConv", fusedConv, kFloats, Widen::None, 0, refusesActivation),
    contrib("NhwcFusedConv", nhwcConv, kFloats, Widen::None, 0, refusesActivation),
    contrib("NhwcConv", nhwcConv, kFloats),
};

}  // namespace

std::span<const Operator> contribConvOperators() {
    return kOperators;
}

}  // namespace hs::ref
