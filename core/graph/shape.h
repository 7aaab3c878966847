// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/graph/dtype.h"

namespace hs {

/// Sizes of a concrete tensor, outermost first.
using Dims = std::vector<std::int64_t>;

/// Limits on what a stranger's file may ask for.
inline constexpr std::int64_t kMaxRank = 32;
inline constexpr std::int64_t kMaxElements = std::int64_t{1} << 40;

/// Product of the sizes; nullopt when one is negative or the product is over kMaxElements.
std::optional<std::int64_t> elementCount(const Dims& dims);

/// "[1,3,224,224]"
std::string toString(const Dims& dims);

/// One dimension: a known size, a symbol that the run binds ("N", "seq"), or unknown.
class Dim {
public:
    Dim() = default;
    Dim(std::int64_t value) : m_value(value) {}  // NOLINT(google-explicit-constructor): a size is a dimension
    explicit Dim(std::string symbol) : m_symbol(std::move(symbol)) {}

    bool known() const { return m_value >= 0; }
    bool symbolic() const { return m_value < 0 && !m_symbol.empty(); }
    bool unknown() const { return m_value < 0 && m_symbol.empty(); }
    std::int64_t value() const { return m_value; }  ///< Only meaningful when known().
    const std::string& symbol() const { return m_symbol; }
    bool operator==(const Dim&) const = default;
    /// "224", "N" or "?"
    std::string text() const;

private:
    std::int64_t m_value = -1;
    std::string m_symbol;
};

/// The shape of a value as far as it is known before a run.
class Shape {
public:
    Shape() = default;  ///< Unknown rank.
    explicit Shape(std::vector<Dim> dims) : m_ranked(true), m_dims(std::move(dims)) {}
    static Shape of(const Dims& dims) { return Shape(std::vector<Dim>(dims.begin(), dims.end())); }
    static Shape scalar() { return Shape(std::vector<Dim>{}); }

    bool ranked() const { return m_ranked; }
    std::size_t rank() const { return m_dims.size(); }
    const std::vector<Dim>& dims() const { return m_dims; }
    const Dim& operator[](std::size_t axis) const { return m_dims[axis]; }
    bool isStatic() const;
    /// The sizes, when all are known.
    std::optional<Dims> concrete() const;
    bool operator==(const Shape&) const = default;
    /// "[N,3,224,224]", or "[…]" when the rank is unknown.
    std::string text() const;

private:
    bool m_ranked = false;
    std::vector<Dim> m_dims;
};

enum class TypeKind : std::uint8_t { Tensor, Sequence, Optional, Map, SparseTensor, OptionalSequence };

/// May a value of the kind `value` stand where `declared` is expected? An optional takes what it would hold, and nothing.
bool mayHold(TypeKind declared, TypeKind value);

/// Type of a value. For sequences and optionals, dtype and shape are those of the element.
struct ValueType {
    TypeKind kind = TypeKind::Tensor;
    DType dtype = DType::Undefined;
    Shape shape;

    bool isStaticTensor() const { return kind == TypeKind::Tensor && dtype != DType::Undefined && shape.isStatic(); }
    /// Packed bytes of a static tensor; nullopt when not static or too large.
    std::optional<std::int64_t> byteSize() const;
    /// "float32[N,3,224,224]"
    std::string text() const;
    bool operator==(const ValueType&) const = default;
};

}  // namespace hs
