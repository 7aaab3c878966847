// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>

#include "executors/reference/convert.h"
#include "executors/reference/registry.h"
#include "executors/reference/walk.h"

namespace hs::ref {
namespace {

struct SliceSpec {
    std::vector<std::int64_t> starts, ends, axes, steps;
};

/// Attributes before opset 10, inputs from then on.
Result<SliceSpec> sliceSpec(Call& c) {
    SliceSpec s;
    if (c.opset() < 10) {
        s.starts = c.node().intsOr("starts");
        s.ends = c.node().intsOr("ends");
        s.axes = c.node().intsOr("axes");
    } else {
        HS_TRY(s.starts, c.ints(1));
        HS_TRY(s.ends, c.ints(2));
        if (c.has(3)) {
            HS_TRY(s.axes, c.ints(3));
        }
        if (c.has(4)) {
            HS_TRY(s.steps, c.ints(4));
        }
    }
    if (s.axes.empty() && !c.has(3))
        for (std::size_t i = 0; i < s.starts.size(); ++i)
            s.axes.push_back(static_cast<std::int64_t>(i));
    if (s.steps.empty()) s.steps.assign(s.starts.size(), 1);
    if (s.ends.size() != s.starts.size() || s.axes.size() != s.starts.size() || s.steps.size() != s.starts.size())
        return c.bad("starts, ends, axes and steps must have one length");
    return s;
}

Status slice(Call& c) {
    HS_CHECK(c.need(1));
    Dims dims = c.dims(0);
    HS_TRY(const SliceSpec s, sliceSpec(c));
    HS_CHECK(c.axes(s.axes, dims.size()));
    Dims strides = stridesOf(dims);
    std::int64_t offset = 0;
    for (std::size_t i = 0; i < s.starts.size(); ++i) {
        HS_TRY(const std::size_t d, c.axis(s.axes[i], dims.size()));
        const std::int64_t size = dims[d];
        const std::int64_t step = s.steps[i];
        if (step == 0) return c.bad("a step must not be zero");
        const auto bound = [&](std::int64_t v, std::int64_t low, std::int64_t high) { return std::clamp(v < 0 ? v + size : v, low, high); };
        const std::int64_t start = step > 0 ? bound(s.starts[i], 0, size) : bound(s.starts[i], 0, size - 1);
        const std::int64_t end = step > 0 ? bound(s.ends[i], 0, size) : bound(s.ends[i], -1, size - 1);
        const std::int64_t span = size == 0 ? 0 : step > 0 ? end - start : start - end;
        const std::uint64_t stride = step > 0 ? static_cast<std::uint64_t>(step) : 0 - static_cast<std::uint64_t>(step);
        dims[d] = span <= 0 ? 0 : static_cast<std::int64_t>((static_cast<std::uint64_t>(span) - 1) / stride) + 1;
        if (dims[d] == 0) continue;
        offset += start * strides[d];
        strides[d] = dims[d] == 1 ? 0 : strides[d] * step;
    }
    HS_TRY(Tensor * y, c.outT(0, dims));
    copyStrided(c.in(0), offset, strides, *y);
    return {};
}

/// Where padded position i of a dimension comes from; -1 for the constant.
std::int64_t padSource(std::int64_t i, std::int64_t size, const std::string& mode) {
    if (i >= 0 && i < size) return i;
    if (mode == "constant") return -1;
    if (mode == "edge") return i < 0 ? 0 : size - 1;
    if (mode == "wrap") return ((i % size) + size) % size;
    if (size == 1) return 0;
    const std::int64_t period = 2 * (size - 1);
    const std::int64_t at = ((i % period) + period) % period;
    return at < size ? at : period - at;
}

struct PadSpec {
    Dims begin, dims;
    std::string mode;
};

Result<PadSpec> padSpec(Call& c) {
    const Dims& from = c.dims(0);
    const std::size_t rank = from.size();
    PadSpec s;
    s.mode = c.node().stringOr("mode", "constant");
    if (s.mode != "constant" && s.mode != "edge" && s.mode != "reflect" && s.mode != "wrap") return c.bad("mode \"{}\" is not known", s.mode);
    std::vector<std::int64_t> pads = c.node().intsOr("pads", c.node().intsOr("paddings"));
    if (c.opset() >= 11) {
        HS_TRY(pads, c.ints(1));
    }
    std::vector<std::size_t> axes;
    if (c.has(3)) {
        HS_TRY(const std::vector<std::int64_t> given, c.ints(3));
        HS_CHECK(c.axes(given, rank));
        for (const std::int64_t a : given)
            axes.push_back(static_cast<std::size_t>(a < 0 ? a + static_cast<std::int64_t>(rank) : a));
    } else {
        for (std::size_t d = 0; d < rank; ++d)
            axes.push_back(d);
    }
    if (pads.size() != axes.size() * 2) return c.bad("pads has {} entries, not {}", pads.size(), axes.size() * 2);
    s.begin.assign(rank, 0);
    s.dims = from;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const std::int64_t low = pads[i];
        const std::int64_t high = pads[i + axes.size()];
        if (std::min(low, high) < -kMaxElements || std::max(low, high) > kMaxElements) return c.bad("a pad of {} or {} is out of range", low, high);
        s.begin[axes[i]] = low;
        s.dims[axes[i]] += low + high;
        if (s.dims[axes[i]] < 0) return c.bad("the pads leave less than nothing of axis {}", axes[i]);
        if (from[axes[i]] == 0 && s.mode != "constant" && s.dims[axes[i]] > 0) return c.bad("an empty axis cannot be padded in mode {}", s.mode);
    }
    if (!elementCount(s.dims)) return c.bad("the output {} is too large", toString(s.dims));
    return s;
}

/// The constant as one element of the data's type.
Result<Tensor> padValue(Call& c) {
    HS_TRY(Tensor value, Tensor::allocate(c.in(0).dtype(), {1}));
    fillZero(value);
    if (c.has(2)) {
        if (c.in(2).dtype() != c.in(0).dtype() || c.in(2).count() != 1) return c.bad("the constant must be one element of the data's type");
        copyAll(c.in(2), value);
    } else if (c.opset() < 11) {
        HS_CHECK(convert(Tensor::scalar(c.node().floatOr("value", 0.0F)).reshaped({1}), value));
    }
    return value;
}

Status pad(Call& c) {
    HS_CHECK(c.need(1));
    HS_TRY(const PadSpec s, padSpec(c));
    HS_TRY(const Tensor value, padValue(c));
    HS_TRY(Tensor * y, c.outT(0, s.dims));
    const Dims& from = c.dims(0);
    const Mover data(c.in(0), *y);
    const Mover constant(value, *y);
    const Dims strides = stridesOf(from);
    Dims index(from.size(), 0);
    for (std::int64_t at = 0; at < y->count(); ++at, advance(index, s.dims)) {
        std::int64_t source = 0;
        for (std::size_t d = 0; d < from.size() && source >= 0; ++d) {
            const std::int64_t place = padSource(index[d] - s.begin[d], from[d], s.mode);
            source = place < 0 ? -1 : source + place * strides[d];
        }
        if (source < 0)
            constant.one(at, 0);
        else
            data.one(at, source);
    }
    return {};
}

Status tile(Call& c) {
    HS_CHECK(c.need(2));
    HS_TRY(std::vector<std::int64_t> repeats, c.ints(1));
    const Dims& from = c.dims(0);
    if (c.opset() < 6) {  // one axis and its repeat count, as scalars
        HS_CHECK(c.need(3));
        HS_TRY(const std::vector<std::int64_t> axis, c.ints(2));
        if (axis.size() != 1 || repeats.size() != 1) return c.bad("tiles and axis must be scalars");
        HS_TRY(const std::size_t d, c.axis(axis[0], from.size()));
        const std::int64_t count = repeats[0];
        repeats.assign(from.size(), 1);
        repeats[d] = count;
    }
    if (repeats.size() != from.size()) return c.bad("repeats must have {} elements", from.size());
    Dims dims = from;
    for (std::size_t d = 0; d < dims.size(); ++d) {
        if (repeats[d] < 0 || repeats[d] > kMaxElements || (repeats[d] > 0 && dims[d] > kMaxElements / repeats[d]))
            return c.bad("repeat {} is out of range", repeats[d]);
        dims[d] *= repeats[d];
    }
    if (!elementCount(dims)) return c.bad("the output {} is too large", toString(dims));
    HS_TRY(Tensor * y, c.outT(0, dims));
    if (y->count() == 0) return {};
    const Mover mover(c.in(0), *y);
    const Dims strides = stridesOf(from);
    const std::int64_t run = from.empty() ? 1 : from.back();
    Dims index(dims.size(), 0);
    Dims outer = dims;
    if (!outer.empty()) outer.back() = repeats.back();
    std::int64_t at = 0;
    do {
        std::int64_t source = 0;
        for (std::size_t d = 0; d + 1 < dims.size(); ++d)
            source += index[d] % from[d] * strides[d];
        mover.run(at, source, run);
        at += run;
    } while (advance(index, outer));
    return {};
}

/// Crops or zero-pads axes to a target size, about their centre.
Status centerCropPad(Call& c) {
    HS_CHECK(c.need(2));
    HS_TRY(const std::vector<std::int64_t> target, c.ints(1));
    Dims dims = c.dims(0);
    std::vector<std::int64_t> axes = c.node().intsOr("axes");
    if (axes.empty())
        for (std::size_t d = 0; d < dims.size(); ++d)
            axes.push_back(static_cast<std::int64_t>(d));
    HS_CHECK(c.axes(axes, dims.size()));
    if (axes.size() != target.size()) return c.bad("the target has {} sizes for {} axes", target.size(), axes.size());
    Dims shift(dims.size(), 0);  // input place = output place + shift
    for (std::size_t i = 0; i < axes.size(); ++i) {
        HS_TRY(const std::size_t d, c.axis(axes[i], dims.size()));
        if (target[i] < 0 || target[i] > kMaxElements) return c.bad("target size {} is out of range", target[i]);
        shift[d] = target[i] < dims[d] ? (dims[d] - target[i]) / 2 : -((target[i] - dims[d]) / 2);
        dims[d] = target[i];
    }
    HS_TRY(Tensor * y, c.outT(0, dims));
    fillZero(*y);
    const Mover mover(c.in(0), *y);
    const Dims strides = stridesOf(c.dims(0));
    Dims index(dims.size(), 0);
    for (std::int64_t at = 0; at < y->count(); ++at, advance(index, dims)) {
        std::int64_t source = 0;
        for (std::size_t d = 0; d < dims.size() && source >= 0; ++d) {
            const std::int64_t place = index[d] + shift[d];
            source = place < 0 || place >= c.dims(0)[d] ? -1 : source + place * strides[d];
        }
        if (source >= 0) mover.one(at, source);
    }
    return {};
}

/// Blocks of depth become space: DCR (depth outermost) or CRD (column-row within depth).
Status depthToSpace(Call& c) {
    HS_CHECK(c.need(1));
    const Dims& x = c.dims(0);
    const std::int64_t b = c.node().intOr("blocksize", 0);
    const std::string mode = c.node().stringOr("mode", "DCR");
    if (mode != "DCR" && mode != "CRD") return c.bad("mode \"{}\" is not known", mode);
    if (x.size() != 4 || b < 1 || b > (1 << 20) || x[1] % (b * b) != 0) return c.bad("blocksize {} does not divide the channels of {}", b, toString(x));
    const std::int64_t depth = x[1] / (b * b);
    HS_TRY(Tensor * y, c.outT(0, {x[0], depth, x[2] * b, x[3] * b}));
    const std::int64_t plane = x[2] * x[3];
    // Walk the output as [n, c, h, bh, w, bw].
    const bool dcr = mode == "DCR";
    Tensor view = Tensor::borrow(y->dtype(), {x[0], depth, x[2], b, x[3], b}, y->raw());
    copyStrided(c.in(0), 0, {x[1] * plane, plane * (dcr ? 1 : b * b), x[3], plane * (dcr ? b * depth : b), 1, plane * (dcr ? depth : 1)}, view);
    return {};
}

Status spaceToDepth(Call& c) {
    HS_CHECK(c.need(1));
    const Dims& x = c.dims(0);
    const std::int64_t b = c.node().intOr("blocksize", 0);
    if (x.size() != 4 || b < 1 || b > (1 << 20) || x[2] % b != 0 || x[3] % b != 0) return c.bad("blocksize {} does not divide the sizes of {}", b, toString(x));
    HS_TRY(Tensor * y, c.outT(0, {x[0], x[1] * b * b, x[2] / b, x[3] / b}));
    // Walk the output as [n, bh, bw, c, h, w].
    Tensor view = Tensor::borrow(y->dtype(), {x[0], b, b, x[1], x[2] / b, x[3] / b}, y->raw());
    copyStrided(c.in(0), 0, {x[1] * x[2] * x[3], x[3], 1, x[2] * x[3], x[3] * b, b}, view);
    return {};
}

constexpr Widen kP = Widen::Packed;

const Operator kOperators[] = {
    {"Slice", slice, kAny, kP},
    {"Pad", pad, kAny, kP},
    {"Tile", tile, kAny, kP},
    {"CenterCropPad", centerCropPad, kAny, kP},
    {"DepthToSpace", depthToSpace, kAny},
    {"SpaceToDepth", spaceToDepth, kAny},
};

}  // namespace

std::span<const Operator> sliceOperators() {
    return kOperators;
}

}  // namespace hs::ref
