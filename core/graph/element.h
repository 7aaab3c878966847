// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/graph/shape.h"

namespace hs {

/// One integer that inference follows through the graph: an element of a small integer tensor. Known (any sign), an
/// expression over symbols ("seq+1"), or unknown. Symbols stand for sizes, so they are taken as not negative.
class Element {
public:
    Element() = default;
    Element(std::int64_t value) : m_value(value) {}  // NOLINT(google-explicit-constructor): a number is an element
    explicit Element(std::string symbol);            ///< Over-long expressions become unknown.
    static Element of(const Dim& dim);

    bool known() const { return m_value.has_value(); }
    bool symbolic() const { return !m_value && !m_symbol.empty(); }
    std::int64_t value() const { return *m_value; }  ///< Only when known().
    const std::string& symbol() const { return m_symbol; }
    /// As a size: unknown when it is not known, and for negative numbers.
    Dim dim() const;
    bool operator==(const Element&) const = default;

private:
    std::optional<std::int64_t> m_value;
    std::string m_symbol;
};

/// Arithmetic with overflow checks (an overflow is unknown). Expressions are kept as short canonical text: constants are
/// collected at the end ("H+1-1" is "H"), nested divisions are joined ("(H/2)/2" is "H/4"); division of expressions is floor.
Element add(const Element& a, const Element& b);
Element sub(const Element& a, const Element& b);
Element mul(const Element& a, const Element& b);
Element floorDiv(const Element& a, const Element& b);  ///< Rounds down; unknown for a divisor of zero.
Element ceilDiv(const Element& a, std::int64_t b);     ///< Rounds up; b > 0.

/// The same for sizes; a negative result is unknown.
inline Dim mul(const Dim& a, const Dim& b) {
    return mul(Element::of(a), Element::of(b)).dim();
}
inline Dim add(const Dim& a, const Dim& b) {
    return add(Element::of(a), Element::of(b)).dim();
}

}  // namespace hs
