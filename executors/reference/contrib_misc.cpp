// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>

#include "executors/reference/contrib_parts.h"

namespace hs::ref {
namespace {

/// Gauss-Jordan elimination with partial pivoting; false when the matrix is singular.
bool invert(double* a, double* inverse, std::int64_t n) {
    std::fill_n(inverse, n * n, 0.0);
    for (std::int64_t i = 0; i < n; ++i)
        inverse[i * n + i] = 1;
    for (std::int64_t k = 0; k < n; ++k) {
        std::int64_t pivot = k;
        for (std::int64_t r = k + 1; r < n; ++r)
            if (std::fabs(a[r * n + k]) > std::fabs(a[pivot * n + k])) pivot = r;
        if (a[pivot * n + k] == 0) return false;
        if (pivot != k) {
            std::swap_ranges(a + pivot * n, a + (pivot + 1) * n, a + k * n);
            std::swap_ranges(inverse + pivot * n, inverse + (pivot + 1) * n, inverse + k * n);
        }
        const double scale = 1 / a[k * n + k];
        for (std::int64_t j = 0; j < n; ++j) {
            a[k * n + j] *= scale;
            inverse[k * n + j] *= scale;
        }
        for (std::int64_t r = 0; r < n; ++r) {
            const double factor = a[r * n + k];
            if (r == k || factor == 0) continue;
            for (std::int64_t j = 0; j < n; ++j) {
                a[r * n + j] -= factor * a[k * n + j];
                inverse[r * n + j] -= factor * inverse[k * n + j];
            }
        }
    }
    return true;
}

Status inverse(Call& c) {
    HS_CHECK(c.need(1));
    const Dims& dims = c.dims(0);
    if (dims.size() < 2 || dims.back() != dims[dims.size() - 2]) return c.bad("the input {} holds no square matrices", toString(dims));
    HS_TRY(Values x, values(c, 0));
    Values y(x.size());
    const std::int64_t n = dims.back();
    for (std::int64_t i = 0; i < product(dims, 0, dims.size() - 2); ++i)
        if (!invert(x.data() + i * n * n, y.data() + i * n * n, n)) return c.bad("matrix {} is singular", i);
    return emit(c, 0, c.declared(), dims, y);
}

/// Distinct elements in the order of their first appearance, the place of each element among them, and their counts.
template <class T>
Status uniqueOf(Call& c) {
    const auto x = c.in(0).data<T>();
    std::vector<std::size_t> firsts;
    Values places;
    Values counts;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const auto at = std::find_if(firsts.begin(), firsts.end(), [&](std::size_t f) { return x[f] == x[i]; });
        const auto place = static_cast<std::size_t>(at - firsts.begin());
        if (at == firsts.end()) {
            firsts.push_back(i);
            counts.push_back(0);
        }
        places.push_back(static_cast<double>(place));
        ++counts[place];
    }
    const Dims dims = {static_cast<std::int64_t>(firsts.size())};
    HS_TRY(Tensor * y, c.outT(0, dims));
    const Mover mover(c.in(0), *y);
    for (std::size_t i = 0; i < firsts.size(); ++i)
        mover.one(static_cast<std::int64_t>(i), static_cast<std::int64_t>(firsts[i]));
    HS_CHECK(emit(c, 1, DType::I64, c.dims(0), places));
    return emit(c, 2, DType::I64, dims, counts);
}

Status unique(Call& c) {
    HS_CHECK(c.need(1));
    if (c.dims(0).size() != 1) return c.bad("the input must have rank 1, not {}", toString(c.dims(0)));
    switch (c.in(0).dtype()) {
        case DType::F32: return uniqueOf<float>(c);
        case DType::F64: return uniqueOf<double>(c);
        case DType::I64: return uniqueOf<std::int64_t>(c);
        case DType::U64: return uniqueOf<std::uint64_t>(c);
        case DType::Bool: return uniqueOf<std::uint8_t>(c);
        case DType::String: return uniqueOf<std::string>(c);
        default: return c.noType(c.in(0).dtype());
    }
}

/// One sample of a plane [height, width] at (y, x), which lies within it.
double sampled(const double* plane, std::int64_t width, std::int64_t height, double y, double x, bool nearest) {
    if (nearest) return plane[static_cast<std::int64_t>(std::round(y)) * width + static_cast<std::int64_t>(std::round(x))];
    const auto top = static_cast<std::int64_t>(std::floor(y));
    const auto left = static_cast<std::int64_t>(std::floor(x));
    const std::int64_t bottom = std::min(top + 1, height - 1);
    const std::int64_t right = std::min(left + 1, width - 1);
    const double fy = y - static_cast<double>(top);
    const double fx = x - static_cast<double>(left);
    return (plane[top * width + left] * (1 - fx) + plane[top * width + right] * fx) * (1 - fy) +
           (plane[bottom * width + left] * (1 - fx) + plane[bottom * width + right] * fx) * fy;
}

/// Where sample i of `count` lies on an axis of `size`, for a box side from `low` to `high` in parts of the axis.
double placeOf(std::int64_t i, std::int64_t count, double low, double high, std::int64_t size) {
    const auto span = static_cast<double>(size - 1);
    if (count == 1) return 0.5 * (low + high) * span;
    return low * span + static_cast<double>(i) * (high - low) * span / static_cast<double>(count - 1);
}

/// Inputs: images, boxes [y1, x1, y2, x2] in parts of the image, the image of each box, the size of the crops.
Status cropAndResize(Call& c) {
    HS_CHECK(c.need(4));
    const Dims& x = c.dims(0);
    const Dims& rois = c.dims(1);
    HS_TRY(const std::vector<std::int64_t> images, c.ints(2));
    HS_TRY(const std::vector<std::int64_t> size, c.ints(3));
    if (x.size() != 4 || rois.size() != 2 || rois[1] != 4 || static_cast<std::int64_t>(images.size()) != rois[0] || size.size() != 2 || size[0] < 1 ||
        size[1] < 1)
        return c.bad("images {}, boxes {} and {} indices do not fit", toString(x), toString(rois), images.size());
    const std::string mode = c.node().stringOr("mode", "bilinear");
    if (mode != "bilinear" && mode != "nearest") return c.bad("mode \"{}\" is not known", mode);
    if (x[2] < 1 || x[3] < 1) return c.bad("the images {} are empty", toString(x));
    const Dims dims = {rois[0], x[1], size[0], size[1]};
    if (!elementCount(dims)) return c.bad("the output {} is too large", toString(dims));
    const double outside = c.node().floatOr("extrapolation_value", 0.0F);
    HS_TRY(const Values data, values(c, 0));
    HS_TRY(const Values boxes, values(c, 1));
    Values y;
    y.reserve(static_cast<std::size_t>(product(dims)));
    for (std::int64_t r = 0; r < rois[0]; ++r) {
        const std::int64_t image = images[static_cast<std::size_t>(r)];
        if (image < 0 || image >= x[0]) return c.bad("there is no image {}", image);
        const double* box = boxes.data() + r * 4;
        for (std::int64_t ch = 0; ch < x[1]; ++ch)
            for (std::int64_t i = 0; i < size[0]; ++i)
                for (std::int64_t j = 0; j < size[1]; ++j) {
                    const double py = placeOf(i, size[0], box[0], box[2], x[2]);
                    const double px = placeOf(j, size[1], box[1], box[3], x[3]);
                    const bool within = py >= 0 && py <= static_cast<double>(x[2] - 1) && px >= 0 && px <= static_cast<double>(x[3] - 1);
                    y.push_back(within ? sampled(data.data() + (image * x[1] + ch) * x[2] * x[3], x[3], x[2], py, px, mode == "nearest") : outside);
                }
    }
    return emit(c, 0, c.declared(), dims, y);
}

/// A token that would repeat an n-gram gets the score -inf.
Status nGramRepeatBlock(Call& c) {
    HS_CHECK(c.need(2));
    const std::int64_t n = c.node().intOr("ngram_size", 0);
    const Dims& ids = c.dims(0);
    const Dims& dims = c.dims(1);
    if (n < 1 || ids.size() != 2 || dims.size() != 2 || ids[0] != dims[0])
        return c.bad("ids {} and scores {} with ngram_size {} do not fit", toString(ids), toString(dims), n);
    HS_TRY(const std::vector<std::int64_t> tokens, c.ints(0));
    HS_TRY(Values scores, values(c, 1));
    for (std::int64_t b = 0; b < ids[0]; ++b) {
        const auto row = tokens.begin() + b * ids[1];
        for (std::int64_t i = 0; i + n <= ids[1]; ++i) {
            if (!std::equal(row + i, row + i + n - 1, row + ids[1] - n + 1)) continue;
            const std::int64_t token = row[i + n - 1];
            if (token < 0 || token >= dims[1]) return c.bad("token {} is outside of the vocabulary of {}", token, dims[1]);
            scores[static_cast<std::size_t>(b * dims[1] + token)] = -std::numeric_limits<double>::infinity();
        }
    }
    return emit(c, 0, c.in(1).dtype(), dims, scores);
}

/// Distances between the rows of A and the rows of B.
Status cDist(Call& c) {
    HS_CHECK(c.need(2));
    if (c.dims(0).size() != 2 || c.dims(1).size() != 2 || c.dims(0)[1] != c.dims(1)[1])
        return c.bad("points {} and {} do not fit", toString(c.dims(0)), toString(c.dims(1)));
    const bool root = c.node().stringOr("metric", "sqeuclidean") == "euclidean";
    const std::int64_t size = c.dims(0)[1];
    HS_TRY(const Values a, values(c, 0));
    HS_TRY(const Values b, values(c, 1));
    Values y;
    for (std::int64_t i = 0; i < c.dims(0)[0]; ++i)
        for (std::int64_t j = 0; j < c.dims(1)[0]; ++j) {
            double sum = 0;
            for (std::int64_t k = 0; k < size; ++k) {
                const double d = a[static_cast<std::size_t>(i * size + k)] - b[static_cast<std::size_t>(j * size + k)];
                sum += d * d;
            }
            y.push_back(root ? std::sqrt(sum) : sum);
        }
    return emit(c, 0, c.declared(), {c.dims(0)[0], c.dims(1)[0]}, y);
}

std::string refusesCDist(const Node& node) {
    const std::string metric = node.stringOr("metric", "sqeuclidean");
    return metric == "euclidean" || metric == "sqeuclidean" ? std::string() : "metric=" + metric;
}

Status expandDims(Call& c) {
    HS_CHECK(c.need(2));
    HS_TRY(const std::vector<std::int64_t> axis, c.ints(1));
    if (axis.size() != 1) return c.bad("axis must be one number");
    Dims dims = c.dims(0);
    HS_TRY(const std::size_t at, c.axis(axis[0], dims.size() + 1));
    dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(at), 1);
    HS_TRY(Tensor * y, c.outT(0, dims));
    copyAll(c.in(0), *y);
    return {};
}

/// start, start + delta, …; delta is 1 when absent.
Status range(Call& c) {
    HS_CHECK(c.need(2));
    HS_TRY(const double start, c.number(0));
    HS_TRY(const double limit, c.number(1));
    double delta = 1;
    if (c.has(2)) {
        HS_TRY(delta, c.number(2));
    }
    const double count = std::max(0.0, std::ceil((limit - start) / delta));
    if (delta == 0 || !(count <= static_cast<double>(1 << 28))) return c.bad("a range from {} to {} by {} is out of range", start, limit, delta);
    Values y;
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(count); ++i)
        y.push_back(start + static_cast<double>(i) * delta);
    return emit(c, 0, c.declared(), {static_cast<std::int64_t>(y.size())}, y);
}

constexpr TypeSet kRange = bit(DType::F32) | bit(DType::F64) | bit(DType::I16) | bit(DType::I32) | bit(DType::I64);

const Operator kOperators[] = {
    contrib("Inverse", inverse, kFloats),
    contrib("Unique", unique, kNumbers | kBool | bit(DType::String), Widen::Numbers),
    contrib("CropAndResize", cropAndResize, kFloats),
    contrib("NGramRepeatBlock", nGramRepeatBlock, bit(DType::I64) | bit(DType::I32)),
    contrib("CDist", cDist, kFloats, Widen::None, 0, refusesCDist),
    contrib("ExpandDims", expandDims, kAny, Widen::Packed),
    contrib("Range", range, kRange),
};

}  // namespace

std::span<const Operator> contribMiscOperators() {
    return kOperators;
}

}  // namespace hs::ref
