// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include "executors/reference/registry.h"
#include "executors/reference/values.h"

namespace hs::ref {
namespace {

/// Keeps the slices along an axis (or the flat elements) whose condition is true.
Status compress(Call& c) {
    HS_CHECK(c.need(2));
    Dims dims = c.dims(0);
    const bool flat = c.node().find("axis") == nullptr;
    if (flat) dims = {c.in(0).count()};
    HS_TRY(const std::size_t axis, c.axis(c.node().intOr("axis", 0), dims.size()));
    HS_TRY(const std::vector<std::int64_t> condition, c.ints(1));
    std::vector<std::int64_t> kept;
    for (std::size_t i = 0; i < condition.size() && static_cast<std::int64_t>(i) < dims[axis]; ++i)
        if (condition[i] != 0) kept.push_back(static_cast<std::int64_t>(i));
    const AxisView view(dims, axis);
    dims[axis] = static_cast<std::int64_t>(kept.size());
    HS_TRY(Tensor * y, c.outT(0, dims));
    const Mover mover(c.in(0), *y);
    std::int64_t at = 0;
    for (std::int64_t o = 0; o < view.outer; ++o)
        for (const std::int64_t k : kept) {
            mover.run(at, (o * view.size + k) * view.inner, view.inner);
            at += view.inner;
        }
    return {};
}

/// values = [off, on]; an index out of range gives a row of off.
Status oneHot(Call& c) {
    HS_CHECK(c.need(3));
    HS_TRY(const double depthNumber, c.number(1));
    if (!(depthNumber >= 1 && depthNumber <= static_cast<double>(kMaxElements))) return c.bad("the depth is out of range");
    const auto depth = static_cast<std::int64_t>(depthNumber);
    if (c.in(2).count() != 2) return c.bad("values must have two elements");
    HS_TRY(const std::size_t axis, c.axis(c.node().intOr("axis", -1), c.dims(0).size() + 1));
    Dims dims = c.dims(0);
    dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(axis), depth);
    if (!elementCount(dims)) return c.bad("the output {} is too large", toString(dims));
    HS_TRY(const Values indices, values(c, 0));
    HS_TRY(Tensor * y, c.outT(0, dims));
    const AxisView view(dims, axis);
    const Mover mover(c.in(2), *y);
    for (std::int64_t o = 0; o < view.outer; ++o)
        for (std::int64_t i = 0; i < view.inner; ++i) {
            double index = indices[static_cast<std::size_t>(o * view.inner + i)];
            if (index < 0) index += depthNumber;
            for (std::int64_t k = 0; k < depth; ++k)
                mover.one(static_cast<std::int64_t>(view.at(o, k, i)), static_cast<double>(k) == index ? 1 : 0);
        }
    return {};
}

/// Coordinates of the elements that are not zero, as [rank, count] in row-major order.
Status nonZero(Call& c) {
    HS_CHECK(c.need(1));
    const Dims dims = c.dims(0).empty() ? Dims{1} : c.dims(0);
    HS_TRY(Tensor mask, Tensor::allocate(DType::Bool, dims));
    HS_CHECK(convert(c.in(0), mask));
    std::vector<std::int64_t> found;
    for (std::int64_t i = 0; i < mask.count(); ++i)
        if (mask.data<std::uint8_t>()[static_cast<std::size_t>(i)] != 0) found.push_back(i);
    const auto count = static_cast<std::int64_t>(found.size());
    HS_TRY(Tensor * y, c.out(0, DType::I64, {static_cast<std::int64_t>(c.dims(0).size()), count}));
    const Dims strides = stridesOf(dims);
    for (std::int64_t d = 0; d < y->dims()[0]; ++d)
        for (std::int64_t i = 0; i < count; ++i)
            y->data<std::int64_t>()[static_cast<std::size_t>(d * count + i)] =
                found[static_cast<std::size_t>(i)] / strides[static_cast<std::size_t>(d)] % dims[static_cast<std::size_t>(d)];
    return {};
}

/// Order of two slices of `n` elements each, by element.
int compareSlices(const Tensor& t, const AxisView& v, std::int64_t a, std::int64_t b) {
    const auto order = [&]<class T>(const T*) {
        const auto x = t.data<T>();
        for (std::int64_t o = 0; o < v.outer; ++o)
            for (std::int64_t i = 0; i < v.inner; ++i) {
                const T& left = x[v.at(o, a, i)];
                const T& right = x[v.at(o, b, i)];
                if (left < right) return -1;
                if (right < left) return 1;
            }
        return 0;
    };
    switch (t.dtype()) {
        case DType::F32: return order(static_cast<const float*>(nullptr));
        case DType::F64: return order(static_cast<const double*>(nullptr));
        case DType::I64: return order(static_cast<const std::int64_t*>(nullptr));
        case DType::U64: return order(static_cast<const std::uint64_t*>(nullptr));
        case DType::String: return order(static_cast<const std::string*>(nullptr));
        default: return order(static_cast<const std::uint8_t*>(nullptr));
    }
}

/// Groups of equal slices: for each its members, in the order of the result.
std::vector<std::vector<std::int64_t>> equalGroups(const Tensor& t, const AxisView& view, bool sorted) {
    std::vector<std::int64_t> order(static_cast<std::size_t>(view.size));
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) { return compareSlices(t, view, a, b) < 0; });
    std::vector<std::vector<std::int64_t>> groups;
    for (const std::int64_t k : order) {
        if (groups.empty() || compareSlices(t, view, groups.back().front(), k) != 0) groups.emplace_back();
        groups.back().push_back(k);
    }
    if (!sorted) std::sort(groups.begin(), groups.end(), [](const auto& a, const auto& b) { return a.front() < b.front(); });
    return groups;
}

Status emitInts(Call& c, std::size_t i, const std::vector<std::int64_t>& numbers) {
    if (!c.wants(i)) return {};
    HS_TRY(Tensor * y, c.out(i, DType::I64, {static_cast<std::int64_t>(numbers.size())}));
    std::ranges::copy(numbers, y->data<std::int64_t>().begin());
    return {};
}

Status unique(Call& c) {
    HS_CHECK(c.need(1));
    Dims dims = c.dims(0);
    if (c.node().find("axis") == nullptr) dims = {c.in(0).count()};
    HS_TRY(const std::size_t axis, c.axis(c.node().intOr("axis", 0), dims.size()));
    const AxisView view(dims, axis);
    const auto groups = equalGroups(c.in(0), view, c.node().intOr("sorted", 1) != 0);
    std::vector<std::int64_t> first;
    std::vector<std::int64_t> counts;
    std::vector<std::int64_t> inverse(static_cast<std::size_t>(view.size));
    for (std::size_t g = 0; g < groups.size(); ++g) {
        first.push_back(groups[g].front());
        counts.push_back(static_cast<std::int64_t>(groups[g].size()));
        for (const std::int64_t k : groups[g])
            inverse[static_cast<std::size_t>(k)] = static_cast<std::int64_t>(g);
    }
    dims[axis] = static_cast<std::int64_t>(first.size());
    HS_TRY(Tensor * y, c.outT(0, dims));
    const Mover mover(c.in(0), *y);
    std::int64_t at = 0;
    for (std::int64_t o = 0; o < view.outer; ++o)
        for (const std::int64_t k : first) {
            mover.run(at, (o * view.size + k) * view.inner, view.inner);
            at += view.inner;
        }
    HS_CHECK(emitInts(c, 1, first));
    HS_CHECK(emitInts(c, 2, inverse));
    return emitInts(c, 3, counts);
}

/// Reverses the first lens[b] steps of every batch entry.
Status reverseSequence(Call& c) {
    HS_CHECK(c.need(2));
    const Dims& dims = c.dims(0);
    HS_TRY(const std::vector<std::int64_t> lengths, c.ints(1));
    const std::int64_t batchAxis = c.node().intOr("batch_axis", 1);
    const std::int64_t timeAxis = c.node().intOr("time_axis", 0);
    if (dims.size() < 2 || batchAxis + timeAxis != 1 || batchAxis < 0 || batchAxis > 1) return c.bad("batch_axis and time_axis must be 0 and 1");
    const auto batch = static_cast<std::size_t>(batchAxis);
    const std::int64_t steps = dims[1 - batch];
    if (static_cast<std::int64_t>(lengths.size()) != dims[batch]) return c.bad("sequence_lens must have {} elements", dims[batch]);
    HS_TRY(Tensor * y, c.outT(0, dims));
    const Mover mover(c.in(0), *y);
    const std::int64_t run = product(dims, 2, dims.size());
    for (std::int64_t b = 0; b < dims[batch]; ++b) {
        const std::int64_t length = lengths[static_cast<std::size_t>(b)];
        if (length < 0 || length > steps) return c.bad("sequence length {} is out of range", length);
        for (std::int64_t t = 0; t < steps; ++t) {
            const std::int64_t from = t < length ? length - 1 - t : t;
            const auto place = [&](std::int64_t step) { return (batch == 1 ? step * dims[1] + b : b * dims[1] + step) * run; };
            mover.run(place(t), place(from), run);
        }
    }
    return {};
}

/// Keeps the upper or lower triangle of the last two dimensions.
Status trilu(Call& c) {
    HS_CHECK(c.need(1));
    const Dims& dims = c.dims(0);
    if (dims.size() < 2) return c.bad("the input must have rank 2 or more");
    std::int64_t k = 0;
    if (c.has(1)) {
        HS_TRY(const std::vector<std::int64_t> given, c.ints(1));
        if (given.size() != 1) return c.bad("k must be one integer");
        k = std::clamp(given[0], -kMaxElements, kMaxElements);
    }
    const bool upper = c.node().intOr("upper", 1) != 0;
    HS_TRY(Tensor * y, c.outT(0, dims));
    fillZero(*y);
    const Mover mover(c.in(0), *y);
    const std::int64_t rows = dims[dims.size() - 2];
    const std::int64_t columns = dims.back();
    for (std::int64_t row = 0; row < product(dims, 0, dims.size() - 1); ++row) {
        const std::int64_t diagonal = std::clamp<std::int64_t>(row % rows + k + (upper ? 0 : 1), 0, columns);
        const std::int64_t from = upper ? diagonal : 0;
        const std::int64_t to = upper ? columns : diagonal;
        mover.run(row * columns + from, row * columns + from, to - from);
    }
    return {};
}

struct Box {
    double x1, y1, x2, y2;
    double area() const { return (x2 - x1) * (y2 - y1); }
};

Box boxAt(const Values& boxes, std::size_t i, bool centre) {
    const double* p = boxes.data() + i * 4;
    if (centre) return {p[0] - p[2] / 2, p[1] - p[3] / 2, p[0] + p[2] / 2, p[1] + p[3] / 2};
    return {std::min(p[1], p[3]), std::min(p[0], p[2]), std::max(p[1], p[3]), std::max(p[0], p[2])};
}

double overlap(const Box& a, const Box& b) {
    const double width = std::min(a.x2, b.x2) - std::max(a.x1, b.x1);
    const double height = std::min(a.y2, b.y2) - std::max(a.y1, b.y1);
    if (width <= 0 || height <= 0) return 0;
    const double both = width * height;
    const double either = a.area() + b.area() - both;
    return either <= 0 ? 0 : both / either;
}

/// Greedy: boxes by falling score, each kept unless it overlaps a kept one by more than the threshold.
Status nonMaxSuppression(Call& c) {
    HS_CHECK(c.need(2));
    const Dims& boxDims = c.dims(0);
    const Dims& scoreDims = c.dims(1);
    if (boxDims.size() != 3 || boxDims[2] != 4 || scoreDims.size() != 3 || scoreDims[0] != boxDims[0] || scoreDims[2] != boxDims[1])
        return c.bad("boxes {} and scores {} do not fit", toString(boxDims), toString(scoreDims));
    HS_TRY(const Values boxes, values(c, 0));
    HS_TRY(const Values scores, values(c, 1));
    double most = 0;
    double overlapLimit = 0;
    double scoreLimit = 0;
    const bool limited = c.has(4);
    if (c.has(2)) {
        HS_TRY(most, c.number(2));
    }
    if (c.has(3)) {
        HS_TRY(overlapLimit, c.number(3));
    }
    if (limited) {
        HS_TRY(scoreLimit, c.number(4));
    }
    const bool centre = c.node().intOr("center_point_box", 0) != 0;
    const auto count = static_cast<std::size_t>(boxDims[1]);
    std::vector<std::int64_t> chosen;
    for (std::int64_t b = 0; b < scoreDims[0]; ++b)
        for (std::int64_t k = 0; k < scoreDims[1]; ++k) {
            const double* score = scores.data() + static_cast<std::size_t>(b * scoreDims[1] + k) * count;
            std::vector<std::size_t> order;
            for (std::size_t i = 0; i < count; ++i)
                if (!limited || score[i] > scoreLimit) order.push_back(i);
            std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return score[i] > score[j]; });
            std::vector<Box> kept;
            for (const std::size_t i : order) {
                if (static_cast<double>(kept.size()) >= most) break;
                const Box box = boxAt(boxes, static_cast<std::size_t>(b) * count + i, centre);
                if (std::any_of(kept.begin(), kept.end(), [&](const Box& other) { return overlap(box, other) > overlapLimit; })) continue;
                kept.push_back(box);
                chosen.insert(chosen.end(), {b, k, static_cast<std::int64_t>(i)});
            }
        }
    HS_TRY(Tensor * y, c.out(0, DType::I64, {static_cast<std::int64_t>(chosen.size() / 3), 3}));
    std::ranges::copy(chosen, y->data<std::int64_t>().begin());
    return {};
}

constexpr Widen kP = Widen::Packed;

const Operator kOperators[] = {
    {"Compress", compress, kAny, kP},
    {"OneHot", oneHot, kAny, kP, 2},
    {"NonZero", nonZero, kCastable},
    {"Unique", unique, kNumbers | kBool | bit(DType::String), Widen::Numbers},
    {"ReverseSequence", reverseSequence, kAny, kP},
    {"Trilu", trilu, kAny, kP},
    {"NonMaxSuppression", nonMaxSuppression, kFloats},
};

}  // namespace

std::span<const Operator> selectOperators() {
    return kOperators;
}

}  // namespace hs::ref
