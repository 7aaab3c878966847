// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "executors/reference/registry.h"
#include "executors/reference/values.h"
#include "executors/reference/window.h"

namespace hs::ref {
namespace {

/// How GridSample reads one plane of any number of dimensions.
class Sampler {
public:
    Sampler(const Call& c, Dims dims) : m_dims(std::move(dims)), m_strides(stridesOf(m_dims)) {
        m_mode = c.node().stringOr("mode", "linear");
        if (m_mode == "bilinear") m_mode = "linear";
        if (m_mode == "bicubic") m_mode = "cubic";
        m_padding = c.node().stringOr("padding_mode", "zeros");
        m_aligned = c.node().intOr("align_corners", 0) != 0;
    }
    bool known() const {
        return (m_mode == "linear" || m_mode == "nearest" || m_mode == "cubic") && (m_padding == "zeros" || m_padding == "border" || m_padding == "reflection");
    }

    /// `point`: normalised coordinates, outermost dimension first.
    double operator()(const double* plane, Values point) const {
        for (std::size_t d = 0; d < point.size(); ++d)
            point[d] = place(point[d], d);
        return interpolate(plane, point, 0, 0);
    }

private:
    double low() const { return m_aligned ? 0 : -0.5; }
    double high(std::size_t d) const { return static_cast<double>(m_dims[d]) - (m_aligned ? 1 : 0.5); }

    double place(double v, std::size_t d) const {
        const auto size = static_cast<double>(m_dims[d]);
        double x = m_aligned ? (v + 1) / 2 * (size - 1) : ((v + 1) * size - 1) / 2;
        if (!std::isfinite(x)) x = -1e9;
        x = std::clamp(x, -1e9, 1e9);
        if (m_mode == "nearest") x = std::nearbyint(x);
        if (x >= low() && x <= high(d)) return x;
        if (m_padding == "border") return std::clamp(x, 0.0, size - 1);
        return m_padding == "reflection" ? reflect(x, d) : x;
    }

    double reflect(double x, std::size_t d) const {
        const double from = low();
        const double to = high(d);
        const double span = to - from;
        if (span <= 0) return 0;
        const bool below = x < from;
        if (!below && x <= to) return x;
        const double beyond = below ? from - x : x - to;
        const double turns = std::floor(beyond / span);
        const double rest = beyond - turns * span;
        const bool even = std::fmod(turns, 2) == 0;
        return below == even ? from + rest : to - rest;
    }

    /// The element at an integer place of dimension d, as an offset; -1 for a zero.
    std::int64_t element(double at, std::size_t d) const {
        const double last = static_cast<double>(m_dims[d] - 1);
        if (at < 0 || at > last) {
            if (m_padding == "zeros") return -1;
            at = std::clamp(m_padding == "border" ? at : std::trunc(reflect(at, d)), 0.0, last);
        }
        return static_cast<std::int64_t>(at) * m_strides[d];
    }

    double interpolate(const double* plane, const Values& point, std::size_t d, std::int64_t offset) const {
        if (d == point.size()) return plane[offset];
        const auto at = [&](double x) {
            const std::int64_t step = element(x, d);
            return step < 0 ? 0.0 : interpolate(plane, point, d + 1, offset + step);
        };
        const double below = std::floor(point[d]);
        const double t = point[d] - below;
        if (m_mode == "nearest") return at(point[d]);
        if (m_mode == "linear") return at(below) * (1 - t) + at(below + 1) * t;
        constexpr double a = -0.75;
        const auto near = [](double v) { return ((a + 2) * v - (a + 3)) * v * v + 1; };
        const auto far = [](double v) { return ((a * v - 5 * a) * v + 8 * a) * v - 4 * a; };
        return at(below - 1) * far(t + 1) + at(below) * near(t) + at(below + 1) * near(1 - t) + at(below + 2) * far(2 - t);
    }

    Dims m_dims, m_strides;
    std::string m_mode, m_padding;
    bool m_aligned = false;
};

/// X [batch, channels, …], grid [batch, out…, spatial rank] with the innermost coordinate first.
Status gridSample(Call& c) {
    HS_CHECK(c.need(2));
    const Dims& x = c.dims(0);
    const Dims& grid = c.dims(1);
    const std::size_t rank = x.size() < 3 ? 0 : x.size() - 2;
    if (rank == 0 || grid.size() != x.size() || grid.back() != static_cast<std::int64_t>(rank) || grid[0] != x[0])
        return c.bad("grid {} does not fit input {}", toString(grid), toString(x));
    if (product(x, 2, x.size()) == 0) return c.bad("the input {} has empty planes", toString(x));
    const Sampler sample(c, Dims(x.begin() + 2, x.end()));
    if (!sample.known()) return c.bad("mode or padding_mode is not known");
    HS_TRY(const Values from, values(c, 0));
    HS_TRY(const Values points, values(c, 1));
    Dims dims = {x[0], x[1]};
    dims.insert(dims.end(), grid.begin() + 1, grid.end() - 1);
    const std::int64_t plane = product(x, 2, x.size());
    const std::int64_t outPlane = product(dims, 2, dims.size());
    Values y;
    for (std::int64_t p = 0; p < x[0] * x[1]; ++p)
        for (std::int64_t i = 0; i < outPlane; ++i) {
            const double* g = points.data() + (p / x[1] * outPlane + i) * grid.back();
            y.push_back(sample(from.data() + p * plane, Values(std::make_reverse_iterator(g + rank), std::make_reverse_iterator(g))));
        }
    return emit(c, 0, c.declared(), dims, y);
}

/// theta [batch, r, r+1] applied to the normalised coordinates of every output position.
Status affineGrid(Call& c) {
    HS_CHECK(c.need(2));
    HS_TRY(const std::vector<std::int64_t> size, c.ints(1));
    const std::size_t rank = size.size() < 4 || size.size() > 5 ? 0 : size.size() - 2;
    const auto r = static_cast<std::int64_t>(rank);
    if (rank == 0 || !elementCount(size) || c.dims(0) != Dims{size[0], r, r + 1})
        return c.bad("theta {} does not fit size {}", toString(c.dims(0)), toString(size));
    const bool aligned = c.node().intOr("align_corners", 0) != 0;
    HS_TRY(const Values theta, values(c, 0));
    const Dims spatial(size.begin() + 2, size.end());
    Dims dims = {size[0]};
    dims.insert(dims.end(), spatial.begin(), spatial.end());
    dims.push_back(r);
    Values y;
    y.reserve(static_cast<std::size_t>(product(spatial)));
    for (std::int64_t n = 0; n < size[0]; ++n) {
        Dims index(rank, 0);
        for (std::int64_t i = 0; i < product(spatial); ++i, advance(index, spatial)) {
            Values point;
            for (std::size_t d = rank; d-- > 0;) {
                const auto length = static_cast<double>(spatial[d]);
                const auto at = static_cast<double>(index[d]);
                point.push_back(!aligned ? (2 * at + 1) / length - 1 : spatial[d] == 1 ? -1 : 2 * at / (length - 1) - 1);
            }
            point.push_back(1);
            for (std::int64_t row = 0; row < r; ++row) {
                double sum = 0;
                for (std::size_t k = 0; k <= rank; ++k)
                    sum += theta[static_cast<std::size_t>((n * r + row) * (r + 1)) + k] * point[k];
                y.push_back(sum);
            }
        }
    }
    return emit(c, 0, c.declared(), dims, y);
}

/// Sums columns [batch, channels·block, positions] back into the image that they were cut from.
Status col2Im(Call& c) {
    HS_CHECK(c.need(3));
    HS_TRY(const Dims image, c.ints(1));
    HS_TRY(const Dims block, c.ints(2));
    const Dims& x = c.dims(0);
    for (const std::int64_t size : image)
        if (size < 0) return c.bad("image_shape {} is out of range", toString(image));
    HS_TRY(Window window, Window::make(c, image, block));
    HS_TRY(const Dims positions, window.slide(c, image, false));
    const auto taps = elementCount(block);
    if (!taps || x.size() != 3 || x[1] % *taps != 0 || elementCount(positions) != x[2] || !elementCount(image))
        return c.bad("columns {} do not fit the image", toString(x));
    Dims dims = {x[0], x[1] / *taps};
    dims.insert(dims.end(), image.begin(), image.end());
    if (!elementCount(dims)) return c.bad("the output {} is too large", toString(dims));
    HS_TRY(const Values from, values(c, 0));
    Values y(static_cast<std::size_t>(product(dims)), 0);
    const Dims strides = stridesOf(image);
    const std::int64_t plane = product(image);
    for (std::int64_t p = 0; p < dims[0] * dims[1]; ++p) {
        Dims tap(block.size(), 0);
        for (std::int64_t t = 0; t < *taps; ++t, advance(tap, block)) {
            Dims index(block.size(), 0);
            for (std::int64_t i = 0; i < x[2]; ++i, advance(index, positions)) {
                std::int64_t at = 0;
                for (std::size_t d = 0; d < index.size() && at >= 0; ++d) {
                    const std::int64_t place = index[d] * window.strides[d] + tap[d] * window.dilations[d] - window.padBegin[d];
                    at = place < 0 || place >= image[d] ? -1 : at + place * strides[d];
                }
                if (at >= 0) y[static_cast<std::size_t>(p * plane + at)] += from[static_cast<std::size_t>((p * *taps + t) * x[2] + i)];
            }
        }
    }
    return emit(c, 0, c.declared(), dims, y);
}

const Operator kOperators[] = {
    {"GridSample", gridSample, kFloats},
    {"AffineGrid", affineGrid, kFloats},
    {"Col2Im", col2Im, kNumbers},
};

}  // namespace

std::span<const Operator> imageOperators() {
    return kOperators;
}

}  // namespace hs::ref
