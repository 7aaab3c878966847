// SPDX-License-Identifier: Apache-2.0
// Matrix products.
#include <algorithm>
#include <map>

#include "core/graph/cost.h"
#include "core/graph/ops.h"

namespace hs::ops {

Result<Shape> matMulShape(const InferContext& c, const Shape& a, const Shape& b) {
    if (!a.ranked() || !b.ranked()) return Shape();
    if (a.rank() == 0 || b.rank() == 0) return bad(c, "shapes {} and {}: a scalar cannot be multiplied as a matrix", a.text(), b.text());
    const Dim& inner = b.rank() == 1 ? b[0] : b[b.rank() - 2];
    if (a[a.rank() - 1].known() && inner.known() && a[a.rank() - 1].value() != inner.value())
        return bad(c, "the inner sizes of {} and {} do not match: {} and {}", a.text(), b.text(), a[a.rank() - 1].value(), inner.value());
    const auto leading = [](const Shape& s) {
        const std::size_t kept = s.rank() > 2 ? s.rank() - 2 : 0;
        return Shape(std::vector<Dim>(s.dims().begin(), s.dims().begin() + static_cast<std::ptrdiff_t>(kept)));
    };
    HS_TRY(const Shape batch, broadcast(c, leading(a), leading(b)));
    std::vector<Dim> out = batch.dims();
    if (a.rank() > 1) out.push_back(a[a.rank() - 2]);
    if (b.rank() > 1) out.push_back(b[b.rank() - 1]);
    return Shape(std::move(out));
}

namespace {

Status inferMatMul(InferContext& c) {
    HS_CHECK(wantSameDType(c, {0, 1}));
    HS_TRY(Shape out, matMulShape(c, shapeOf(c, 0), shapeOf(c, 1)));
    c.setOutput(0, dtypeOf(c, 0) != DType::Undefined ? dtypeOf(c, 0) : dtypeOf(c, 1), std::move(out));
    return {};
}

Status inferMatMulInteger(InferContext& c) {
    HS_TRY(Shape out, matMulShape(c, shapeOf(c, 0), shapeOf(c, 1)));
    c.setOutput(0, DType::I32, std::move(out));
    return {};
}

Status inferQLinearMatMul(InferContext& c) {
    HS_TRY(Shape out, matMulShape(c, shapeOf(c, 0), shapeOf(c, 3)));
    c.setOutput(0, dtypeOf(c, 7), std::move(out));
    return {};
}

Status inferGemm(InferContext& c) {
    HS_CHECK(wantSameDType(c, {0, 1, 2}));
    HS_CHECK(wantRank(c, 0, 2));
    HS_CHECK(wantRank(c, 1, 2));
    const Shape& a = shapeOf(c, 0);
    const Shape& b = shapeOf(c, 1);
    const bool ta = c.node().intOr("transA", 0) != 0;
    const bool tb = c.node().intOr("transB", 0) != 0;
    if (a.ranked() && b.ranked()) HS_CHECK(sameDim(c, "the inner sizes of A and B", a[ta ? 0 : 1], b[tb ? 1 : 0]));
    Shape out({a.ranked() ? a[ta ? 1 : 0] : Dim(), b.ranked() ? b[tb ? 0 : 1] : Dim()});
    if (c.hasInput(2) && c.node().opset >= 7) HS_CHECK(wantBroadcastsTo(c, shapeOf(c, 2), out));
    c.setOutput(0, dtypeOf(c, 0) != DType::Undefined ? dtypeOf(c, 0) : dtypeOf(c, 1), std::move(out));
    return {};
}

/// Subscripts of one operand; '.' stands for the ellipsis.
struct Term {
    std::string before, after;
    bool ellipsis = false;
};

Result<Term> parseTerm(const InferContext& c, std::string_view text) {
    Term out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char letter = text[i];
        if (letter == ' ') continue;
        if (letter == '.') {
            if (out.ellipsis || text.substr(i, 3) != "...") return bad(c, "the equation has a misplaced \".\"");
            out.ellipsis = true;
            i += 2;
        } else if ((letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z')) {
            (out.ellipsis ? out.after : out.before) += letter;
        } else {
            return bad(c, "the equation holds \"{}\"", letter);
        }
    }
    return out;
}

struct EinsumSizes {
    std::map<char, Dim> letters;
    std::map<char, int> uses;
    Shape ellipsis = Shape::scalar();
};

Status bindTerm(const InferContext& c, const Term& term, const Shape& shape, EinsumSizes& sizes) {
    const std::size_t named = term.before.size() + term.after.size();
    for (const char letter : term.before + term.after) {
        ++sizes.uses[letter];
        sizes.letters.try_emplace(letter);
    }
    if (!shape.ranked()) {
        if (term.ellipsis) sizes.ellipsis = Shape();
        return {};
    }
    if (shape.rank() < named || (!term.ellipsis && shape.rank() != named)) return bad(c, "the equation names {} axes, but a shape is {}", named, shape.text());
    const auto take = [&](const std::string& letters, std::size_t first) -> Status {
        for (std::size_t i = 0; i < letters.size(); ++i) {
            Dim& known = sizes.letters[letters[i]];
            const Dim& dim = shape[first + i];
            if (known.known() && dim.known() && known.value() != dim.value() && known.value() != 1 && dim.value() != 1)
                return bad(c, "index {} has the sizes {} and {}", letters[i], known.value(), dim.value());
            if (dim.known() && !(known.known() && dim.value() == 1)) known = dim;
            if (known.unknown()) known = dim;
        }
        return {};
    };
    HS_CHECK(take(term.before, 0));
    HS_CHECK(take(term.after, shape.rank() - term.after.size()));
    if (!term.ellipsis) return {};
    const auto first = shape.dims().begin() + static_cast<std::ptrdiff_t>(term.before.size());
    HS_TRY(sizes.ellipsis, broadcast(c, sizes.ellipsis, Shape(std::vector<Dim>(first, shape.dims().end() - static_cast<std::ptrdiff_t>(term.after.size())))));
    return {};
}

Status inferEinsum(InferContext& c) {
    const std::string equation = c.node().stringOr("equation", "");
    const auto arrow = equation.find("->");
    const std::string left = equation.substr(0, arrow);
    EinsumSizes sizes;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < c.inputCount(); ++i) {
        if (i != 0) HS_CHECK(wantSameDType(c, {0, i}));
        if (begin > left.size()) return bad(c, "the equation \"{}\" names fewer than {} inputs", equation, c.inputCount());
        const std::size_t end = std::min(left.find(',', begin), left.size());
        HS_TRY(const Term term, parseTerm(c, std::string_view(left).substr(begin, end - begin)));
        HS_CHECK(bindTerm(c, term, shapeOf(c, i), sizes));
        begin = end + 1;
    }
    if (begin <= left.size()) return bad(c, "the equation \"{}\" names more than {} inputs", equation, c.inputCount());
    Term out;
    if (arrow != std::string::npos) {
        HS_TRY(out, parseTerm(c, std::string_view(equation).substr(arrow + 2)));
    } else {
        out.ellipsis = true;
        for (const auto& [letter, uses] : sizes.uses)
            if (uses == 1) out.after += letter;
    }
    if (out.ellipsis && !sizes.ellipsis.ranked()) {
        c.setOutput(0, dtypeOf(c, 0), Shape());
        return {};
    }
    std::vector<Dim> dims;
    const auto put = [&](const std::string& letters) -> Status {
        for (const char letter : letters) {
            const auto it = sizes.letters.find(letter);
            if (it == sizes.letters.end()) return bad(c, "the result's index {} is in no input", letter);
            dims.push_back(it->second);
        }
        return {};
    };
    HS_CHECK(put(out.before));
    if (out.ellipsis) dims.insert(dims.end(), sizes.ellipsis.dims().begin(), sizes.ellipsis.dims().end());
    HS_CHECK(put(out.after));
    c.setOutput(0, dtypeOf(c, 0), Shape(std::move(dims)));
    return {};
}

Status inferDet(InferContext& c) {
    HS_CHECK(wantMinRank(c, 0, 2));
    const Shape& in = shapeOf(c, 0);
    if (!in.ranked()) return inferUnknownTensor(c);
    HS_CHECK(sameDim(c, "the sides of the matrix", in[in.rank() - 1], in[in.rank() - 2]));
    c.setOutput(0, dtypeOf(c, 0), Shape(std::vector<Dim>(in.dims().begin(), in.dims().end() - 2)));
    return {};
}

}  // namespace

void registerMatrix(OpRegistry& r) {
    define(r, "MatMul", {2, 2}, inferMatMul, matMulFlops);
    define(r, "MatMulInteger", {2, 4}, inferMatMulInteger, matMulFlops);
    define(r, "QLinearMatMul", {8, 8}, inferQLinearMatMul, matMulFlops);
    define(r, "Gemm", {2, 3}, inferGemm, gemmFlops);
    define(r, "Einsum", {1, kMany}, inferEinsum, einsumFlops);
    define(r, "Det", {1, 1}, inferDet, inputElements);
}

}  // namespace hs::ops
