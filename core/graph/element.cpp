// SPDX-License-Identifier: Apache-2.0
#include "core/graph/element.h"

#include <charconv>

namespace hs {
namespace {

/// Longer texts help nobody and could grow without bound along a deep graph.
constexpr std::size_t kMaxSymbolLength = 96;

/// "W+3" as ("W", 3); a text without a constant at its end has 0.
struct Sum {
    std::string base;
    std::int64_t constant = 0;
};

Sum splitSum(const std::string& text) {
    const auto sign = text.find_last_of("+-");
    if (sign == std::string::npos || sign == 0 || sign + 1 == text.size()) return {text, 0};
    std::int64_t number = 0;
    const char* end = text.data() + text.size();
    const auto [last, error] = std::from_chars(text.data() + sign + 1, end, number);
    if (error != std::errc{} || last != end) return {text, 0};
    return {text.substr(0, sign), text[sign] == '-' ? -number : number};
}

Element joinSum(const Sum& sum) {
    if (sum.constant == 0) return Element(sum.base);
    return Element(sum.base + (sum.constant > 0 ? "+" : "") + std::to_string(sum.constant));
}

std::string factor(const std::string& text) {
    return text.find_first_of("+-/") == std::string::npos ? text : "(" + text + ")";
}

/// "x/4" as ("x", 4): only a division that is the outermost operation.
std::optional<Sum> splitQuotient(const std::string& text) {
    const auto slash = text.find_last_of('/');
    if (slash == std::string::npos || slash == 0) return std::nullopt;
    std::int64_t number = 0;
    const char* end = text.data() + text.size();
    const auto [last, error] = std::from_chars(text.data() + slash + 1, end, number);
    if (error != std::errc{} || last != end || number <= 0) return std::nullopt;
    std::string base = text.substr(0, slash);
    if (base.front() == '(' && base.back() == ')' && base.find_first_of("()", 1) == base.size() - 1)
        base = base.substr(1, base.size() - 2);
    else if (base.find_first_of("+-*/()") != std::string::npos)
        return std::nullopt;
    return Sum{std::move(base), number};
}

}  // namespace

Element::Element(std::string symbol) : m_symbol(std::move(symbol)) {
    if (m_symbol.size() > kMaxSymbolLength) m_symbol.clear();
}

Element Element::of(const Dim& dim) {
    if (dim.known()) return {dim.value()};
    return dim.symbolic() ? Element(dim.symbol()) : Element();
}

Dim Element::dim() const {
    if (m_value) return *m_value >= 0 ? Dim(*m_value) : Dim();
    return m_symbol.empty() ? Dim() : Dim(m_symbol);
}

Element add(const Element& a, const Element& b) {
    if (a.known() && b.known()) {
        std::int64_t out = 0;
        return __builtin_add_overflow(a.value(), b.value(), &out) ? Element() : Element(out);
    }
    if (b.symbolic() && a.known()) return add(b, a);
    if (a.symbolic() && b.known()) {
        Sum sum = splitSum(a.symbol());
        return __builtin_add_overflow(sum.constant, b.value(), &sum.constant) ? Element() : joinSum(sum);
    }
    if (a.symbolic() && b.symbolic()) {
        const Sum left = splitSum(a.symbol());
        const Sum right = splitSum(b.symbol());
        const bool ordered = left.base <= right.base;
        const std::string base = (ordered ? left.base : right.base) + "+" + (ordered ? right.base : left.base);
        return add(Element(base), add(Element(left.constant), Element(right.constant)));
    }
    return {};
}

Element sub(const Element& a, const Element& b) {
    if (a.known() && b.known()) {
        std::int64_t out = 0;
        return __builtin_sub_overflow(a.value(), b.value(), &out) ? Element() : Element(out);
    }
    if (a.symbolic() && b.known() && b.value() != INT64_MIN) return add(a, Element(-b.value()));
    if (a.symbolic() && b.symbolic()) {
        const Sum left = splitSum(a.symbol());
        const Sum right = splitSum(b.symbol());
        const Element constant = sub(Element(left.constant), Element(right.constant));
        if (left.base == right.base) return constant;
        return add(Element(left.base + "-" + (right.base.find_first_of("+-") == std::string::npos ? right.base : "(" + right.base + ")")), constant);
    }
    return {};
}

Element mul(const Element& a, const Element& b) {
    if (a.known() && b.known()) {
        std::int64_t out = 0;
        return __builtin_mul_overflow(a.value(), b.value(), &out) ? Element() : Element(out);
    }
    if (b.symbolic() && a.known()) return mul(b, a);
    if (b.known() && b.value() == 0) return {std::int64_t{0}};
    if (b.known() && b.value() == 1) return a;
    if (a.symbolic() && b.known() && b.value() > 0) return Element(std::to_string(b.value()) + "*" + factor(a.symbol()));
    if (a.symbolic() && b.symbolic()) {
        const bool ordered = a.symbol() <= b.symbol();
        return Element(factor(ordered ? a.symbol() : b.symbol()) + "*" + factor(ordered ? b.symbol() : a.symbol()));
    }
    return {};
}

Element floorDiv(const Element& a, const Element& b) {
    if (b.known() && b.value() == 0) return {};
    if (a.known() && b.known()) {
        if (b.value() == -1) return sub(Element(std::int64_t{0}), a);
        const std::int64_t quotient = a.value() / b.value();
        const bool exact = a.value() % b.value() == 0;
        return {!exact && (a.value() < 0) != (b.value() < 0) ? quotient - 1 : quotient};
    }
    if (a.symbolic() && b.known() && b.value() > 0) {
        if (b.value() == 1) return a;
        const auto inner = splitQuotient(a.symbol());
        std::int64_t joined = 0;
        if (inner && !__builtin_mul_overflow(inner->constant, b.value(), &joined))
            return Element((inner->base.find_first_of("+-*") == std::string::npos ? inner->base : "(" + inner->base + ")") + "/" + std::to_string(joined));
        const std::string prefix = std::to_string(b.value()) + "*";
        if (a.symbol().starts_with(prefix) && a.symbol().find_first_of("+-*/()", prefix.size()) == std::string::npos)
            return Element(a.symbol().substr(prefix.size()));
        return Element((a.symbol().find_first_of("+-*/") == std::string::npos ? a.symbol() : "(" + a.symbol() + ")") + "/" + std::to_string(b.value()));
    }
    if (a.symbolic() && b.symbolic() && a.symbol() == b.symbol()) return {std::int64_t{1}};
    return {};
}

Element ceilDiv(const Element& a, std::int64_t b) {
    if (b <= 0) return {};
    return floorDiv(add(a, Element(b - 1)), Element(b));
}

}  // namespace hs
