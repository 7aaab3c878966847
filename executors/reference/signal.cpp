// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numbers>

#include "executors/reference/registry.h"
#include "executors/reference/values.h"

namespace hs::ref {
namespace {

struct Complex {
    double re = 0, im = 0;
};

/// The discrete Fourier transform by its definition, first `bins` results; scaled by 1/n when inverse.
std::vector<Complex> transform(const std::vector<Complex>& x, std::int64_t bins, bool inverse) {
    const auto n = static_cast<std::int64_t>(x.size());
    std::vector<Complex> roots(x.size());
    for (std::int64_t k = 0; k < n; ++k) {
        const double angle = (inverse ? 2 : -2) * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n);
        roots[static_cast<std::size_t>(k)] = {std::cos(angle), std::sin(angle)};
    }
    std::vector<Complex> out(static_cast<std::size_t>(bins));
    for (std::int64_t k = 0; k < bins; ++k) {
        Complex sum;
        std::int64_t turn = 0;
        for (const Complex& v : x) {
            const Complex& root = roots[static_cast<std::size_t>(turn)];
            sum.re += v.re * root.re - v.im * root.im;
            sum.im += v.re * root.im + v.im * root.re;
            turn = (turn + k) % n;
        }
        const double scale = inverse ? 1 / static_cast<double>(n) : 1;
        out[static_cast<std::size_t>(k)] = {sum.re * scale, sum.im * scale};
    }
    return out;
}

constexpr std::int64_t kMaxLength = std::int64_t{1} << 24;

/// One integer from an optional input.
Result<std::int64_t> integerOr(Call& c, std::size_t i, std::int64_t fallback) {
    if (!c.has(i) || c.in(i).count() == 0) return fallback;
    HS_TRY(const std::vector<std::int64_t> v, c.ints(i));
    return v.front();
}

/// The axis is an attribute in opset 17 and input 2 from 20 on. Onesided results hold half of the symmetric spectrum;
/// an inverse one reads such a half and gives real numbers.
Status dft(Call& c) {
    HS_CHECK(c.need(1));
    Dims dims = c.dims(0);
    if (dims.size() < 2 || (dims.back() != 1 && dims.back() != 2)) return c.bad("the last dimension of {} must be 1 or 2", toString(dims));
    HS_TRY(const std::int64_t given, integerOr(c, 2, c.opset() < 20 ? c.node().intOr("axis", 1) : -2));
    HS_TRY(const std::size_t axis, c.axis(given, dims.size()));
    if (axis + 1 == dims.size()) return c.bad("the axis must not be the last one");
    const bool inverse = c.node().intOr("inverse", 0) != 0;
    const bool onesided = c.node().intOr("onesided", 0) != 0;
    const bool toReal = inverse && onesided;
    HS_TRY(const std::int64_t length, integerOr(c, 1, toReal ? 2 * (dims[axis] - 1) : dims[axis]));
    if (length < 1 || length > kMaxLength) return c.bad("a transform of length {} is out of range", length);
    HS_TRY(const Values x, values(c, 0));
    const std::int64_t parts = dims.back();
    const AxisView from({product(dims, 0, axis), dims[axis], product(dims, axis + 1, dims.size() - 1)}, 1);
    const std::int64_t bins = onesided && !inverse ? length / 2 + 1 : length;
    Dims out = dims;
    out[axis] = bins;
    out.back() = toReal ? 1 : 2;
    if (!elementCount(out)) return c.bad("the output {} is too large", toString(out));
    Values y(static_cast<std::size_t>(product(out)));
    const AxisView to({from.outer, bins, from.inner}, 1);
    for (std::int64_t o = 0; o < from.outer; ++o)
        for (std::int64_t i = 0; i < from.inner; ++i) {
            std::vector<Complex> line(static_cast<std::size_t>(length));
            for (std::int64_t k = 0; k < std::min(length, from.size); ++k) {
                const std::size_t at = from.at(o, k, i) * static_cast<std::size_t>(parts);
                line[static_cast<std::size_t>(k)] = {x[at], parts == 2 ? x[at + 1] : 0};
            }
            if (toReal)  // the upper half mirrors the lower one
                for (std::int64_t k = length / 2 + 1; k < length; ++k) {
                    const Complex& mirror = line[static_cast<std::size_t>(length - k)];
                    line[static_cast<std::size_t>(k)] = {mirror.re, -mirror.im};
                }
            const auto result = transform(line, bins, inverse);
            for (std::int64_t k = 0; k < bins; ++k) {
                const std::size_t at = to.at(o, k, i) * static_cast<std::size_t>(out.back());
                y[at] = result[static_cast<std::size_t>(k)].re;
                if (!toReal) y[at + 1] = result[static_cast<std::size_t>(k)].im;
            }
        }
    return emit(c, 0, c.declared(), out, y);
}

/// Frames of the signal [batch, length, 1 or 2], windowed and transformed: [batch, frames, bins, 2].
Status stft(Call& c) {
    HS_CHECK(c.need(2));
    const Dims& dims = c.dims(0);
    if (dims.size() < 2 || dims.size() > 3 || (dims.size() == 3 && dims[2] != 1 && dims[2] != 2))
        return c.bad("the signal {} must be [batch, length, 1 or 2]", toString(dims));
    const std::int64_t parts = dims.size() == 3 ? dims[2] : 1;
    HS_TRY(const std::int64_t step, integerOr(c, 1, 1));
    Values window;
    if (c.has(2)) {
        HS_TRY(window, values(c, 2));
    }
    HS_TRY(const std::int64_t length, integerOr(c, 3, window.empty() ? dims[1] : static_cast<std::int64_t>(window.size())));
    if (step < 1 || length < 1 || length > dims[1] || length > kMaxLength)
        return c.bad("frames of {} by steps of {} do not fit a signal of {}", length, step, dims[1]);
    if (window.empty()) window.assign(static_cast<std::size_t>(length), 1);
    if (static_cast<std::int64_t>(window.size()) > length) return c.bad("the window is longer than the frame");
    window.resize(static_cast<std::size_t>(length), 0);
    const bool onesided = c.node().intOr("onesided", 1) != 0 && parts == 1;
    const std::int64_t bins = onesided ? length / 2 + 1 : length;
    const std::int64_t frames = (dims[1] - length) / step + 1;
    HS_TRY(const Values x, values(c, 0));
    Values y;
    for (std::int64_t b = 0; b < dims[0]; ++b)
        for (std::int64_t f = 0; f < frames; ++f) {
            std::vector<Complex> line(static_cast<std::size_t>(length));
            for (std::size_t k = 0; k < line.size(); ++k) {
                const auto at = static_cast<std::size_t>((b * dims[1] + f * step + static_cast<std::int64_t>(k)) * parts);
                line[k] = {x[at] * window[k], parts == 2 ? x[at + 1] * window[k] : 0};
            }
            for (const Complex& v : transform(line, bins, false))
                y.insert(y.end(), {v.re, v.im});
        }
    return emit(c, 0, c.declared(), {dims[0], frames, bins, 2}, y);
}

/// a0 - a1·cos(2πk/n) + a2·cos(4πk/n)
Status window(Call& c, double a0, double a1, double a2) {
    HS_TRY(const std::int64_t size, integerOr(c, 0, 0));
    if (size < 0 || size > kMaxLength) return c.bad("a window of {} is out of range", size);
    const auto n = static_cast<double>(c.node().intOr("periodic", 1) != 0 ? size : size - 1);
    Values y;
    for (std::int64_t k = 0; k < size; ++k) {
        const double angle = n == 0 ? 0 : 2 * std::numbers::pi * static_cast<double>(k) / n;
        y.push_back(a0 - a1 * std::cos(angle) + a2 * std::cos(2 * angle));
    }
    return emit(c, 0, dtypeFromOnnx(c.node().intOr("output_datatype", 1)).value_or(DType::F32), {size}, y);
}

Status hannWindow(Call& c) {
    return window(c, 0.5, 0.5, 0);
}
Status hammingWindow(Call& c) {
    return window(c, 25.0 / 46, 1 - 25.0 / 46, 0);
}
Status blackmanWindow(Call& c) {
    return window(c, 0.42, 0.5, 0.08);
}

/// Triangular filters spaced evenly on the mel scale 2595·log10(1 + f/700): [dft_length/2 + 1, mel bins].
Status melWeightMatrix(Call& c) {
    HS_CHECK(c.need(5));
    HS_TRY(const std::int64_t bins, integerOr(c, 0, 0));
    HS_TRY(const std::int64_t length, integerOr(c, 1, 0));
    HS_TRY(const std::int64_t rate, integerOr(c, 2, 0));
    HS_TRY(const double low, c.number(3));
    HS_TRY(const double high, c.number(4));
    const std::int64_t rows = length / 2 + 1;
    if (bins < 1 || bins > (1 << 20) || length < 1 || length > kMaxLength || rate < 1 || !(low >= 0 && high > low && high < 1e9) || !elementCount({rows, bins}))
        return c.bad("the parameters are out of range");
    const auto mel = [](double f) { return 2595 * std::log10(1 + f / 700); };
    const double step = (mel(high) - mel(low)) / static_cast<double>(bins + 2);
    std::vector<std::int64_t> edges;
    for (std::int64_t i = 0; i < bins + 2; ++i) {
        const double f = 700 * (std::pow(10, (mel(low) + static_cast<double>(i) * step) / 2595) - 1);
        edges.push_back(static_cast<std::int64_t>(std::floor(static_cast<double>(length + 1) * f / static_cast<double>(rate))));
    }
    Values y(static_cast<std::size_t>(rows * bins), 0);
    for (std::int64_t i = 0; i < bins; ++i) {
        const std::int64_t left = edges[static_cast<std::size_t>(i)];
        const std::int64_t centre = edges[static_cast<std::size_t>(i + 1)];
        const std::int64_t right = edges[static_cast<std::size_t>(i + 2)];
        if (right > rows) return c.bad("the upper edge lies beyond half of the sample rate");
        const auto put = [&](std::int64_t row, double v) {
            if (row < rows) y[static_cast<std::size_t>(row * bins + i)] = v;
        };
        if (centre == left) put(centre, 1);
        for (std::int64_t j = left; centre > left && j <= centre; ++j)
            put(j, static_cast<double>(j - left) / static_cast<double>(centre - left));
        for (std::int64_t j = centre; j < right; ++j)
            put(j, static_cast<double>(right - j) / static_cast<double>(right - centre));
    }
    return emit(c, 0, dtypeFromOnnx(c.node().intOr("output_datatype", 1)).value_or(DType::F32), {rows, bins}, y);
}

constexpr TypeSet kIndex = bit(DType::I32) | bit(DType::I64);

const Operator kOperators[] = {
    {"DFT", dft, kFloats},
    {"STFT", stft, kFloats},
    {"HannWindow", hannWindow, kIndex},
    {"HammingWindow", hammingWindow, kIndex},
    {"BlackmanWindow", blackmanWindow, kIndex},
    {"MelWeightMatrix", melWeightMatrix, kIndex},
};

}  // namespace

std::span<const Operator> signalOperators() {
    return kOperators;
}

}  // namespace hs::ref
