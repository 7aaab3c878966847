// SPDX-License-Identifier: Apache-2.0
// Operators that rearrange a tensor without looking at its values. No FLOPs: they move data.
#include <algorithm>
#include <numeric>

#include "core/graph/ops.h"
#include "core/graph/tracked.h"

namespace hs::ops {
namespace {

/// Size for the -1 of a Reshape: the quotient of the products, after equal factors are cancelled.
Result<Dim> remainder(const InferContext& c, const Shape& in, const std::vector<Dim>& out, std::size_t open) {
    std::vector<Dim> above = in.dims();
    std::vector<Dim> below;
    for (std::size_t i = 0; i < out.size(); ++i)
        if (i != open) below.push_back(out[i]);
    std::erase_if(below, [&](const Dim& d) {
        const auto it = d.symbolic() ? std::find(above.begin(), above.end(), d) : above.end();
        if (it == above.end()) return false;
        above.erase(it);
        return true;
    });
    const Element total = Element::of(productOf(Shape(above), 0, above.size()));
    const Element divisor = Element::of(productOf(Shape(below), 0, below.size()));
    if (total.known() && divisor.known() && (divisor.value() == 0 ? total.value() != 0 : total.value() % divisor.value() != 0))
        return bad(c, "{} elements cannot be laid out as {}", total.value(), Shape(out).text());
    if (divisor.known() && divisor.value() == 0) return Dim(0);
    // "C*H" over 4: the known factor divides out on its own when it can.
    if (divisor.known() && !total.known()) {
        Element known(1);
        Element rest(1);
        for (const Dim& d : above)
            (d.known() ? known : rest) = mul(d.known() ? known : rest, Element::of(d));
        if (known.known() && known.value() % divisor.value() == 0) return mul(floorDiv(known, divisor), rest).dim();
    }
    return floorDiv(total, divisor).dim();
}

Status reshapeTo(InferContext& c, const std::vector<Element>& wanted, bool zeroIsZero) {
    const Shape& in = shapeOf(c, 0);
    std::vector<Dim> out(wanted.size());
    std::optional<std::size_t> open;
    bool allGiven = true;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const Element& w = wanted[i];
        if (!w.known()) {
            out[i] = w.dim();
            allGiven = allGiven && w.symbolic();
        } else if (w.value() == -1) {
            if (open) return bad(c, "the shape has more than one -1");
            open = i;
        } else if (w.value() < -1) {
            return bad(c, "the shape holds {}", w.value());
        } else if (w.value() == 0 && !zeroIsZero) {
            if (in.ranked() && i >= in.rank()) return bad(c, "the shape copies axis {} of {}, which it does not have", i, in.text());
            if (in.ranked()) out[i] = in[i];
            allGiven = allGiven && in.ranked();
        } else {
            out[i] = Dim(w.value());
        }
    }
    if (in.ranked() && open && allGiven) {
        HS_TRY(out[*open], remainder(c, in, out, *open));
    }
    const Shape shape{std::vector<Dim>(out)};
    const auto before = in.concrete();
    const auto after = shape.concrete();
    if (before && after && elementCount(*before) != elementCount(*after))
        return bad(c, "{} has {} elements, {} has {}", in.text(), elementCount(*before).value_or(-1), shape.text(), elementCount(*after).value_or(-1));
    // One unknown size, all else known: the count gives it.
    if (before && !after && std::count_if(out.begin(), out.end(), [](const Dim& d) { return !d.known(); }) == 1) {
        const auto at = static_cast<std::size_t>(std::find_if(out.begin(), out.end(), [](const Dim& d) { return !d.known(); }) - out.begin());
        HS_TRY(out[at], remainder(c, in, out, at));
    }
    c.setOutput(0, dtypeOf(c, 0), Shape(std::move(out)));
    return {};
}

/// The shape is an attribute before opset 5, input 1 since.
Status inferReshape(InferContext& c) {
    const bool zeroIsZero = c.node().intOr("allowzero", 0) != 0;
    if (const auto* attribute = c.node().get<std::vector<std::int64_t>>("shape"))
        return reshapeTo(c, std::vector<Element>(attribute->begin(), attribute->end()), zeroIsZero);
    if (!c.hasInput(1)) return bad(c, "no shape is given");
    HS_CHECK(wantRank(c, 1, 1));
    if (const auto* data = c.inputData(1)) return reshapeTo(c, *data, zeroIsZero);
    const Shape& shape = shapeOf(c, 1);
    const bool rankKnown = shape.ranked() && shape[0].known();
    if (rankKnown && shape[0].value() > kMaxRank) return bad(c, "the shape has {} entries, at most {} are supported", shape[0].value(), kMaxRank);
    c.setOutput(0, dtypeOf(c, 0), rankKnown ? unknownOfRank(static_cast<std::size_t>(shape[0].value())) : Shape());
    return {};
}

Status inferFlatten(InferContext& c) {
    const Shape& in = shapeOf(c, 0);
    if (!in.ranked()) {
        c.setOutput(0, dtypeOf(c, 0), unknownOfRank(2));
        return {};
    }
    const auto rank = static_cast<std::int64_t>(in.rank());
    const std::int64_t axis = c.node().intOr("axis", 1);
    if (axis < -rank || axis > rank) return bad(c, "axis {} is out of range for rank {}", axis, rank);
    const auto cut = static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
    c.setOutput(0, dtypeOf(c, 0), Shape({productOf(in, 0, cut), productOf(in, cut, in.rank())}));
    return {};
}

Status inferTranspose(InferContext& c) {
    const Shape& in = shapeOf(c, 0);
    if (!in.ranked()) return inferUnknownTensor(c);
    auto perm = c.node().intsOr("perm");
    if (perm.empty() && c.node().find("perm") == nullptr)
        for (std::size_t i = in.rank(); i-- > 0;)
            perm.push_back(static_cast<std::int64_t>(i));
    if (perm.size() != in.rank()) return bad(c, "perm has {} entries, but the input is {}", perm.size(), in.text());
    HS_TRY(const auto order, axesOf(c, perm, in.rank()));
    std::vector<Dim> out;
    for (const std::size_t axis : order)
        out.push_back(in[axis]);
    c.setOutput(0, dtypeOf(c, 0), Shape(std::move(out)));
    return {};
}

Status inferSqueeze(InferContext& c) {
    const Shape& in = shapeOf(c, 0);
    const AxesSource axes = intsFrom(c, "axes", 1);
    if (!in.ranked()) return inferUnknownTensor(c);
    if (axes.given && !axes.values) {
        const Shape& list = shapeOf(c, 1);
        const bool counted = list.ranked() && list.rank() == 1 && list[0].known() && list[0].value() <= static_cast<std::int64_t>(in.rank());
        c.setOutput(0, dtypeOf(c, 0), counted ? unknownOfRank(in.rank() - static_cast<std::size_t>(list[0].value())) : Shape());
        return {};
    }
    std::vector<bool> dropped(in.rank(), false);
    if (axes.given) {
        HS_TRY(const auto list, axesOf(c, *axes.values, in.rank()));
        for (const std::size_t axis : list) {
            if (in[axis].known() && in[axis].value() != 1) return bad(c, "axis {} of {} is not 1", axis, in.text());
            dropped[axis] = true;
        }
    } else {
        for (std::size_t i = 0; i < in.rank(); ++i) {
            if (!in[i].known()) return inferUnknownTensor(c);
            dropped[i] = in[i].value() == 1;
        }
    }
    std::vector<Dim> out;
    for (std::size_t i = 0; i < in.rank(); ++i)
        if (!dropped[i]) out.push_back(in[i]);
    c.setOutput(0, dtypeOf(c, 0), Shape(std::move(out)));
    return {};
}

Status inferUnsqueeze(InferContext& c) {
    const Shape& in = shapeOf(c, 0);
    const AxesSource axes = intsFrom(c, "axes", 1);
    if (!axes.given) return bad(c, "no axes are given");
    if (!in.ranked() || !axes.values) return inferUnknownTensor(c);
    if (axes.values->size() > static_cast<std::size_t>(kMaxRank)) return bad(c, "{} axes are too many", axes.values->size());
    const std::size_t rank = in.rank() + axes.values->size();
    HS_TRY(const auto list, axesOf(c, *axes.values, rank));
    std::vector<Dim> out;
    std::size_t next = 0;
    for (std::size_t i = 0; i < rank; ++i)
        out.push_back(std::find(list.begin(), list.end(), i) != list.end() ? Dim(1) : in[next++]);
    c.setOutput(0, dtypeOf(c, 0), Shape(std::move(out)));
    return {};
}

Status inferConcat(InferContext& c) {
    const std::int64_t axis = c.node().intOr("axis", 1);  // Required since opset 4; 1 before.
    std::optional<Shape> all;
    std::size_t along = 0;
    DType type = DType::Undefined;
    bool unranked = false;
    for (std::size_t i = 0; i < c.inputCount(); ++i) {
        HS_CHECK(wantSameDType(c, {0, i}));
        if (type == DType::Undefined) type = dtypeOf(c, i);
        const Shape& in = shapeOf(c, i);
        unranked = unranked || !in.ranked();
        if (!in.ranked()) continue;
        if (!all) {
            HS_TRY(along, axisOf(c, axis, in.rank()));
            all = in;
            continue;
        }
        if (in.rank() != all->rank()) return bad(c, "inputs {} and {} have different ranks", all->text(), in.text());
        std::vector<Dim> dims = all->dims();
        for (std::size_t k = 0; k < dims.size(); ++k) {
            if (k == along) {
                dims[k] = add(dims[k], in[k]);
                continue;
            }
            if (dims[k].known() && in[k].known() && dims[k].value() != in[k].value())
                return bad(c, "inputs {} and {} differ outside axis {}", shapeOf(c, 0).text(), in.text(), along);
            if (!dims[k].known() && (in[k].known() || dims[k].unknown())) dims[k] = in[k];
        }
        all = Shape(std::move(dims));
    }
    if (all && unranked) all = withDim(*all, along, Dim());
    c.setOutput(0, type, all.value_or(Shape()));
    return {};
}

/// Part sizes: attribute before opset 13, input 1 since; none: equal parts, num_outputs of them since 18.
Status inferSplit(InferContext& c) {
    const Shape& in = shapeOf(c, 0);
    const AxesSource parts = intsFrom(c, "split", 1);
    const std::size_t count = c.outputCount();
    if (!in.ranked()) {
        for (std::size_t i = 0; i < count; ++i)
            c.setOutput(i, dtypeOf(c, 0), Shape());
        return {};
    }
    HS_TRY(const std::size_t axis, axisOf(c, c.node().intOr("axis", 0), in.rank()));
    if (parts.values && parts.values->size() != count) return bad(c, "split names {} parts, but there are {} outputs", parts.values->size(), count);
    if (const auto* outputs = c.node().get<std::int64_t>("num_outputs"); outputs != nullptr && *outputs != static_cast<std::int64_t>(count))
        return bad(c, "num_outputs is {}, but there are {} outputs", *outputs, count);
    const Element size = Element::of(in[axis]);
    Element sum(0);
    for (std::size_t i = 0; i < count; ++i) {
        Dim part;
        if (parts.values) {
            if ((*parts.values)[i] < 0) return bad(c, "split holds {}", (*parts.values)[i]);
            part = Dim((*parts.values)[i]);
            sum = add(sum, Element::of(part));
        } else if (!parts.given) {
            // The last part may be smaller (opset 18).
            const Element chunk = ceilDiv(size, static_cast<std::int64_t>(count));
            if (size.known())
                part = Dim(std::clamp<std::int64_t>(size.value() - chunk.value() * static_cast<std::int64_t>(i), 0, chunk.value()));
            else if (c.node().opset < 18)
                part = floorDiv(size, Element(static_cast<std::int64_t>(count))).dim();
        }
        c.setOutput(i, dtypeOf(c, 0), withDim(in, axis, part));
    }
    if (parts.values && size.known() && (!sum.known() || sum.value() != size.value()))
        return bad(c, "the parts do not add up to the {} of axis {}", size.value(), axis);
    if (!parts.given && c.node().opset < 18 && size.known() && size.value() % static_cast<std::int64_t>(count) != 0)
        return bad(c, "axis {} of size {} cannot be split into {} equal parts", axis, size.value(), count);
    return {};
}

Status inferSlice(InferContext& c) {
    const Shape& in = shapeOf(c, 0);
    HS_TRY(const SliceParameters p, sliceParameters(c));
    if (!in.ranked()) return inferUnknownTensor(c);
    if (!p.axes) {
        c.setOutput(0, dtypeOf(c, 0), unknownOfRank(in.rank()));
        return {};
    }
    std::vector<Dim> out = in.dims();
    const auto* starts = c.inputData(1);
    const auto* ends = c.inputData(2);
    for (std::size_t i = 0; i < p.axes->size(); ++i) {
        const auto axis = static_cast<std::size_t>((*p.axes)[i]);
        const Dim size = out[axis];
        out[axis] = Dim();
        const bool known = p.starts && p.ends && p.steps;
        if (known && size.known()) {
            out[axis] = Dim(resolveSlice(size.value(), (*p.starts)[i], (*p.ends)[i], (*p.steps)[i]).count);
            continue;
        }
        if (!p.steps || (*p.steps)[i] != 1) continue;
        const Element from = p.starts ? Element((*p.starts)[i]) : starts != nullptr && i < starts->size() ? (*starts)[i] : Element();
        const Element to = p.ends ? Element((*p.ends)[i]) : ends != nullptr && i < ends->size() ? (*ends)[i] : Element();
        const bool fromZero = from.known() && from.value() == 0;
        if (fromZero && to.known() && to.value() >= kMaxElements)
            out[axis] = size;  // To the end.
        else if (fromZero && to.symbolic() && to == Element::of(size))
            out[axis] = size;
    }
    c.setOutput(0, dtypeOf(c, 0), Shape(std::move(out)));
    return {};
}

Status inferDepthToSpace(InferContext& c) {
    HS_CHECK(wantRank(c, 0, 4));
    const bool grow = c.node().opType == "DepthToSpace";
    const std::int64_t block = c.node().intOr("blocksize", 0);
    if (block < 1 || block > (1 << 20)) return bad(c, "blocksize {} is out of range", block);
    const Shape& in = shapeOf(c, 0);
    if (!in.ranked()) {
        c.setOutput(0, dtypeOf(c, 0), unknownOfRank(4));
        return {};
    }
    const auto divided = [&](std::size_t axis, std::int64_t by) -> Result<Dim> {
        if (in[axis].known() && in[axis].value() % by != 0) return bad(c, "axis {} of {} cannot be divided by {}", axis, in.text(), by);
        return floorDiv(Element::of(in[axis]), Element(by)).dim();
    };
    std::vector<Dim> out = in.dims();
    if (grow) {
        HS_TRY(out[1], divided(1, block * block));
        out[2] = mul(in[2], Dim(block));
        out[3] = mul(in[3], Dim(block));
    } else {
        out[1] = mul(in[1], Dim(block * block));
        HS_TRY(out[2], divided(2, block));
        HS_TRY(out[3], divided(3, block));
    }
    c.setOutput(0, dtypeOf(c, 0), Shape(std::move(out)));
    return {};
}

/// Sizes from input 1: Expand's shape (broadcast).
Status inferExpand(InferContext& c) {
    HS_CHECK(wantRank(c, 1, 1));
    const auto* data = c.inputData(1);
    if (data == nullptr) {
        const Shape& list = shapeOf(c, 1);
        const bool counted = list.ranked() && list[0].known() && list[0].value() <= kMaxRank && shapeOf(c, 0).ranked();
        c.setOutput(0, dtypeOf(c, 0), counted ? unknownOfRank(std::max(shapeOf(c, 0).rank(), static_cast<std::size_t>(list[0].value()))) : Shape());
        return {};
    }
    std::vector<Dim> wanted;
    for (const Element& e : *data) {
        if (e.known() && e.value() < 0) return bad(c, "the shape holds {}", e.value());
        wanted.push_back(e.dim());
    }
    HS_TRY(Shape out, broadcast(c, shapeOf(c, 0), Shape(std::move(wanted))));
    c.setOutput(0, dtypeOf(c, 0), std::move(out));
    return {};
}

/// Repeats one number an axis since opset 6; before, `tiles` along `axis`.
Status inferTile(InferContext& c) {
    const Shape& in = shapeOf(c, 0);
    if (!in.ranked()) return inferUnknownTensor(c);
    if (c.hasInput(2)) {
        const auto tiles = c.inputInts(1);
        const auto axis = c.inputInts(2);
        if (!tiles || !axis || tiles->size() != 1 || axis->size() != 1) {
            c.setOutput(0, dtypeOf(c, 0), unknownOfRank(in.rank()));
            return {};
        }
        HS_TRY(const std::size_t at, axisOf(c, axis->front(), in.rank()));
        if (tiles->front() < 0) return bad(c, "repeats hold {}", tiles->front());
        c.setOutput(0, dtypeOf(c, 0), withDim(in, at, mul(in[at], Dim(tiles->front()))));
        return {};
    }
    const auto* repeats = c.inputData(1);
    std::vector<Dim> out(in.rank());
    if (repeats != nullptr && repeats->size() != in.rank()) return bad(c, "repeats have {} entries, but the input is {}", repeats->size(), in.text());
    for (std::size_t i = 0; repeats != nullptr && i < out.size(); ++i) {
        const Element& n = (*repeats)[i];
        if (n.known() && n.value() < 0) return bad(c, "repeats hold {}", n.value());
        const Element size = mul(Element::of(in[i]), n);
        if (n.known() && in[i].known() && (!size.known() || size.value() > kMaxElements))
            return bad(c, "repeating {} {} times is too large", in[i].value(), n.value());
        out[i] = size.dim();
    }
    c.setOutput(0, dtypeOf(c, 0), Shape(std::move(out)));
    return {};
}

Status inferTrilu(InferContext& c) {
    HS_CHECK(wantMinRank(c, 0, 2));
    return inferSame(c);
}

Status inferIdentity(InferContext& c) {
    c.setOutput(0, c.inputType(0));
    return {};
}

Status inferReverseSequence(InferContext& c) {
    HS_CHECK(wantMinRank(c, 0, 2));
    HS_CHECK(wantRank(c, 1, 1));
    return inferSame(c);
}

}  // namespace

void registerLayout(OpRegistry& r) {
    define(r, "Reshape", {1, 2}, inferReshape, noFlops);
    define(r, "Flatten", {1, 1}, inferFlatten, noFlops);
    define(r, "Transpose", {1, 1}, inferTranspose, noFlops);
    define(r, "Squeeze", {1, 2}, inferSqueeze, noFlops);
    define(r, "Unsqueeze", {1, 2}, inferUnsqueeze, noFlops);
    define(r, "Concat", {1, kMany}, inferConcat, noFlops);
    define(r, "Split", {1, 2, 1, kMany}, inferSplit, noFlops);
    define(r, "Slice", {1, 5}, inferSlice, noFlops);
    define(r, "DepthToSpace", {1, 1}, inferDepthToSpace, noFlops);
    define(r, "SpaceToDepth", {1, 1}, inferDepthToSpace, noFlops);
    define(r, "Expand", {2, 2}, inferExpand, noFlops);
    define(r, "Tile", {2, 3}, inferTile, noFlops);
    define(r, "Trilu", {1, 2}, inferTrilu, noFlops);
    define(r, "ReverseSequence", {2, 2}, inferReverseSequence, noFlops);
    defineAnyKind(r, "Identity", {1, 1}, inferIdentity, noFlops);
}

}  // namespace hs::ops
