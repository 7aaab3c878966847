// SPDX-License-Identifier: Apache-2.0
#include "core/graph/shape.h"

#include <algorithm>

namespace hs {

std::optional<std::int64_t> elementCount(const Dims& dims) {
    if (dims.size() > static_cast<std::size_t>(kMaxRank)) return std::nullopt;
    if (std::any_of(dims.begin(), dims.end(), [](std::int64_t d) { return d < 0; })) return std::nullopt;
    if (std::find(dims.begin(), dims.end(), 0) != dims.end()) return 0;
    std::int64_t count = 1;
    for (const std::int64_t d : dims) {
        if (d > kMaxElements / count) return std::nullopt;
        count *= d;
    }
    return count;
}

std::string toString(const Dims& dims) {
    return Shape::of(dims).text();
}

std::string Dim::text() const {
    return known() ? std::to_string(m_value) : symbolic() ? m_symbol : "?";
}

bool Shape::isStatic() const {
    return m_ranked && std::all_of(m_dims.begin(), m_dims.end(), [](const Dim& d) { return d.known(); });
}

std::optional<Dims> Shape::concrete() const {
    if (!isStatic()) return std::nullopt;
    Dims out;
    out.reserve(m_dims.size());
    for (const Dim& d : m_dims)
        out.push_back(d.value());
    return out;
}

std::string Shape::text() const {
    if (!m_ranked) return "[…]";
    std::string out = "[";
    for (std::size_t i = 0; i < m_dims.size(); ++i) {
        if (i != 0) out += ',';
        out += m_dims[i].text();
    }
    return out + "]";
}

bool mayHold(TypeKind declared, TypeKind value) {
    if (declared == value) return true;
    if (declared == TypeKind::Optional) return value == TypeKind::Tensor;
    return declared == TypeKind::OptionalSequence && (value == TypeKind::Sequence || value == TypeKind::Optional);
}

std::optional<std::int64_t> ValueType::byteSize() const {
    const auto dims = shape.concrete();
    if (kind != TypeKind::Tensor || !dims) return std::nullopt;
    const auto count = elementCount(*dims);
    if (!count) return std::nullopt;
    return static_cast<std::int64_t>(dtypeBytes(dtype, static_cast<std::size_t>(*count)));
}

std::string ValueType::text() const {
    const std::string element = std::string(dtypeName(dtype)) + shape.text();
    switch (kind) {
        case TypeKind::Tensor: return element;
        case TypeKind::Sequence: return "seq(" + element + ")";
        case TypeKind::Optional: return "optional(" + element + ")";
        case TypeKind::OptionalSequence: return "optional(seq(" + element + "))";
        case TypeKind::Map: return "map(" + element + ")";
        case TypeKind::SparseTensor: return "sparse(" + element + ")";
    }
    return element;
}

}  // namespace hs
