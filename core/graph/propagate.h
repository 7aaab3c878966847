// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <type_traits>
#include <vector>

#include "core/graph/ops.h"
#include "core/graph/tracked.h"

/// Private to core/graph: what the propagation files share.
namespace hs::ops {

/// Sizes of an output that is small enough to follow.
std::optional<Dims> outputDims(const InferContext& c, std::size_t i);
/// Record elements of output i; nothing happens when they do not fit its type and shape.
void storeInts(InferContext& c, std::size_t i, std::vector<Element> values);
void storeFloats(InferContext& c, std::size_t i, std::vector<double> values);
inline void store(InferContext& c, std::size_t i, std::vector<Element> values) {
    storeInts(c, i, std::move(values));
}
inline void store(InferContext& c, std::size_t i, std::vector<double> values) {
    storeFloats(c, i, std::move(values));
}

/// Elements of input i as T (Element or double), when followed and its shape is static.
template <class T>
std::optional<std::vector<T>> tracked(const InferContext& c, std::size_t i) {
    const InferredValue& in = c.input(i);
    const auto dims = in.type.shape.concrete();
    if (!dims) return std::nullopt;
    std::optional<std::vector<T>> out;
    if constexpr (std::is_same_v<T, Element>)
        out = in.data;
    else
        out = in.floats;
    if (out && elementCount(*dims) != static_cast<std::int64_t>(out->size())) return std::nullopt;
    return out;
}

/// Reads `source` at offset + sum(index * stride) for every index of `dims`, row-major.
template <class T>
std::vector<T> pickStrided(const std::vector<T>& source, const Dims& dims, const std::vector<std::int64_t>& strides, std::int64_t offset) {
    std::vector<T> out;
    const auto count = elementCount(dims).value_or(0);
    const auto own = stridesOf(dims);
    out.reserve(static_cast<std::size_t>(count));
    for (std::int64_t k = 0; k < count; ++k) {
        std::int64_t at = offset;
        for (std::size_t i = 0; i < dims.size(); ++i)
            at += k / own[i] % dims[i] * strides[i];
        out.push_back(source[static_cast<std::size_t>(at)]);
    }
    return out;
}

/// Input i broadcast to `out`.
template <class T>
std::optional<std::vector<T>> broadcastTracked(const InferContext& c, std::size_t i, const Dims& out) {
    const auto values = tracked<T>(c, i);
    if (!values) return std::nullopt;
    const Dims dims = *c.inputType(i).shape.concrete();
    if (dims.size() > out.size()) return std::nullopt;
    const auto own = stridesOf(dims);
    std::vector<std::int64_t> strides(out.size(), 0);
    for (std::size_t k = 0; k < dims.size(); ++k) {
        const std::size_t axis = k + out.size() - dims.size();
        if (dims[k] != 1 && dims[k] != out[axis]) return std::nullopt;
        if (dims[k] != 1) strides[axis] = own[k];
    }
    return pickStrided(*values, out, strides, 0);
}

void propagateMovement(InferContext& c);  ///< Operators that move or create elements.
void propagateSplit(InferContext& c);     ///< Split, whose first output may be too large while others are not.

}  // namespace hs::ops
