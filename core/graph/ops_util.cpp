// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/graph/ops.h"

namespace hs::ops {

namespace {

OpSchema schemaOf(std::string_view name, Arity arity, InferFn infer, FlopsFn flops, std::string_view domain) {
    OpSchema schema;
    schema.domain = domain;
    schema.name = name;
    schema.minInputs = arity.minIn;
    schema.maxInputs = arity.maxIn;
    schema.minOutputs = arity.minOut;
    schema.maxOutputs = arity.maxOut;
    schema.infer = infer;
    schema.flops = flops;
    return schema;
}

}  // namespace

void define(OpRegistry& registry, std::string_view name, Arity arity, InferFn infer, FlopsFn flops, std::string_view domain) {
    registry.add(schemaOf(name, arity, infer, flops, domain));
}

void defineAnyKind(OpRegistry& registry, std::string_view name, Arity arity, InferFn infer, FlopsFn flops, std::string_view domain) {
    OpSchema schema = schemaOf(name, arity, infer, flops, domain);
    schema.anyKind = true;
    registry.add(std::move(schema));
}

double noFlops(const Model&, const Node&, const TypeTable&) {
    return 0;
}

Status wantRank(const InferContext& c, std::size_t i, std::size_t rank) {
    const Shape& shape = shapeOf(c, i);
    if (shape.ranked() && shape.rank() != rank) return bad(c, "input {} has shape {}, rank {} is needed", i, shape.text(), rank);
    return {};
}

Status wantMinRank(const InferContext& c, std::size_t i, std::size_t rank) {
    const Shape& shape = shapeOf(c, i);
    if (shape.ranked() && shape.rank() < rank) return bad(c, "input {} has shape {}, at least rank {} is needed", i, shape.text(), rank);
    return {};
}

Status wantSameDType(const InferContext& c, std::initializer_list<std::size_t> inputs) {
    DType first = DType::Undefined;
    for (const std::size_t i : inputs) {
        const DType type = c.hasInput(i) ? dtypeOf(c, i) : DType::Undefined;
        if (type == DType::Undefined) continue;
        if (first == DType::Undefined) first = type;
        if (type != first) return bad(c, "inputs of types {} and {} cannot be mixed: cast one of them", dtypeName(first), dtypeName(type));
    }
    return {};
}

Status wantFloat(const InferContext& c, std::size_t i) {
    const DType type = dtypeOf(c, i);
    if (type != DType::Undefined && !isFloat(type)) return bad(c, "input {} is {}, a float type is needed", i, dtypeName(type));
    return {};
}

Result<std::size_t> axisOf(const InferContext& c, std::int64_t axis, std::size_t rank) {
    const auto limit = static_cast<std::int64_t>(rank);
    if (axis < -limit || axis >= limit) return bad(c, "axis {} is out of range for rank {}", axis, rank);
    return static_cast<std::size_t>(axis < 0 ? axis + limit : axis);
}

Result<std::vector<std::size_t>> axesOf(const InferContext& c, const std::vector<std::int64_t>& axes, std::size_t rank) {
    std::vector<std::size_t> out;
    for (const std::int64_t axis : axes) {
        HS_TRY(const std::size_t a, axisOf(c, axis, rank));
        if (std::find(out.begin(), out.end(), a) != out.end()) return bad(c, "axis {} is given twice", axis);
        out.push_back(a);
    }
    return out;
}

Result<Dim> broadcastDim(const InferContext& c, const Dim& a, const Dim& b) {
    if (a.known() && b.known()) {
        if (a.value() != b.value() && a.value() != 1 && b.value() != 1) return bad(c, "sizes {} and {} cannot be broadcast together", a.value(), b.value());
        return a.value() == 1 ? b : a;
    }
    if (a.known()) return a.value() == 1 ? b : a;
    if (b.known()) return b.value() == 1 ? a : b;
    return a == b ? a : Dim();
}

Result<Shape> broadcast(const InferContext& c, const Shape& a, const Shape& b) {
    if (!a.ranked() || !b.ranked()) return Shape();
    const std::size_t rank = std::max(a.rank(), b.rank());
    std::vector<Dim> out(rank);
    for (std::size_t i = 0; i < rank; ++i) {
        const Dim left = i + a.rank() < rank ? Dim(1) : a[i + a.rank() - rank];
        const Dim right = i + b.rank() < rank ? Dim(1) : b[i + b.rank() - rank];
        auto dim = broadcastDim(c, left, right);
        if (!dim) return bad(c, "shapes {} and {} cannot be broadcast together", a.text(), b.text());
        out[i] = *dim;
    }
    return Shape(std::move(out));
}

Status wantBroadcastsTo(const InferContext& c, const Shape& from, const Shape& to) {
    if (!from.ranked() || !to.ranked()) return {};
    HS_TRY(const Shape both, broadcast(c, from, to));
    bool grows = both.rank() > to.rank();
    for (std::size_t i = 0; !grows && i < to.rank(); ++i)
        grows = to[i].known() && both[i].known() && both[i].value() != to[i].value();
    if (grows) return bad(c, "shape {} cannot be broadcast to {}", from.text(), to.text());
    return {};
}

Result<Dim> sameDim(const InferContext& c, std::string_view what, const Dim& a, const Dim& b) {
    if (a.known() && b.known() && a.value() != b.value()) return bad(c, "{} do not match: {} and {}", what, a.value(), b.value());
    if (a.known()) return a;
    if (b.known()) return b;
    return a.symbolic() ? a : b;
}

Dim productOf(const Shape& shape, std::size_t from, std::size_t to) {
    Dim out(1);
    for (std::size_t i = from; i < to; ++i)
        out = mul(out, shape[i]);
    return out;
}

Shape unknownOfRank(std::size_t rank) {
    return Shape(std::vector<Dim>(rank));
}

Shape generalise(const Shape& a, const Shape& b) {
    if (!a.ranked() || !b.ranked() || a.rank() != b.rank()) return {};
    std::vector<Dim> out(a.rank());
    for (std::size_t i = 0; i < out.size(); ++i)
        if (a[i] == b[i]) out[i] = a[i];
    return Shape(std::move(out));
}

Shape withDim(const Shape& shape, std::size_t axis, Dim dim) {
    std::vector<Dim> dims = shape.dims();
    dims[axis] = std::move(dim);
    return Shape(std::move(dims));
}

AxesSource intsFrom(const InferContext& c, std::string_view attribute, std::size_t input) {
    if (const auto* ints = c.node().get<std::vector<std::int64_t>>(attribute)) return {true, *ints};
    if (c.hasInput(input)) return {true, c.inputInts(input)};
    return {};
}

Status inferSame(InferContext& c) {
    c.setOutput(0, c.inputType(0));
    return {};
}

Status inferSameFloat(InferContext& c) {
    HS_CHECK(wantFloat(c, 0));
    return inferSame(c);
}

Status inferUnknownTensor(InferContext& c) {
    c.setOutput(0, dtypeOf(c, 0), Shape());
    return {};
}

Status inferBroadcastBinary(InferContext& c) {
    HS_CHECK(wantSameDType(c, {0, 1}));
    Shape left = shapeOf(c, 0);
    Shape right = shapeOf(c, 1);
    if (c.node().opset < 7 && c.node().intOr("broadcast", 0) != 0 && left.ranked() && right.ranked()) {
        // Before opset 7 the second operand was laid along `axis` of the first; it never grows the result.
        const std::int64_t axis = c.node().intOr("axis", static_cast<std::int64_t>(left.rank()) - static_cast<std::int64_t>(right.rank()));
        if (axis < 0 || axis + static_cast<std::int64_t>(right.rank()) > static_cast<std::int64_t>(left.rank()))
            return bad(c, "shape {} does not fit into {} at axis {}", right.text(), left.text(), axis);
        std::vector<Dim> padded(left.rank(), Dim(1));
        std::copy(right.dims().begin(), right.dims().end(), padded.begin() + axis);
        right = Shape(std::move(padded));
    }
    HS_TRY(Shape out, broadcast(c, left, right));
    const DType type = dtypeOf(c, 0) != DType::Undefined ? dtypeOf(c, 0) : dtypeOf(c, 1);
    c.setOutput(0, type, std::move(out));
    return {};
}

}  // namespace hs::ops
