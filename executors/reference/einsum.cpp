// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "executors/reference/registry.h"
#include "executors/reference/values.h"

namespace hs::ref {
namespace {

/// One operand's subscripts as label numbers; the dimensions under an ellipsis get labels of their own.
using Labels = std::vector<int>;

constexpr int kEllipsisBase = 1000;  // label of the innermost ellipsis dimension, counting outwards

struct Equation {
    std::vector<Labels> operands;
    Labels result;
    std::map<int, std::int64_t> sizes;
};

Result<Labels> parseTerm(const Call& c, const std::string& term, std::size_t ellipsisRank) {
    Labels out;
    for (std::size_t i = 0; i < term.size(); ++i) {
        const char ch = term[i];
        if (ch == '.') {
            if (term.compare(i, 3, "...") != 0) return c.bad("\"{}\" is not a term", term);
            i += 2;
            for (std::size_t k = ellipsisRank; k-- > 0;)
                out.push_back(kEllipsisBase + static_cast<int>(k));
        } else if (std::isalpha(static_cast<unsigned char>(ch)) != 0) {
            out.push_back(ch);
        } else {
            return c.bad("\"{}\" is not a term", term);
        }
    }
    return out;
}

std::size_t letters(const std::string& term) {
    return static_cast<std::size_t>(std::count_if(term.begin(), term.end(), [](unsigned char ch) { return std::isalpha(ch) != 0; }));
}

std::vector<std::string> splitTerms(const std::string& text) {
    std::vector<std::string> out(1);
    for (const char ch : text) {
        if (ch == ',')
            out.emplace_back();
        else
            out.back() += ch;
    }
    return out;
}

/// Binds the labels of an operand to its sizes; a size of 1 broadcasts.
Status bindSizes(const Call& c, Equation& e, const Labels& labels, const Dims& dims) {
    if (labels.size() != dims.size()) return c.bad("a term of {} subscripts does not fit shape {}", labels.size(), toString(dims));
    for (std::size_t d = 0; d < dims.size(); ++d) {
        const auto [it, fresh] = e.sizes.emplace(labels[d], dims[d]);
        if (fresh || it->second == dims[d] || dims[d] == 1) continue;
        if (it->second != 1) return c.bad("a subscript stands for both {} and {}", it->second, dims[d]);
        it->second = dims[d];
    }
    return {};
}

/// Without "->": the ellipsis, then every letter that occurs once, in alphabetical order.
Labels implicitResult(const Equation& e) {
    std::map<int, int> uses;
    for (const Labels& labels : e.operands)
        for (const int label : labels)
            ++uses[label];
    Labels out;
    for (auto it = uses.rbegin(); it != uses.rend(); ++it)
        if (it->first >= kEllipsisBase) out.push_back(it->first);
    for (const auto& [label, count] : uses)
        if (label < kEllipsisBase && count == 1) out.push_back(label);
    return out;
}

Result<Equation> parse(Call& c) {
    std::string text = c.node().stringOr("equation", "");
    std::erase(text, ' ');
    const std::size_t arrow = text.find("->");
    const std::vector<std::string> terms = splitTerms(text.substr(0, arrow));
    if (terms.size() != c.inputCount()) return c.bad("equation \"{}\" has {} terms for {} operands", text, terms.size(), c.inputCount());
    Equation e;
    std::size_t widest = 0;
    for (std::size_t i = 0; i < terms.size(); ++i) {
        const std::size_t named = letters(terms[i]);
        if (named > c.dims(i).size()) return c.bad("term \"{}\" does not fit shape {}", terms[i], toString(c.dims(i)));
        const std::size_t hidden = terms[i].find("...") == std::string::npos ? 0 : c.dims(i).size() - named;
        widest = std::max(widest, hidden);
        HS_TRY(Labels labels, parseTerm(c, terms[i], hidden));
        HS_CHECK(bindSizes(c, e, labels, c.dims(i)));
        e.operands.push_back(std::move(labels));
    }
    if (arrow == std::string::npos) {
        e.result = implicitResult(e);
    } else {
        HS_TRY(e.result, parseTerm(c, text.substr(arrow + 2), widest));
    }
    for (const int label : e.result)
        if (!e.sizes.contains(label) || std::count(e.result.begin(), e.result.end(), label) != 1) return c.bad("the result of \"{}\" is not well-formed", text);
    return e;
}

/// Sums the product of the operands over every label that the result lacks, by plain loops over all labels.
Status einsum(Call& c) {
    HS_CHECK(c.need(std::max<std::size_t>(c.inputCount(), 1)));
    HS_TRY(const Equation e, parse(c));
    Labels order = e.result;
    for (const auto& [label, size] : e.sizes)
        if (std::find(order.begin(), order.end(), label) == order.end()) order.push_back(label);
    Dims loops;
    for (const int label : order)
        loops.push_back(e.sizes.at(label));
    if (loops.size() > static_cast<std::size_t>(kMaxRank) || !elementCount(loops)) return c.bad("the equation has too many or too large dimensions");
    const Dims result(loops.begin(), loops.begin() + static_cast<std::ptrdiff_t>(e.result.size()));
    std::vector<Values> x;
    std::vector<Dims> strides;
    for (std::size_t i = 0; i < e.operands.size(); ++i) {
        HS_TRY(Values v, values(c, i));
        x.push_back(std::move(v));
        Dims own(order.size(), 0);
        const Dims natural = stridesOf(c.dims(i));
        for (std::size_t d = 0; d < e.operands[i].size(); ++d)
            if (c.dims(i)[d] != 1) own[static_cast<std::size_t>(std::find(order.begin(), order.end(), e.operands[i][d]) - order.begin())] += natural[d];
        strides.push_back(std::move(own));
    }
    Values y(static_cast<std::size_t>(product(result)), 0);
    const std::int64_t inner = product(loops, e.result.size(), loops.size());
    Dims index(loops.size(), 0);
    for (double& sum : y)
        for (std::int64_t k = 0; k < inner; ++k, advance(index, loops)) {
            double term = 1;
            for (std::size_t i = 0; i < x.size(); ++i) {
                std::int64_t at = 0;
                for (std::size_t d = 0; d < index.size(); ++d)
                    at += index[d] * strides[i][d];
                term *= x[i][static_cast<std::size_t>(at)];
            }
            sum += term;
        }
    return emit(c, 0, c.declared(), result, y);
}

const Operator kOperators[] = {
    {"Einsum", einsum, kNumbers},
};

}  // namespace

std::span<const Operator> einsumOperators() {
    return kOperators;
}

}  // namespace hs::ref
