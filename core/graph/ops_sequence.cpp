// SPDX-License-Identifier: Apache-2.0
// Sequences and optionals: the element's type, and its shape as far as all elements agree.
#include "core/graph/ops.h"

namespace hs::ops {
namespace {

Status wantSequence(const InferContext& c, std::size_t i) {
    const ValueType& type = c.inputType(i);
    const bool isUnknown = type.dtype == DType::Undefined && !type.shape.ranked();
    if (type.kind != TypeKind::Sequence && !isUnknown) return bad(c, "input {} is {}, a sequence is needed", i, type.text());
    return {};
}

ValueType sequenceOf(DType type, Shape element) {
    return {TypeKind::Sequence, type, std::move(element)};
}

ValueType element(const ValueType& sequence) {
    return {TypeKind::Tensor, sequence.dtype, sequence.shape};
}

Status inferSequenceEmpty(InferContext& c) {
    const auto type = dtypeFromOnnx(c.node().intOr("dtype", 1));
    if (!type) return bad(c, "dtype names no known element type");
    c.setOutput(0, sequenceOf(*type, Shape()));
    return {};
}

Status inferSequenceConstruct(InferContext& c) {
    Shape shape = shapeOf(c, 0);
    for (std::size_t i = 1; i < c.inputCount(); ++i) {
        HS_CHECK(wantSameDType(c, {0, i}));
        shape = generalise(shape, shapeOf(c, i));
    }
    c.setOutput(0, sequenceOf(dtypeOf(c, 0), std::move(shape)));
    return {};
}

Status inferSequenceInsert(InferContext& c) {
    HS_CHECK(wantSequence(c, 0));
    HS_CHECK(wantSameDType(c, {0, 1}));
    // An empty sequence knows nothing of its elements' shapes, so only agreement is kept.
    c.setOutput(0, sequenceOf(dtypeOf(c, 1), generalise(shapeOf(c, 0), shapeOf(c, 1))));
    return {};
}

Status inferSequenceErase(InferContext& c) {
    HS_CHECK(wantSequence(c, 0));
    return inferSame(c);
}

Status inferSequenceAt(InferContext& c) {
    HS_CHECK(wantSequence(c, 0));
    c.setOutput(0, element(c.inputType(0)));
    return {};
}

Status inferSequenceLength(InferContext& c) {
    HS_CHECK(wantSequence(c, 0));
    c.setOutput(0, DType::I64, Shape::scalar());
    return {};
}

/// Part sizes in input 1 (scalar or vector), or single slices, whose axis keepdims 0 drops.
Status inferSplitToSequence(InferContext& c) {
    Shape shape = shapeOf(c, 0);
    if (shape.ranked()) {
        HS_TRY(const std::size_t axis, axisOf(c, c.node().intOr("axis", 0), shape.rank()));
        if (!c.hasInput(1) && c.node().intOr("keepdims", 1) == 0) {
            std::vector<Dim> dims = shape.dims();
            dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(axis));
            shape = Shape(std::move(dims));
        } else {
            shape = withDim(shape, axis, c.hasInput(1) ? Dim() : Dim(1));
        }
    }
    c.setOutput(0, sequenceOf(dtypeOf(c, 0), std::move(shape)));
    return {};
}

Status inferConcatFromSequence(InferContext& c) {
    HS_CHECK(wantSequence(c, 0));
    const Shape& shape = shapeOf(c, 0);
    const bool fresh = c.node().intOr("new_axis", 0) != 0;
    if (!shape.ranked()) {
        c.setOutput(0, dtypeOf(c, 0), Shape());
        return {};
    }
    HS_TRY(const std::size_t axis, axisOf(c, c.node().intOr("axis", 0), shape.rank() + (fresh ? 1 : 0)));
    std::vector<Dim> dims = shape.dims();
    if (fresh)
        dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(axis), Dim());
    else
        dims[axis] = Dim();
    c.setOutput(0, dtypeOf(c, 0), Shape(std::move(dims)));
    return {};
}

Status inferOptional(InferContext& c) {
    ValueType type = c.inputType(0);
    if (!c.hasInput(0)) {
        const auto* declared = c.node().get<ValueType>("type");
        if (declared == nullptr) return bad(c, "an empty optional needs the attribute \"type\"");
        type = *declared;
    }
    type.kind = type.kind == TypeKind::Sequence || type.kind == TypeKind::OptionalSequence ? TypeKind::OptionalSequence : TypeKind::Optional;
    c.setOutput(0, std::move(type));
    return {};
}

Status inferOptionalGet(InferContext& c) {
    ValueType type = c.inputType(0);
    type.kind = type.kind == TypeKind::OptionalSequence || type.kind == TypeKind::Sequence ? TypeKind::Sequence : TypeKind::Tensor;
    c.setOutput(0, std::move(type));
    return {};
}

Status inferOptionalHas(InferContext& c) {
    c.setOutput(0, DType::Bool, Shape::scalar());
    return {};
}

}  // namespace

void registerSequence(OpRegistry& r) {
    defineAnyKind(r, "SequenceEmpty", {0, 0}, inferSequenceEmpty, noFlops);
    defineAnyKind(r, "SequenceConstruct", {1, kMany}, inferSequenceConstruct, noFlops);
    defineAnyKind(r, "SequenceInsert", {2, 3}, inferSequenceInsert, noFlops);
    defineAnyKind(r, "SequenceErase", {1, 2}, inferSequenceErase, noFlops);
    defineAnyKind(r, "SequenceAt", {2, 2}, inferSequenceAt, noFlops);
    defineAnyKind(r, "SequenceLength", {1, 1}, inferSequenceLength, noFlops);
    defineAnyKind(r, "SplitToSequence", {1, 2}, inferSplitToSequence, noFlops);
    defineAnyKind(r, "ConcatFromSequence", {1, 1}, inferConcatFromSequence, noFlops);
    defineAnyKind(r, "Optional", {0, 1}, inferOptional, noFlops);
    defineAnyKind(r, "OptionalGetElement", {1, 1}, inferOptionalGet, noFlops);
    defineAnyKind(r, "OptionalHasElement", {0, 1}, inferOptionalHas, noFlops);
}

}  // namespace hs::ops
