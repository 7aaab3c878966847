// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "executors/reference/conv_parts.h"
#include "executors/reference/convert.h"
#include "executors/reference/gemm.h"
#include "executors/reference/registry.h"
#include "executors/reference/walk.h"
#include "executors/reference/window.h"

namespace hs::ref {
namespace {

constexpr std::int64_t kPositions = 128;  // output positions gathered at once

/// Where each of `count` output positions starts in the input, per spatial dimension.
struct Positions {
    std::vector<Dims> start;  ///< [position][dimension], may be negative (padding)
};

Positions positionsFrom(const Window& window, const Dims& output, std::int64_t first, std::int64_t count) {
    Positions out;
    Dims index(output.size());
    for (std::size_t d = output.size(); d-- > 0;) {
        index[d] = first % output[d];
        first /= output[d];
    }
    for (std::int64_t i = 0; i < count; ++i) {
        Dims start(output.size());
        for (std::size_t d = 0; d < output.size(); ++d)
            start[d] = index[d] * window.strides[d] - window.padBegin[d];
        out.start.push_back(std::move(start));
        advance(index, output);
    }
    return out;
}

/// columns[(channel, tap)][position] = the input element under that tap, zero in the padding.
template <class T>
void gather(const T* image, std::int64_t channels, const Dims& input, const Window& window, const Positions& positions, T* columns) {
    const std::int64_t plane = product(input);
    const auto count = positions.start.size();
    const Dims strides = stridesOf(input);
    std::vector<std::int64_t> offsets(count);
    Dims tap(window.rank(), 0);
    const std::int64_t taps = product(window.kernel);
    for (std::int64_t t = 0; t < taps; ++t) {
        for (std::size_t i = 0; i < count; ++i) {
            offsets[i] = 0;
            for (std::size_t d = 0; d < window.rank() && offsets[i] >= 0; ++d) {
                const std::int64_t at = positions.start[i][d] + tap[d] * window.dilations[d];
                offsets[i] = at < 0 || at >= input[d] ? -1 : offsets[i] + at * strides[d];
            }
        }
        for (std::int64_t ch = 0; ch < channels; ++ch) {
            T* row = columns + (ch * taps + t) * static_cast<std::int64_t>(count);
            const T* from = image + ch * plane;
            for (std::size_t i = 0; i < count; ++i)
                row[i] = offsets[i] < 0 ? T{0} : from[offsets[i]];
        }
        advance(tap, window.kernel);
    }
}

}  // namespace

Result<ConvShape> ConvShape::make(const Call& call, const Dims& x, const Dims& w) {
    ConvShape s;
    if (x.size() < 3 || w.size() != x.size()) return call.bad("input {} and weights {} must have one rank of 3 or more", toString(x), toString(w));
    s.groups = call.node().intOr("group", 1);
    s.batch = x[0];
    s.channels = x[1];
    s.filters = w[0];
    if (s.groups < 1 || s.channels % s.groups != 0 || s.filters % s.groups != 0 || w[1] != s.channels / s.groups)
        return call.bad("{} groups do not divide input {} with weights {}", s.groups, toString(x), toString(w));
    s.input.assign(x.begin() + 2, x.end());
    HS_TRY(s.window, Window::make(call, s.input, Dims(w.begin() + 2, w.end())));
    const Dims declared = call.node().intsOr("kernel_shape");
    if (!declared.empty() && declared != s.window.kernel) return call.bad("kernel_shape {} contradicts the weights {}", toString(declared), toString(w));
    HS_TRY(s.output, s.window.slide(call, s.input, false));
    s.result = {s.batch, s.filters};
    s.result.insert(s.result.end(), s.output.begin(), s.output.end());
    if (!elementCount(s.result)) return call.bad("the output {} is too large", toString(s.result));
    return s;
}

template <class T>
void convolve(const ConvShape& s, const T* x, const T* w, T* y) {
    const std::int64_t perGroup = s.channels / s.groups;
    const std::int64_t filters = s.filters / s.groups;
    const std::int64_t depth = perGroup * product(s.window.kernel);
    const std::int64_t plane = product(s.output);
    std::vector<T> columns(static_cast<std::size_t>(depth * std::min(kPositions, plane)));
    for (std::int64_t first = 0; first < plane; first += kPositions) {
        const std::int64_t count = std::min(kPositions, plane - first);
        const Positions positions = positionsFrom(s.window, s.output, first, count);
        for (std::int64_t n = 0; n < s.batch; ++n) {
            for (std::int64_t g = 0; g < s.groups; ++g) {
                gather(x + (n * s.channels + g * perGroup) * product(s.input), perGroup, s.input, s.window, positions, columns.data());
                multiply(w + g * filters * depth, depth, columns.data(), count, y + (n * s.filters + g * filters) * plane + first, plane, filters, count,
                         depth);
            }
        }
    }
}
template void convolve<float>(const ConvShape&, const float*, const float*, float*);
template void convolve<double>(const ConvShape&, const double*, const double*, double*);
template void convolve<std::int64_t>(const ConvShape&, const std::int64_t*, const std::int64_t*, std::int64_t*);

namespace {

template <class T>
Status addBias(Call& c, std::size_t input, Tensor& y) {
    if (!c.has(input) || y.count() == 0) return {};
    const std::int64_t channels = y.dims()[1];
    if (c.in(input).count() != channels || c.in(input).dtype() != y.dtype()) return c.bad("the bias must have {} elements of the input's type", channels);
    const auto bias = c.in(input).data<T>();
    const std::int64_t plane = product(y.dims(), 2, y.rank());
    T* out = y.data<T>().data();
    for (std::int64_t row = 0; row < y.dims()[0] * channels; ++row)
        for (std::int64_t i = 0; i < plane; ++i)
            out[row * plane + i] += bias[static_cast<std::size_t>(row % channels)];
    return {};
}

template <class T>
Status convAs(Call& c, const ConvShape& s, Tensor& y) {
    convolve(s, c.in(0).data<T>().data(), c.in(1).data<T>().data(), y.data<T>().data());
    return addBias<T>(c, 2, y);
}

Status conv(Call& c) {
    HS_CHECK(c.need(2));
    if (c.in(0).dtype() != c.in(1).dtype()) return c.bad("input and weights must have one type");
    HS_TRY(const ConvShape s, ConvShape::make(c, c.dims(0), c.dims(1)));
    HS_TRY(Tensor * y, c.outT(0, s.result));
    if (c.in(0).dtype() == DType::F32) return convAs<float>(c, s, *y);
    if (c.in(0).dtype() == DType::F64) return convAs<double>(c, s, *y);
    return c.noType(c.in(0).dtype());
}

struct TransposedShape {
    Window window;
    Dims input, output, result;
    std::int64_t batch = 0, channels = 0, filters = 0, groups = 1;
};

/// Sizes and padding by the operator's formula: output_shape fixes the padding, else the padding fixes the output.
Status fitTransposed(const Call& c, TransposedShape& s) {
    Window& w = s.window;
    Dims extra = c.node().intsOr("output_padding");
    if (extra.empty()) extra.assign(w.rank(), 0);
    const Dims wanted = c.node().intsOr("output_shape");
    if (extra.size() != w.rank() || (!wanted.empty() && wanted.size() < w.rank())) return c.bad("output_padding or output_shape has the wrong length");
    const bool same = w.autoPad == "SAME_UPPER" || w.autoPad == "SAME_LOWER";
    for (std::size_t d = 0; d < w.rank(); ++d) {
        if (extra[d] < 0 || extra[d] > (std::int64_t{1} << 31)) return c.bad("output_padding {} is out of range", extra[d]);
        const std::int64_t full = w.strides[d] * (s.input[d] - 1) + extra[d] + w.extent(d);
        std::int64_t size = full - w.padBegin[d] - w.padEnd[d];
        if (!wanted.empty() || same) {
            size = wanted.empty() ? s.input[d] * w.strides[d] : wanted[wanted.size() - w.rank() + d];
            if (size < 0 || size > (std::int64_t{1} << 31)) return c.bad("output_shape {} is out of range", size);
            const std::int64_t total = std::max<std::int64_t>(full - size, 0);
            w.padBegin[d] = w.autoPad == "SAME_UPPER" ? total / 2 : total - total / 2;
            w.padEnd[d] = total - w.padBegin[d];
        }
        if (size < 0) return c.bad("the padding leaves no output");
        s.output.push_back(size);
    }
    s.result = {s.batch, s.filters * s.groups};
    s.result.insert(s.result.end(), s.output.begin(), s.output.end());
    if (!elementCount(s.result)) return c.bad("the output {} is too large", toString(s.result));
    return {};
}

/// Adds the columns [filter × tap][position] of one image to the output under each tap.
template <class T>
void scatter(const TransposedShape& s, const T* columns, double* image) {
    const std::int64_t positions = product(s.input);
    const std::int64_t plane = product(s.output);
    const Dims strides = stridesOf(s.output);
    const std::int64_t taps = product(s.window.kernel);
    Dims tap(s.window.rank(), 0);
    std::vector<std::int64_t> offsets(static_cast<std::size_t>(positions));
    for (std::int64_t t = 0; t < taps; ++t) {
        Dims index(s.window.rank(), 0);
        for (auto& offset : offsets) {
            offset = 0;
            for (std::size_t d = 0; d < index.size() && offset >= 0; ++d) {
                const std::int64_t at = index[d] * s.window.strides[d] + tap[d] * s.window.dilations[d] - s.window.padBegin[d];
                offset = at < 0 || at >= s.output[d] ? -1 : offset + at * strides[d];
            }
            advance(index, s.input);
        }
        for (std::int64_t f = 0; f < s.filters; ++f) {
            const T* from = columns + (f * taps + t) * positions;
            for (std::size_t i = 0; i < offsets.size(); ++i)
                if (offsets[i] >= 0) image[f * plane + offsets[i]] += static_cast<double>(from[i]);
        }
        advance(tap, s.window.kernel);
    }
}

template <class T>
Status convTransposeAs(Call& c, const TransposedShape& s, Tensor& y) {
    const std::int64_t perGroup = s.channels / s.groups;
    const std::int64_t taps = product(s.window.kernel);
    const std::int64_t positions = product(s.input);
    const std::int64_t plane = product(s.output);
    std::vector<T> columns(static_cast<std::size_t>(s.filters * taps * positions));
    std::vector<double> image(static_cast<std::size_t>(s.filters * plane));
    for (std::int64_t g = 0; g < s.groups; ++g) {
        const auto weights = transposed(c.in(1).data<T>().data() + g * perGroup * s.filters * taps, perGroup, s.filters * taps);
        for (std::int64_t n = 0; n < s.batch; ++n) {
            multiply(weights.data(), perGroup, c.in(0).data<T>().data() + (n * s.channels + g * perGroup) * positions, positions, columns.data(), positions,
                     s.filters * taps, positions, perGroup);
            std::ranges::fill(image, 0.0);
            scatter(s, columns.data(), image.data());
            T* out = y.data<T>().data() + (n * s.groups + g) * s.filters * plane;
            std::transform(image.begin(), image.end(), out, [](double v) { return static_cast<T>(v); });
        }
    }
    return addBias<T>(c, 2, y);
}

Status convTranspose(Call& c) {
    HS_CHECK(c.need(2));
    const Dims& x = c.dims(0);
    const Dims& w = c.dims(1);
    if (x.size() < 3 || w.size() != x.size() || c.in(0).dtype() != c.in(1).dtype())
        return c.bad("input {} and weights {} do not fit", toString(x), toString(w));
    TransposedShape s;
    s.groups = c.node().intOr("group", 1);
    s.batch = x[0];
    s.channels = x[1];
    s.filters = w[1];
    if (s.groups < 1 || s.groups > s.channels || s.channels % s.groups != 0 || w[0] != s.channels)
        return c.bad("{} groups do not divide input {}", s.groups, toString(x));
    s.input.assign(x.begin() + 2, x.end());
    HS_TRY(s.window, Window::make(c, s.input, Dims(w.begin() + 2, w.end())));
    HS_CHECK(fitTransposed(c, s));
    HS_TRY(Tensor * y, c.outT(0, s.result));
    if (c.in(0).dtype() == DType::F32) return convTransposeAs<float>(c, s, *y);
    if (c.in(0).dtype() == DType::F64) return convTransposeAs<double>(c, s, *y);
    return c.noType(c.in(0).dtype());
}

const Operator kOperators[] = {
    {"Conv", conv, kFloats, Widen::Floats},
    {"ConvTranspose", convTranspose, kFloats, Widen::Floats},
};

}  // namespace

std::span<const Operator> convOperators() {
    return kOperators;
}

}  // namespace hs::ref
