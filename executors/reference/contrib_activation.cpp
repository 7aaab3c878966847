// SPDX-License-Identifier: Apache-2.0
#include "executors/reference/contrib_parts.h"

namespace hs::ref {
namespace {

/// y = f(x + bias), the bias one row of the last axis; without one when absent.
template <class F>
Status biased(Call& c, F f) {
    HS_CHECK(c.need(1));
    HS_TRY(Values x, values(c, 0));
    if (c.has(1)) {
        if (c.dims(0).empty() || c.dims(1) != Dims{c.dims(0).back()})
            return c.bad("the bias {} is not one row of the input {}", toString(c.dims(1)), toString(c.dims(0)));
        HS_TRY(const Values bias, values(c, 1));
        if (!x.empty()) HS_CHECK(addRow(c, x, bias));
    }
    for (double& v : x)
        v = f(v);
    return emit(c, 0, c.declared(), c.dims(0), x);
}

Status gelu(Call& c) {
    return biased(c, geluOf);
}
Status biasGelu(Call& c) {
    HS_CHECK(c.need(2));
    return biased(c, geluOf);
}
Status fastGelu(Call& c) {
    return biased(c, fastGeluOf);
}
Status quickGelu(Call& c) {
    const double alpha = c.node().floatOr("alpha", 1.702F);
    return biased(c, [=](double v) { return v * sigmoidOf(alpha * v); });
}

/// After the bias: the left half of each row times the Gelu of the right half.
Status biasSplitGelu(Call& c) {
    HS_CHECK(c.need(2));
    Dims dims = c.dims(0);
    if (dims.empty() || dims.back() % 2 != 0 || c.dims(1) != Dims{dims.back()})
        return c.bad("the bias {} does not fit the input {} with rows of even length", toString(c.dims(1)), toString(dims));
    const auto width = static_cast<std::size_t>(dims.back());
    HS_TRY(Values x, values(c, 0));
    HS_TRY(const Values bias, values(c, 1));
    if (!x.empty()) HS_CHECK(addRow(c, x, bias));
    Values y;
    y.reserve(x.size() / 2);
    for (std::size_t row = 0; row < x.size(); row += width)
        for (std::size_t i = 0; i < width / 2; ++i)
            y.push_back(x[row + i] * geluOf(x[row + width / 2 + i]));
    dims.back() /= 2;
    return emit(c, 0, c.declared(), dims, y);
}

/// x + bias (one per channel, the last axis) + skip.
Status biasAdd(Call& c) {
    HS_CHECK(c.need(3));
    if (c.dims(0).empty() || c.dims(1) != Dims{c.dims(0).back()} || c.dims(2) != c.dims(0))
        return c.bad("input {}, bias {} and skip {} do not fit", toString(c.dims(0)), toString(c.dims(1)), toString(c.dims(2)));
    HS_TRY(Values x, values(c, 0));
    HS_TRY(const Values bias, values(c, 1));
    HS_TRY(const Values skip, values(c, 2));
    if (!x.empty()) HS_CHECK(addRow(c, x, bias));
    for (std::size_t i = 0; i < x.size(); ++i)
        x[i] += skip[i];
    return emit(c, 0, c.declared(), c.dims(0), x);
}

Status gemmFastGelu(Call& c) {
    HS_CHECK(c.need(2));
    HS_TRY(const Values x, values(c, 0));
    HS_TRY(const Values w, values(c, 1));
    Dims dims;
    HS_TRY(Values y, productOf(x, c.dims(0), w, c.dims(1), dims));
    if (c.has(2) && !y.empty()) {
        HS_TRY(const Values bias, valuesOr(c, 2, c.dims(1).back(), 0));
        HS_CHECK(addRow(c, y, bias));
    }
    for (double& v : y)
        v = fastGeluOf(v);
    return emit(c, 0, c.declared(), dims, y);
}

const Operator kOperators[] = {
    contrib("Gelu", gelu, kFloats),
    contrib("BiasGelu", biasGelu, kFloats),
    contrib("FastGelu", fastGelu, kFloats),
    contrib("QuickGelu", quickGelu, kFloats),
    contrib("BiasSplitGelu", biasSplitGelu, kFloats),
    contrib("BiasAdd", biasAdd, kFloats),
    contrib("GemmFastGelu", gemmFastGelu, kFloats),
};

}  // namespace

std::span<const Operator> contribActivationOperators() {
    return kOperators;
}

}  // namespace hs::ref
