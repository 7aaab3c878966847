// SPDX-License-Identifier: Apache-2.0
// Elements of small tensors: operators that move, pick or create them.
#include <algorithm>
#include <unordered_map>

#include "core/graph/propagate.h"

namespace hs::ops {
namespace {

/// Runs `move` for integers, or else for floats.
template <class Move>
void moving(InferContext& c, std::size_t output, const Move& move) {
    if (auto ints = tracked<Element>(c, 0)) {
        if (auto out = move(*ints)) store(c, output, std::move(*out));
    } else if (auto floats = tracked<double>(c, 0)) {
        if (auto out = move(*floats)) store(c, output, std::move(*out));
    }
}

void sameElements(InferContext& c) {
    moving(c, 0, [](auto& in) { return std::optional(in); });
}

void transposeElements(InferContext& c) {
    const auto dims = c.inputType(0).shape.concrete();
    if (!dims) return;
    const Dims out = *outputDims(c, 0);
    const auto own = stridesOf(*dims);
    auto order = c.node().intsOr("perm");
    if (order.empty())
        for (std::size_t i = dims->size(); i-- > 0;)
            order.push_back(static_cast<std::int64_t>(i));
    std::vector<std::int64_t> strides;
    for (const std::int64_t axis : order)
        strides.push_back(own[static_cast<std::size_t>(axis < 0 ? axis + static_cast<std::int64_t>(dims->size()) : axis)]);
    moving(c, 0, [&](const auto& in) { return std::optional(pickStrided(in, out, strides, 0)); });
}

void sliceElements(InferContext& c) {
    const auto dims = c.inputType(0).shape.concrete();
    const auto p = sliceParameters(c);
    if (!dims || !p || !p->complete()) return;
    auto strides = stridesOf(*dims);
    std::int64_t offset = 0;
    Dims out = *dims;
    for (std::size_t i = 0; i < p->axes->size(); ++i) {
        const auto axis = static_cast<std::size_t>((*p->axes)[i]);
        const SliceAxis s = resolveSlice((*dims)[axis], (*p->starts)[i], (*p->ends)[i], (*p->steps)[i]);
        offset += s.start * strides[axis];
        strides[axis] *= s.step;
        out[axis] = s.count;
    }
    moving(c, 0, [&](const auto& in) { return std::optional(pickStrided(in, out, strides, offset)); });
}

void gatherElements(InferContext& c) {
    const auto dims = c.inputType(0).shape.concrete();
    const auto picks = c.inputInts(1);
    if (!dims || !picks || dims->empty()) return;
    const std::int64_t given = c.node().intOr("axis", 0);
    const auto axis = static_cast<std::size_t>(given < 0 ? given + static_cast<std::int64_t>(dims->size()) : given);
    const std::int64_t size = (*dims)[axis];
    for (const std::int64_t pick : *picks)
        if (pick < -size || pick >= size) return;
    const std::int64_t inner = stridesOf(*dims)[axis];
    const std::int64_t outer = *elementCount(Dims(dims->begin(), dims->begin() + static_cast<std::ptrdiff_t>(axis)));
    moving(c, 0, [&](const auto& in) {
        std::decay_t<decltype(in)> out;
        for (std::int64_t o = 0; o < outer; ++o)
            for (const std::int64_t pick : *picks)
                for (std::int64_t k = 0; k < inner; ++k)
                    out.push_back(in[static_cast<std::size_t>((o * size + (pick < 0 ? pick + size : pick)) * inner + k)]);
        return std::optional(out);
    });
}

/// Copies blocks of every input in turn; a block is all that one outer index holds.
template <class T>
bool concatAs(InferContext& c, std::size_t axis, const Dims& out) {
    std::vector<std::vector<T>> parts;
    for (std::size_t i = 0; i < c.inputCount(); ++i) {
        auto part = tracked<T>(c, i);
        if (!part) {
            // One unknown part must not hide the others: integers may stay partly unknown.
            const auto dims = c.inputType(i).shape.concrete();
            if constexpr (std::is_same_v<T, Element>)
                if (dims && elementCount(*dims).value_or(kMaxElements) <= static_cast<std::int64_t>(kMaxTracked))
                    part = std::vector<Element>(static_cast<std::size_t>(*elementCount(*dims)));
            if (!part) return false;
        }
        parts.push_back(std::move(*part));
    }
    const std::int64_t outer = *elementCount(Dims(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(axis)));
    if (outer == 0) return true;
    std::vector<T> all;
    for (std::int64_t o = 0; o < outer; ++o)
        for (const auto& part : parts) {
            const auto block = static_cast<std::ptrdiff_t>(part.size()) / outer;
            all.insert(all.end(), part.begin() + o * block, part.begin() + (o + 1) * block);
        }
    store(c, 0, std::move(all));
    return true;
}

void concatElements(InferContext& c) {
    const Dims out = *outputDims(c, 0);
    const std::int64_t given = c.node().intOr("axis", 1);
    const auto axis = static_cast<std::size_t>(given < 0 ? given + static_cast<std::int64_t>(out.size()) : given);
    if (axis < out.size() && !concatAs<Element>(c, axis, out)) concatAs<double>(c, axis, out);
}

void expandElements(InferContext& c) {
    const Dims out = *outputDims(c, 0);
    if (auto ints = broadcastTracked<Element>(c, 0, out))
        store(c, 0, std::move(*ints));
    else if (auto floats = broadcastTracked<double>(c, 0, out))
        store(c, 0, std::move(*floats));
}

void tileElements(InferContext& c) {
    const auto dims = c.inputType(0).shape.concrete();
    const Dims out = *outputDims(c, 0);
    if (!dims || dims->size() != out.size() || c.node().opset < 6) return;
    const auto own = stridesOf(*dims);
    const auto outStrides = stridesOf(out);
    const std::int64_t count = *elementCount(out);
    moving(c, 0, [&](const auto& in) {
        std::decay_t<decltype(in)> all;
        for (std::int64_t k = 0; k < count; ++k) {
            std::int64_t at = 0;
            for (std::size_t i = 0; i < out.size(); ++i)
                at += k / outStrides[i] % out[i] % (*dims)[i] * own[i];
            all.push_back(in[static_cast<std::size_t>(at)]);
        }
        return std::optional(all);
    });
}

template <class T>
bool whereAs(InferContext& c, const Dims& out) {
    const auto condition = broadcastTracked<Element>(c, 0, out);
    auto yes = broadcastTracked<T>(c, 1, out);
    auto no = broadcastTracked<T>(c, 2, out);
    if (!condition || !yes || !no) return false;
    for (std::size_t i = 0; i < yes->size(); ++i) {
        const Element& flag = (*condition)[i];
        if (flag.known() && flag.value() == 0) (*yes)[i] = (*no)[i];
        if (flag.known() || (*yes)[i] == (*no)[i]) continue;
        if constexpr (std::is_same_v<T, Element>)
            (*yes)[i] = Element();
        else
            return false;
    }
    store(c, 0, std::move(*yes));
    return true;
}

void whereElements(InferContext& c) {
    const Dims out = *outputDims(c, 0);
    if (!whereAs<Element>(c, out)) whereAs<double>(c, out);
}

void shapeElements(InferContext& c) {
    const Shape& shape = c.inputType(0).shape;
    if (!shape.ranked()) return;
    const auto rank = static_cast<std::int64_t>(shape.rank());
    const auto clamp = [rank](std::int64_t i) { return std::clamp<std::int64_t>(i < -rank ? 0 : i < 0 ? i + rank : i, 0, rank); };
    const std::int64_t last = clamp(c.node().intOr("end", rank));
    std::vector<Element> out;
    for (std::int64_t i = clamp(c.node().intOr("start", 0)); i < last; ++i)
        out.push_back(Element::of(shape[static_cast<std::size_t>(i)]));
    store(c, 0, std::move(out));
}

void sizeElements(InferContext& c) {
    const Shape& shape = c.inputType(0).shape;
    if (!shape.ranked()) return;
    store(c, 0, std::vector<Element>{Element::of(productOf(shape, 0, shape.rank()))});
}

void rangeElements(InferContext& c) {
    const std::int64_t count = outputDims(c, 0)->front();
    if (const auto start = c.inputInts(0), delta = c.inputInts(2); start && delta && start->size() == 1 && delta->size() == 1) {
        std::vector<Element> out;
        for (std::int64_t i = 0; i < count; ++i)
            out.push_back(add(Element(start->front()), mul(Element(i), Element(delta->front()))));
        store(c, 0, std::move(out));
    }
}

void constantOfShapeElements(InferContext& c) {
    const std::int64_t count = *elementCount(*outputDims(c, 0));
    const Tensor* value = c.node().get<Tensor>("value");
    InferredValue one;
    if (value != nullptr)
        trackTensor(*value, one);
    else
        one.floats = {0.0};
    if (one.data && one.data->size() == 1) store(c, 0, std::vector<Element>(static_cast<std::size_t>(count), one.data->front()));
    if (one.floats && one.floats->size() == 1) store(c, 0, std::vector<double>(static_cast<std::size_t>(count), one.floats->front()));
}

void constantElements(InferContext& c) {
    const Node& node = c.node();
    if (const Tensor* tensor = node.get<Tensor>("value")) {
        InferredValue known;
        trackTensor(*tensor, known);
        if (known.data) store(c, 0, std::move(*known.data));
        if (known.floats) store(c, 0, std::move(*known.floats));
    } else if (const auto* one = node.get<std::int64_t>("value_int")) {
        store(c, 0, std::vector<Element>{Element(*one)});
    } else if (const auto* ints = node.get<std::vector<std::int64_t>>("value_ints")) {
        store(c, 0, std::vector<Element>(ints->begin(), ints->end()));
    } else if (const auto* single = node.get<float>("value_float")) {
        store(c, 0, std::vector<double>{*single});
    } else if (const auto* floats = node.get<std::vector<float>>("value_floats")) {
        store(c, 0, std::vector<double>(floats->begin(), floats->end()));
    }
}

void nonZeroElements(InferContext& c) {
    const auto in = c.inputInts(0);
    const auto dims = c.inputType(0).shape.concrete();
    if (!in || !dims || in->size() > kMaxTracked) return;
    const auto strides = stridesOf(*dims);
    std::vector<Element> out;
    for (std::size_t axis = 0; axis < dims->size(); ++axis)
        for (std::size_t k = 0; k < in->size(); ++k)
            if ((*in)[k] != 0) out.emplace_back(static_cast<std::int64_t>(k) / strides[axis] % (*dims)[axis]);
    store(c, 0, std::move(out));
}

}  // namespace

void propagateSplit(InferContext& c) {
    if (c.node().opType != "Split") return;
    const auto dims = c.inputType(0).shape.concrete();
    if (!dims || dims->empty()) return;
    const std::int64_t given = c.node().intOr("axis", 0);
    const auto axis = static_cast<std::size_t>(given < 0 ? given + static_cast<std::int64_t>(dims->size()) : given);
    const auto strides = stridesOf(*dims);
    std::int64_t start = 0;
    for (std::size_t i = 0; i < c.outputCount(); ++i) {
        const auto out = outputDims(c, i);
        if (!out || out->size() != dims->size()) return;
        moving(c, i, [&](const auto& in) { return std::optional(pickStrided(in, *out, strides, start * strides[axis])); });
        start += (*out)[axis];
    }
}

void propagateMovement(InferContext& c) {
    static const std::unordered_map<std::string_view, void (*)(InferContext&)> kOps = {{"Identity", sameElements},
                                                                                       {"Squeeze", sameElements},
                                                                                       {"Unsqueeze", sameElements},
                                                                                       {"Reshape", sameElements},
                                                                                       {"Flatten", sameElements},
                                                                                       {"Transpose", transposeElements},
                                                                                       {"Slice", sliceElements},
                                                                                       {"Gather", gatherElements},
                                                                                       {"Concat", concatElements},
                                                                                       {"Expand", expandElements},
                                                                                       {"Tile", tileElements},
                                                                                       {"Where", whereElements},
                                                                                       {"Shape", shapeElements},
                                                                                       {"Size", sizeElements},
                                                                                       {"Range", rangeElements},
                                                                                       {"Constant", constantElements},
                                                                                       {"ConstantOfShape", constantOfShapeElements},
                                                                                       {"NonZero", nonZeroElements},
                                                                                       {"Split", propagateSplit}};
    if (const auto it = kOps.find(c.node().opType); it != kOps.end()) it->second(c);
}

}  // namespace hs::ops
