// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "executors/reference/registry.h"
#include "executors/reference/walk.h"

namespace hs::ref {
namespace {

/// The data of input 0 under other sizes.
Status copyAs(Call& c, const Dims& dims) {
    HS_TRY(Tensor * y, c.outT(0, dims));
    if (y->count() != c.in(0).count()) return c.bad("shape {} does not hold the elements of {}", toString(dims), toString(c.dims(0)));
    copyAll(c.in(0), *y);
    return {};
}

/// -1 stands for what remains; 0 copies the input's size unless allowzero.
Status reshape(Call& c) {
    HS_CHECK(c.need(1));
    std::vector<std::int64_t> dims = c.node().intsOr("shape");
    if (c.opset() >= 5) {
        HS_TRY(dims, c.ints(1));
    }
    const bool zeros = c.node().intOr("allowzero", 0) != 0;
    std::size_t open = dims.size();
    std::int64_t known = 1;
    for (std::size_t d = 0; d < dims.size(); ++d) {
        if (dims[d] == 0 && !zeros) {
            if (d >= c.dims(0).size()) return c.bad("shape {} copies a dimension that the input {} lacks", toString(dims), toString(c.dims(0)));
            dims[d] = c.dims(0)[d];
        }
        if (dims[d] == -1 && open != dims.size()) return c.bad("shape has more than one -1");
        if (dims[d] == -1)
            open = d;
        else if (dims[d] < 0 || (dims[d] > 0 && known > kMaxElements / dims[d]))
            return c.bad("shape {} is out of range", toString(dims));
        else
            known *= dims[d];
    }
    if (open != dims.size()) {
        if (known == 0 ? c.in(0).count() != 0 : c.in(0).count() % known != 0)
            return c.bad("the elements of {} do not divide into shape {}", toString(c.dims(0)), toString(dims));
        dims[open] = known == 0 ? 0 : c.in(0).count() / known;
    }
    return copyAs(c, dims);
}

Status flatten(Call& c) {
    HS_CHECK(c.need(1));
    const auto rank = static_cast<std::int64_t>(c.dims(0).size());
    std::int64_t axis = c.node().intOr("axis", 1);
    if (axis < -rank || axis > rank) return c.bad("axis {} is out of range for rank {}", axis, rank);
    if (axis < 0) axis += rank;
    const auto at = static_cast<std::size_t>(axis);
    return copyAs(c, {product(c.dims(0), 0, at), product(c.dims(0), at, c.dims(0).size())});
}

Status squeeze(Call& c) {
    HS_CHECK(c.need(1));
    const Dims& dims = c.dims(0);
    HS_TRY(const std::vector<std::int64_t> given, c.axesFrom(1));
    HS_TRY(const std::vector<std::size_t> axes, c.axes(given, dims.size()));
    Dims out;
    for (std::size_t d = 0; d < dims.size(); ++d) {
        const bool named = std::find(axes.begin(), axes.end(), d) != axes.end();
        if (named && dims[d] != 1) return c.bad("axis {} of {} is not 1", d, toString(dims));
        if (!named && !(given.empty() && !c.has(1) && dims[d] == 1)) out.push_back(dims[d]);
    }
    return copyAs(c, out);
}

Status unsqueeze(Call& c) {
    HS_CHECK(c.need(1));
    HS_TRY(const std::vector<std::int64_t> given, c.axesFrom(1));
    if (given.size() + c.dims(0).size() > static_cast<std::size_t>(kMaxRank)) return c.bad("the result has too many dimensions");
    HS_TRY(const std::vector<std::size_t> axes, c.axes(given, c.dims(0).size() + given.size()));
    Dims out = c.dims(0);
    for (const std::size_t a : axes)
        out.insert(out.begin() + static_cast<std::ptrdiff_t>(a), 1);
    return copyAs(c, out);
}

Status identity(Call& c) {
    HS_CHECK(c.need(1));
    if (!c.in(0).isTensor()) return c.share(0, c.in(0));
    return copyAs(c, c.dims(0));
}

Status transpose(Call& c) {
    HS_CHECK(c.need(1));
    const Dims& dims = c.dims(0);
    std::vector<std::int64_t> perm = c.node().intsOr("perm");
    if (c.node().find("perm") == nullptr)
        for (std::size_t d = dims.size(); d-- > 0;)
            perm.push_back(static_cast<std::int64_t>(d));
    HS_TRY(const std::vector<std::size_t> all, c.axes(perm, dims.size()));
    if (all.size() != dims.size()) return c.bad("perm {} is no permutation of rank {}", toString(perm), dims.size());
    const Dims own = stridesOf(dims);
    Dims out;
    Dims strides;
    for (const std::int64_t p : perm) {
        HS_TRY(const std::size_t d, c.axis(p, dims.size()));
        out.push_back(dims[d]);
        strides.push_back(own[d]);
    }
    HS_TRY(Tensor * y, c.outT(0, out));
    copyStrided(c.in(0), 0, strides, *y);
    return {};
}

Status expand(Call& c) {
    HS_CHECK(c.need(2));
    HS_TRY(const Dims wanted, c.ints(1));
    if (!elementCount(wanted)) return c.bad("shape {} is out of range", toString(wanted));
    const Dims& from = c.dims(0);
    const std::size_t rank = std::max(wanted.size(), from.size());
    Dims dims(rank, 1);
    std::copy(wanted.begin(), wanted.end(), dims.begin() + static_cast<std::ptrdiff_t>(rank - wanted.size()));
    Dims strides(rank, 0);
    const Dims own = stridesOf(from);
    for (std::size_t d = 0; d < from.size(); ++d) {
        const std::size_t to = rank - from.size() + d;
        if (from[d] == 1) continue;
        if (dims[to] != 1 && dims[to] != from[d]) return c.bad("{} does not broadcast with {}", toString(from), toString(wanted));
        dims[to] = from[d];
        strides[to] = own[d];
    }
    HS_TRY(Tensor * y, c.outT(0, dims));
    copyStrided(c.in(0), 0, strides, *y);
    return {};
}

Status concat(Call& c) {
    HS_CHECK(c.need(1));
    std::size_t first = 0;
    HS_TRY(const std::size_t axis, c.axis(c.node().intOr("axis", 1), c.dims(first).size()));
    Dims dims = c.dims(0);
    dims[axis] = 0;
    for (std::size_t i = 0; i < c.inputCount(); ++i) {
        if (!c.has(i)) return c.bad("input {} is missing", i);
        Dims rest = c.dims(i);
        if (c.in(i).dtype() != c.in(0).dtype() || rest.size() != dims.size()) return c.bad("input {} has another type or rank than input 0", i);
        const std::int64_t size = rest[axis];
        rest[axis] = dims[axis];
        if (rest != dims) return c.bad("input {} of shape {} does not fit the others off axis {}", i, toString(c.dims(i)), axis);
        dims[axis] += size;
    }
    HS_TRY(Tensor * y, c.outT(0, dims));
    const std::int64_t outer = product(dims, 0, axis);
    const std::int64_t inner = product(dims, axis + 1, dims.size());
    std::int64_t at = 0;
    for (std::size_t i = 0; i < c.inputCount(); ++i) {
        const Mover mover(c.in(i), *y);
        const std::int64_t run = c.dims(i)[axis] * inner;
        for (std::int64_t o = 0; o < outer; ++o)
            mover.run(o * dims[axis] * inner + at, o * run, run);
        at += run;
    }
    return {};
}

/// Sizes from the attribute, input 1 (opset 13 on) or num_outputs; equal parts when none is given.
Result<Dims> splitSizes(Call& c, std::int64_t size) {
    Dims sizes = c.node().intsOr("split");
    if (c.has(1)) {
        HS_TRY(sizes, c.ints(1));
    }
    const auto parts = static_cast<std::int64_t>(c.outputCount());
    if (sizes.empty() && parts > 0) {
        const std::int64_t count = c.node().intOr("num_outputs", parts);
        if (count != parts) return c.bad("num_outputs is {}, but the node has {} outputs", count, parts);
        const std::int64_t each = (size + count - 1) / count;
        for (std::int64_t i = 0; i < count; ++i)
            sizes.push_back(std::clamp<std::int64_t>(size - i * each, 0, each));
    }
    std::int64_t left = size;
    for (const std::int64_t s : sizes) {
        if (s < 0 || s > left) return c.bad("the parts {} do not sum to {}", toString(sizes), size);
        left -= s;
    }
    if (left != 0 || sizes.size() != c.outputCount()) return c.bad("the parts {} do not sum to {}, or are not one per output", toString(sizes), size);
    return sizes;
}

Status split(Call& c) {
    HS_CHECK(c.need(1));
    const Dims& dims = c.dims(0);
    HS_TRY(const std::size_t axis, c.axis(c.node().intOr("axis", 0), dims.size()));
    HS_TRY(const Dims sizes, splitSizes(c, dims[axis]));
    const std::int64_t inner = product(dims, axis + 1, dims.size());
    std::int64_t at = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        if (c.wants(i)) {
            Dims part = dims;
            part[axis] = sizes[i];
            HS_TRY(Tensor * y, c.outT(i, part));
            copyStrided(c.in(0), at * inner, stridesOf(dims), *y);
        }
        at += sizes[i];
    }
    return {};
}

/// Shape[start, end) as int64; the bounds are clamped.
Status shape(Call& c) {
    HS_CHECK(c.need(1));
    const Dims& dims = c.dims(0);
    const auto rank = static_cast<std::int64_t>(dims.size());
    const auto bound = [&](std::int64_t v) { return std::clamp<std::int64_t>(v < 0 ? v + rank : v, 0, rank); };
    const std::int64_t start = bound(c.node().intOr("start", 0));
    const std::int64_t end = std::max(start, bound(c.node().intOr("end", rank)));
    HS_TRY(Tensor * y, c.out(0, DType::I64, {end - start}));
    std::copy(dims.begin() + start, dims.begin() + end, y->data<std::int64_t>().begin());
    return {};
}

Status size(Call& c) {
    HS_CHECK(c.need(1));
    HS_TRY(Tensor * y, c.out(0, DType::I64, {}));
    y->data<std::int64_t>()[0] = c.in(0).count();
    return {};
}

/// Inference mode: the identity, and a mask of ones.
constexpr Widen kP = Widen::Packed;

const Operator kOperators[] = {
    {"Reshape", reshape, kAny, kP},
    {"Flatten", flatten, kAny, kP},
    {"Squeeze", squeeze, kAny, kP},
    {"Unsqueeze", unsqueeze, kAny, kP},
    {"Identity", identity, kAny, kP, 0, 1, kLatest, "", 0, nullptr, true},
    {"Transpose", transpose, kAny, kP},
    {"Expand", expand, kAny, kP},
    {"Concat", concat, kAny, kP},
    {"Split", split, kAny, kP},
    {"Shape", shape, kAny},
    {"Size", size, kAny},
};

}  // namespace

std::span<const Operator> shapeOperators() {
    return kOperators;
}

}  // namespace hs::ref
