// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>

#include "executors/reference/registry.h"
#include "executors/reference/values.h"
#include "executors/reference/window.h"

namespace hs::ref {
namespace {

/// The four pixels around a point of a plane, with their bilinear weights. Nothing when the point is over a pixel outside.
struct Corners {
    double weight[4] = {0, 0, 0, 0};
    std::int64_t offset[4] = {0, 0, 0, 0};
};

/// RoiAlign's rule: up to one pixel outside counts as the border, more is nothing.
Corners clampedCorners(double y, double x, std::int64_t height, std::int64_t width) {
    Corners out;
    if (!(y >= -1 && y <= static_cast<double>(height) && x >= -1 && x <= static_cast<double>(width))) return out;
    y = std::clamp(y, 0.0, static_cast<double>(height - 1));
    x = std::clamp(x, 0.0, static_cast<double>(width - 1));
    const auto top = static_cast<std::int64_t>(y);
    const auto left = static_cast<std::int64_t>(x);
    const std::int64_t bottom = std::min(top + 1, height - 1);
    const std::int64_t right = std::min(left + 1, width - 1);
    const double dy = y - static_cast<double>(top);
    const double dx = x - static_cast<double>(left);
    return {{(1 - dy) * (1 - dx), (1 - dy) * dx, dy * (1 - dx), dy * dx},
            {top * width + left, top * width + right, bottom * width + left, bottom * width + right}};
}

struct RoiGrid {
    double startY, startX, binHeight, binWidth;
    std::int64_t rows, columns;  ///< Samples per bin.
};

constexpr std::int64_t kMaxSamples = 4096;  // per bin and axis: a region far larger than any image

struct RoiSettings {
    std::int64_t height, width, ratio;
    double scale;
    bool halfPixel, largest;
};

RoiGrid gridOf(const double* roi, const RoiSettings& s) {
    const double shift = s.halfPixel ? 0.5 : 0;
    const double x1 = roi[0] * s.scale - shift;
    const double y1 = roi[1] * s.scale - shift;
    double width = roi[2] * s.scale - shift - x1;
    double height = roi[3] * s.scale - shift - y1;
    if (!s.halfPixel) {
        width = std::max(width, 1.0);
        height = std::max(height, 1.0);
    }
    RoiGrid grid{y1, x1, height / static_cast<double>(s.height), width / static_cast<double>(s.width), s.ratio, s.ratio};
    const auto samples = [](double v) {
        return static_cast<std::int64_t>(std::isfinite(v) ? std::clamp(std::ceil(v), 0.0, static_cast<double>(kMaxSamples)) : 0);
    };
    if (s.ratio <= 0) {
        grid.rows = samples(grid.binHeight);
        grid.columns = samples(grid.binWidth);
    }
    return grid;
}

/// Pools the samples of one bin: their mean, or the largest weighted pixel.
double poolBin(const double* plane, std::int64_t height, std::int64_t width, const RoiGrid& g, std::int64_t row, std::int64_t column, bool largest) {
    double sum = 0;
    double best = 0;
    bool some = false;
    for (std::int64_t i = 0; i < g.rows; ++i)
        for (std::int64_t j = 0; j < g.columns; ++j) {
            const double y = g.startY + static_cast<double>(row) * g.binHeight + (static_cast<double>(i) + 0.5) * g.binHeight / static_cast<double>(g.rows);
            const double x = g.startX + static_cast<double>(column) * g.binWidth + (static_cast<double>(j) + 0.5) * g.binWidth / static_cast<double>(g.columns);
            const Corners c = clampedCorners(y, x, height, width);
            double top = -std::numeric_limits<double>::infinity();
            for (int k = 0; k < 4; ++k) {
                const double v = c.weight[k] == 0 ? 0 : c.weight[k] * plane[c.offset[k]];
                sum += v;
                top = std::max(top, v);
            }
            best = some ? std::max(best, top) : top;
            some = true;
        }
    return largest ? best : sum / static_cast<double>(std::max<std::int64_t>(g.rows * g.columns, 1));
}

/// Mask R-CNN's region pooling (He et al. 2017). Opset 16 moved the regions by half a pixel by default.
Status roiAlign(Call& c) {
    HS_CHECK(c.need(3));
    const Dims& x = c.dims(0);
    const Dims& rois = c.dims(1);
    if (x.size() != 4 || rois.size() != 2 || rois[1] != 4 || c.in(2).count() != rois[0])
        return c.bad("input {} and regions {} do not fit", toString(x), toString(rois));
    const std::string mode = c.node().stringOr("mode", "avg");
    if (mode != "avg" && mode != "max") return c.bad("mode \"{}\" is not known", mode);
    const std::string transformation = c.node().stringOr("coordinate_transformation_mode", c.opset() < 16 ? "output_half_pixel" : "half_pixel");
    const RoiSettings s{c.node().intOr("output_height", 1),      c.node().intOr("output_width", 1), c.node().intOr("sampling_ratio", 0),
                        c.node().floatOr("spatial_scale", 1.0F), transformation == "half_pixel",    mode == "max"};
    const Dims dims = {rois[0], x[1], s.height, s.width};
    if (s.height < 1 || s.width < 1 || s.ratio > kMaxSamples || !elementCount(dims) || x[2] * x[3] == 0) return c.bad("the attributes are out of range");
    HS_TRY(const Values from, values(c, 0));
    HS_TRY(const Values regions, values(c, 1));
    HS_TRY(const std::vector<std::int64_t> batch, c.ints(2));
    Values y;
    y.reserve(static_cast<std::size_t>(product(dims)));
    for (std::int64_t r = 0; r < rois[0]; ++r) {
        const std::int64_t b = batch[static_cast<std::size_t>(r)];
        if (b < 0 || b >= x[0]) return c.bad("batch index {} is out of range", b);
        const RoiGrid grid = gridOf(regions.data() + r * 4, s);
        for (std::int64_t ch = 0; ch < x[1]; ++ch)
            for (std::int64_t i = 0; i < s.height; ++i)
                for (std::int64_t j = 0; j < s.width; ++j)
                    y.push_back(poolBin(from.data() + (b * x[1] + ch) * x[2] * x[3], x[2], x[3], grid, i, j, s.largest));
    }
    return emit(c, 0, c.declared(), dims, y);
}

/// Fast R-CNN's region pooling: the maximum of each bin, with rounded borders.
Status maxRoiPool(Call& c) {
    HS_CHECK(c.need(2));
    const Dims& x = c.dims(0);
    const Dims& rois = c.dims(1);
    const Dims shape = c.node().intsOr("pooled_shape");
    if (x.size() != 4 || rois.size() != 2 || rois[1] != 5 || shape.size() != 2 || shape[0] < 1 || shape[1] < 1)
        return c.bad("input {} and regions {} do not fit", toString(x), toString(rois));
    const Dims dims = {rois[0], x[1], shape[0], shape[1]};
    if (!elementCount(dims)) return c.bad("the output {} is too large", toString(dims));
    const double scale = c.node().floatOr("spatial_scale", 1.0F);
    HS_TRY(const Values from, values(c, 0));
    HS_TRY(const Values regions, values(c, 1));
    Values y;
    const auto border = [&](double v) { return std::clamp(std::round(v * scale), -1e9, 1e9); };
    for (std::int64_t r = 0; r < rois[0]; ++r) {
        const double* roi = regions.data() + r * 5;
        if (!(roi[0] >= 0 && roi[0] < static_cast<double>(x[0])) || std::isnan(roi[1] + roi[2] + roi[3] + roi[4])) return c.bad("region {} is not valid", r);
        const double binHeight = std::max(border(roi[4]) - border(roi[2]) + 1, 1.0) / static_cast<double>(shape[0]);
        const double binWidth = std::max(border(roi[3]) - border(roi[1]) + 1, 1.0) / static_cast<double>(shape[1]);
        const auto limit = [](double v, std::int64_t size) { return static_cast<std::int64_t>(std::clamp(v, 0.0, static_cast<double>(size))); };
        for (std::int64_t ch = 0; ch < x[1]; ++ch)
            for (std::int64_t i = 0; i < shape[0]; ++i)
                for (std::int64_t j = 0; j < shape[1]; ++j) {
                    const std::int64_t top = limit(std::floor(static_cast<double>(i) * binHeight) + border(roi[2]), x[2]);
                    const std::int64_t bottom = limit(std::ceil(static_cast<double>(i + 1) * binHeight) + border(roi[2]), x[2]);
                    const std::int64_t left = limit(std::floor(static_cast<double>(j) * binWidth) + border(roi[1]), x[3]);
                    const std::int64_t right = limit(std::ceil(static_cast<double>(j + 1) * binWidth) + border(roi[1]), x[3]);
                    const double* plane = from.data() + (static_cast<std::int64_t>(roi[0]) * x[1] + ch) * x[2] * x[3];
                    double best = bottom <= top || right <= left ? 0 : std::numeric_limits<double>::lowest();
                    for (std::int64_t py = top; py < bottom; ++py)
                        for (std::int64_t px = left; px < right; ++px)
                            best = std::max(best, plane[py * x[3] + px]);
                    y.push_back(best);
                }
    }
    return emit(c, 0, c.declared(), dims, y);
}

/// A point of a plane by bilinear interpolation; pixels outside are zero.
double bilinear(const double* plane, std::int64_t height, std::int64_t width, double y, double x) {
    if (!(y > -1 && y < static_cast<double>(height) && x > -1 && x < static_cast<double>(width))) return 0;
    const double top = std::floor(y);
    const double left = std::floor(x);
    const auto pixel = [&](double row, double column) {
        const auto r = static_cast<std::int64_t>(row);
        const auto k = static_cast<std::int64_t>(column);
        return r < 0 || r >= height || k < 0 || k >= width ? 0.0 : plane[r * width + k];
    };
    const double dy = y - top;
    const double dx = x - left;
    return (1 - dy) * ((1 - dx) * pixel(top, left) + dx * pixel(top, left + 1)) + dy * ((1 - dx) * pixel(top + 1, left) + dx * pixel(top + 1, left + 1));
}

struct DeformShape {
    Window window;
    Dims output;
    std::int64_t groups = 1, offsetGroups = 1;
};

Result<DeformShape> deformShape(Call& c) {
    const Dims& x = c.dims(0);
    const Dims& w = c.dims(1);
    if (x.size() != 4 || w.size() != 4) return c.unsupported("only two spatial dimensions are supported");
    DeformShape s;
    s.groups = c.node().intOr("group", 1);
    s.offsetGroups = c.node().intOr("offset_group", 1);
    if (s.groups < 1 || s.offsetGroups < 1 || x[1] % s.groups != 0 || w[0] % s.groups != 0 || w[1] != x[1] / s.groups || x[1] % s.offsetGroups != 0)
        return c.bad("the groups do not divide input {} with weights {}", toString(x), toString(w));
    HS_TRY(s.window, Window::make(c, {x[2], x[3]}, {w[2], w[3]}));
    HS_TRY(s.output, s.window.slide(c, {x[2], x[3]}, false));
    const std::int64_t taps = w[2] * w[3];
    if (c.dims(2) != Dims{x[0], s.offsetGroups * taps * 2, s.output[0], s.output[1]}) return c.bad("offsets {} do not fit", toString(c.dims(2)));
    if (c.has(4) && c.dims(4) != Dims{x[0], s.offsetGroups * taps, s.output[0], s.output[1]}) return c.bad("the mask {} does not fit", toString(c.dims(4)));
    return s;
}

/// Convolution whose taps are moved by offsets and weighted by a mask (Zhu et al. 2019).
Status deformConv(Call& c) {
    HS_CHECK(c.need(3));
    HS_TRY(const DeformShape s, deformShape(c));
    const Dims& x = c.dims(0);
    const Dims& w = c.dims(1);
    HS_TRY(const Values from, values(c, 0));
    HS_TRY(const Values weights, values(c, 1));
    HS_TRY(const Values offsets, values(c, 2));
    HS_TRY(const Values bias, valuesOr(c, 3, w[0], 0));
    const std::int64_t taps = w[2] * w[3];
    const std::int64_t plane = s.output[0] * s.output[1];
    HS_TRY(const Values mask, valuesOr(c, 4, x[0] * s.offsetGroups * taps * plane, 1));
    const std::int64_t perGroup = x[1] / s.groups;
    const std::int64_t filters = w[0] / s.groups;
    Values y(static_cast<std::size_t>(x[0] * w[0] * plane));
    for (std::int64_t n = 0; n < x[0]; ++n)
        for (std::int64_t f = 0; f < w[0]; ++f)
            for (std::int64_t p = 0; p < plane; ++p) {
                double sum = bias[static_cast<std::size_t>(f)];
                for (std::int64_t k = 0; k < perGroup; ++k) {
                    const std::int64_t channel = f / filters * perGroup + k;
                    const std::int64_t group = n * s.offsetGroups + channel / (x[1] / s.offsetGroups);
                    for (std::int64_t t = 0; t < taps; ++t) {
                        const auto moved = static_cast<std::size_t>((group * taps + t) * 2 * plane + p);
                        const double row =
                            static_cast<double>(p / s.output[1] * s.window.strides[0] - s.window.padBegin[0] + t / w[3] * s.window.dilations[0]) +
                            offsets[moved];
                        const double column =
                            static_cast<double>(p % s.output[1] * s.window.strides[1] - s.window.padBegin[1] + t % w[3] * s.window.dilations[1]) +
                            offsets[moved + static_cast<std::size_t>(plane)];
                        sum += weights[static_cast<std::size_t>((f * perGroup + k) * taps + t)] *
                               mask[static_cast<std::size_t>((group * taps + t) * plane + p)] *
                               bilinear(from.data() + (n * x[1] + channel) * x[2] * x[3], x[2], x[3], row, column);
                    }
                }
                y[static_cast<std::size_t>((n * w[0] + f) * plane + p)] = sum;
            }
    return emit(c, 0, c.declared(), {x[0], w[0], s.output[0], s.output[1]}, y);
}

const Operator kOperators[] = {
    {"RoiAlign", roiAlign, kFloats},
    {"MaxRoiPool", maxRoiPool, kFloats},
    {"DeformConv", deformConv, kFloats},
};

}  // namespace

std::span<const Operator> regionOperators() {
    return kOperators;
}

}  // namespace hs::ref
