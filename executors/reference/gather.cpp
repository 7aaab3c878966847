// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "executors/reference/registry.h"
#include "executors/reference/scatter_parts.h"
#include "executors/reference/walk.h"

namespace hs::ref {

Result<std::vector<std::int64_t>> indicesInto(const Call& c, std::size_t input, std::int64_t size) {
    HS_TRY(std::vector<std::int64_t> indices, c.ints(input));
    for (std::int64_t& i : indices) {
        if (i < -size || i >= size) return c.bad("index {} is out of range for size {}", i, size);
        if (i < 0) i += size;
    }
    return indices;
}

namespace {

Status gather(Call& c) {
    HS_CHECK(c.need(2));
    const Dims& dims = c.dims(0);
    HS_TRY(const std::size_t axis, c.axis(c.node().intOr("axis", 0), dims.size()));
    HS_TRY(const std::vector<std::int64_t> indices, indicesInto(c, 1, dims[axis]));
    Dims out(dims.begin(), dims.begin() + static_cast<std::ptrdiff_t>(axis));
    out.insert(out.end(), c.dims(1).begin(), c.dims(1).end());
    out.insert(out.end(), dims.begin() + static_cast<std::ptrdiff_t>(axis) + 1, dims.end());
    HS_TRY(Tensor * y, c.outT(0, out));
    const Mover mover(c.in(0), *y);
    const std::int64_t inner = product(dims, axis + 1, dims.size());
    std::int64_t at = 0;
    for (std::int64_t o = 0; o < product(dims, 0, axis); ++o)
        for (const std::int64_t i : indices) {
            mover.run(at, (o * dims[axis] + i) * inner, inner);
            at += inner;
        }
    return {};
}

/// Offset into `dims` of the element that an index tensor names: its own place, but for `axis`.
std::int64_t elementAt(const Dims& place, const Dims& strides, std::size_t axis, std::int64_t index) {
    std::int64_t at = 0;
    for (std::size_t d = 0; d < place.size(); ++d)
        at += (d == axis ? index : place[d]) * strides[d];
    return at;
}

Status gatherElements(Call& c) {
    HS_CHECK(c.need(2));
    const Dims& dims = c.dims(0);
    HS_TRY(const std::size_t axis, c.axis(c.node().intOr("axis", 0), dims.size()));
    HS_TRY(const std::vector<std::int64_t> indices, indicesInto(c, 1, dims[axis]));
    HS_CHECK(checkIndexShape(c, dims, c.dims(1), axis));
    HS_TRY(Tensor * y, c.outT(0, c.dims(1)));
    const Mover mover(c.in(0), *y);
    const Dims strides = stridesOf(dims);
    Dims place(dims.size(), 0);
    for (std::size_t i = 0; i < indices.size(); ++i) {
        mover.one(static_cast<std::int64_t>(i), elementAt(place, strides, axis, indices[i]));
        advance(place, c.dims(1));
    }
    return {};
}

/// Offsets of the slices that rows of an index tensor name; `batch` leading dimensions are walked in step.
Result<std::vector<std::int64_t>> sliceOffsets(Call& c, const Dims& dims, std::size_t input, std::size_t batch) {
    HS_TRY(const std::vector<std::int64_t> indices, c.ints(input));
    const Dims& shape = c.dims(input);
    const auto depth = static_cast<std::size_t>(shape.back());
    const Dims strides = stridesOf(dims);
    const std::int64_t rows = product(shape, 0, shape.size() - 1);
    const std::int64_t perBatch = product(shape, batch, shape.size() - 1);
    const std::int64_t batchStep = batch == 0 ? 0 : strides[batch - 1];
    std::vector<std::int64_t> out;
    for (std::int64_t r = 0; r < rows; ++r) {
        std::int64_t at = r / perBatch * batchStep;
        for (std::size_t k = 0; k < depth; ++k) {
            std::int64_t i = indices[static_cast<std::size_t>(r) * depth + k];
            const std::int64_t size = dims[batch + k];
            if (i < -size || i >= size) return c.bad("index {} is out of range for size {}", i, size);
            at += (i < 0 ? i + size : i) * strides[batch + k];
        }
        out.push_back(at);
    }
    return out;
}

Status gatherNd(Call& c) {
    HS_CHECK(c.need(2));
    const Dims& dims = c.dims(0);
    const Dims& shape = c.dims(1);
    const std::int64_t batchDims = c.node().intOr("batch_dims", 0);
    if (shape.empty() || batchDims < 0 || batchDims >= static_cast<std::int64_t>(std::min(dims.size(), shape.size())))
        return c.bad("batch_dims {} does not fit {} and {}", batchDims, toString(dims), toString(shape));
    const auto batch = static_cast<std::size_t>(batchDims);
    if (shape.back() < 0 || shape.back() > static_cast<std::int64_t>(dims.size() - batch) ||
        !std::equal(shape.begin(), shape.begin() + batchDims, dims.begin()))
        return c.bad("indices {} do not fit {}", toString(shape), toString(dims));
    const std::size_t tail = batch + static_cast<std::size_t>(shape.back());
    HS_TRY(const std::vector<std::int64_t> offsets, sliceOffsets(c, dims, 1, batch));
    Dims out(shape.begin(), shape.end() - 1);
    out.insert(out.end(), dims.begin() + static_cast<std::ptrdiff_t>(tail), dims.end());
    HS_TRY(Tensor * y, c.outT(0, out));
    const Mover mover(c.in(0), *y);
    const std::int64_t run = product(dims, tail, dims.size());
    for (std::size_t i = 0; i < offsets.size(); ++i)
        mover.run(static_cast<std::int64_t>(i) * run, offsets[i], run);
    return {};
}

/// Output = input 0 with updates written at `targets`, each of `run` elements.
Status applyUpdates(Call& c, const Tensor& updates, const std::vector<std::int64_t>& targets, std::int64_t run, const std::string& reduction) {
    HS_TRY(Tensor * y, c.outT(0, c.dims(0)));
    copyAll(c.in(0), *y);
    if (updates.dtype() != y->dtype()) return c.bad("the updates must have the type of the data");
    if (updates.count() != static_cast<std::int64_t>(targets.size()) * run) return c.bad("updates {} do not match the indices", toString(updates.dims()));
    if (reduction != "none") return combine(c, *y, updates, targets, run, reduction);
    const Mover mover(updates, *y);
    for (std::size_t i = 0; i < targets.size(); ++i)
        mover.run(targets[i], static_cast<std::int64_t>(i) * run, run);
    return {};
}

Status scatterElements(Call& c) {
    HS_CHECK(c.need(3));
    const Dims& dims = c.dims(0);
    HS_TRY(const std::size_t axis, c.axis(c.node().intOr("axis", 0), dims.size()));
    HS_TRY(const std::vector<std::int64_t> indices, indicesInto(c, 1, dims[axis]));
    HS_CHECK(checkIndexShape(c, dims, c.dims(1), axis));
    if (c.dims(1) != c.dims(2)) return c.bad("updates {} must have the shape of the indices {}", toString(c.dims(2)), toString(c.dims(1)));
    const Dims strides = stridesOf(dims);
    Dims place(dims.size(), 0);
    std::vector<std::int64_t> targets;
    for (const std::int64_t index : indices) {
        targets.push_back(elementAt(place, strides, axis, index));
        advance(place, c.dims(1));
    }
    return applyUpdates(c, c.in(2), targets, 1, c.node().stringOr("reduction", "none"));
}

Status scatterNd(Call& c) {
    HS_CHECK(c.need(3));
    const Dims& dims = c.dims(0);
    const Dims& shape = c.dims(1);
    if (shape.empty() || shape.back() < 0 || shape.back() > static_cast<std::int64_t>(dims.size()))
        return c.bad("indices {} do not fit {}", toString(shape), toString(dims));
    HS_TRY(const std::vector<std::int64_t> targets, sliceOffsets(c, dims, 1, 0));
    const std::int64_t run = product(dims, static_cast<std::size_t>(shape.back()), dims.size());
    return applyUpdates(c, c.in(2), targets, run, c.node().stringOr("reduction", "none"));
}

/// Writes `update` into a cache [batch, …, length, …] at per-batch positions, in line or around a ring.
Status tensorScatter(Call& c) {
    HS_CHECK(c.need(2));
    const Dims& dims = c.dims(0);
    const Dims& update = c.dims(1);
    HS_TRY(const std::size_t axis, c.axis(c.node().intOr("axis", -2), dims.size()));
    const std::string mode = c.node().stringOr("mode", "linear");
    if (c.in(1).dtype() != c.in(0).dtype()) return c.bad("the update must have the type of the cache");
    Dims rest = update;
    if (axis == 0 || update.size() != dims.size()) return c.bad("update {} does not fit the cache {}", toString(update), toString(dims));
    rest[axis] = dims[axis];
    if (rest != dims || update[axis] > dims[axis]) return c.bad("update {} does not fit the cache {}", toString(update), toString(dims));
    std::vector<std::int64_t> starts(static_cast<std::size_t>(dims[0]), 0);
    if (c.has(2)) {
        HS_TRY(starts, c.ints(2));
    }
    if (static_cast<std::int64_t>(starts.size()) != dims[0]) return c.bad("write_indices must have {} elements", dims[0]);
    HS_TRY(Tensor * y, c.outT(0, dims));
    copyAll(c.in(0), *y);
    const Mover mover(c.in(1), *y);
    const std::int64_t inner = product(dims, axis + 1, dims.size());
    const std::int64_t perBatch = product(dims, 1, axis);
    for (std::int64_t o = 0; o < dims[0] * perBatch; ++o) {
        const std::int64_t start = starts[static_cast<std::size_t>(o / perBatch)];
        for (std::int64_t k = 0; k < update[axis]; ++k) {
            if (start < 0 || start > kMaxElements) return c.bad("write index {} is out of range", start);
            const std::int64_t to = mode == "circular" ? (start + k) % dims[axis] : start + k;
            if (to >= dims[axis]) return c.bad("write index {} is out of range", to);
            mover.run((o * dims[axis] + to) * inner, (o * update[axis] + k) * inner, inner);
        }
    }
    return {};
}

constexpr Widen kP = Widen::Packed;

const Operator kOperators[] = {
    {"Gather", gather, kAny, kP},
    {"GatherElements", gatherElements, kAny, kP},
    {"GatherND", gatherNd, kAny, kP},
    {"Scatter", scatterElements, kAny, kP},
    {"ScatterElements", scatterElements, kAny, kP},
    {"ScatterND", scatterNd, kAny, kP},
    {"TensorScatter", tensorScatter, kAny, kP},
};

}  // namespace

std::span<const Operator> gatherOperators() {
    return kOperators;
}

}  // namespace hs::ref
