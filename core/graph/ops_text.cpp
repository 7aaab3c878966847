// SPDX-License-Identifier: Apache-2.0
// Strings. No FLOPs.
#include <algorithm>

#include "core/graph/ops.h"

namespace hs::ops {
namespace {

Status wantString(const InferContext& c, std::size_t i) {
    const DType type = dtypeOf(c, i);
    if (type != DType::Undefined && type != DType::String) return bad(c, "input {} is {}, strings are needed", i, dtypeName(type));
    return {};
}

Status inferConcat(InferContext& c) {
    HS_CHECK(wantString(c, 0));
    return inferBroadcastBinary(c);
}

/// Stop words are dropped, so only the rank is known with them.
Status inferNormalizer(InferContext& c) {
    HS_CHECK(wantString(c, 0));
    const Shape& in = shapeOf(c, 0);
    const auto* stop = c.node().get<std::vector<std::string>>("stopwords");
    if (stop == nullptr || stop->empty() || !in.ranked() || in.rank() == 0) return inferSame(c);
    c.setOutput(0, DType::String, withDim(in, in.rank() - 1, Dim()));
    return {};
}

Status inferSplit(InferContext& c) {
    HS_CHECK(wantString(c, 0));
    const Shape& in = shapeOf(c, 0);
    Shape parts;
    if (in.ranked()) {
        std::vector<Dim> dims = in.dims();
        dims.emplace_back();
        parts = Shape(std::move(dims));
    }
    c.setOutput(0, DType::String, std::move(parts));
    c.setOutput(1, DType::I64, in);
    return {};
}

Status inferMatch(InferContext& c) {
    HS_CHECK(wantString(c, 0));
    c.setOutput(0, DType::Bool, shapeOf(c, 0));
    return {};
}

/// The last axis becomes the n-gram slots: one more than the greatest index.
Status inferTfIdf(InferContext& c) {
    const Shape& in = shapeOf(c, 0);
    std::int64_t slots = 0;
    for (const std::int64_t i : c.node().intsOr("ngram_indexes"))
        slots = std::max(slots, i < kMaxElements ? i + 1 : i);
    if (!in.ranked()) {
        c.setOutput(0, DType::F32, Shape());
        return {};
    }
    if (in.rank() != 1 && in.rank() != 2) return bad(c, "the input is {}, rank 1 or 2 is needed", in.text());
    c.setOutput(0, DType::F32, in.rank() == 1 ? Shape({Dim(slots)}) : Shape({in[0], Dim(slots)}));
    return {};
}

}  // namespace

void registerText(OpRegistry& r) {
    define(r, "StringConcat", {2, 2}, inferConcat, noFlops);
    define(r, "StringNormalizer", {1, 1}, inferNormalizer, noFlops);
    define(r, "StringSplit", {1, 1, 1, 2}, inferSplit, noFlops);
    define(r, "RegexFullMatch", {1, 1}, inferMatch, noFlops);
    define(r, "TfIdfVectorizer", {1, 1}, inferTfIdf, noFlops);
}

}  // namespace hs::ops
