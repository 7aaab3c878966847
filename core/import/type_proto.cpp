// SPDX-License-Identifier: Apache-2.0
#include "core/import/type_proto.h"

namespace hs {
namespace {

Result<Shape> readShape(const wire::ShapeProto& proto) {
    if (proto.dim_size() > kMaxRank) return fail(ErrorCode::BadInput, "", "rank {} is over the limit of {}", proto.dim_size(), kMaxRank);
    std::vector<Dim> dims;
    Dims known;
    for (const auto& dim : proto.dim()) {
        if (dim.value_case() == wire::ShapeProto::Dimension::kDimParam) {
            dims.emplace_back(dim.dim_param());
        } else if (dim.value_case() == wire::ShapeProto::Dimension::kDimValue && dim.dim_value() != -1) {
            if (dim.dim_value() < 0) return fail(ErrorCode::BadInput, "", "negative dimension {}", dim.dim_value());
            dims.emplace_back(dim.dim_value());
            if (dim.dim_value() > 0) known.push_back(dim.dim_value());
        } else {
            dims.emplace_back();
        }
    }
    // Also where other dimensions are open: what is known already says that no run can hold the value.
    if (!elementCount(known)) return fail(ErrorCode::BadInput, "", "shape {} is too large", Shape(dims).text());
    return Shape(std::move(dims));
}

Result<ValueType> readTensorType(const wire::TypeProto::Tensor& proto, TypeKind kind) {
    ValueType out;
    out.kind = kind;
    if (proto.elem_type() != 0) {
        const auto dtype = dtypeFromOnnx(proto.elem_type());
        if (!dtype) return fail(ErrorCode::BadInput, "", "unknown element type {}", proto.elem_type());
        out.dtype = *dtype;
    }
    if (proto.has_shape()) {
        HS_TRY(out.shape, readShape(proto.shape()));
    }
    return out;
}

/// The type of a container: that of its tensor element, marked with the container's kind.
Result<ValueType> readElement(const wire::TypeProto& element, TypeKind kind) {
    if (!element.has_tensor_type() && element.value_case() != wire::TypeProto::VALUE_NOT_SET)
        return fail(ErrorCode::Unsupported, "", "nested container types beyond optional(sequence(tensor)) are not supported");
    return readTensorType(element.tensor_type(), kind);
}

}  // namespace

Result<ValueType> readType(const wire::TypeProto& proto) {
    switch (proto.value_case()) {
        case wire::TypeProto::kTensorType: return readTensorType(proto.tensor_type(), TypeKind::Tensor);
        case wire::TypeProto::kSparseTensorType: return readTensorType(proto.sparse_tensor_type(), TypeKind::SparseTensor);
        case wire::TypeProto::kSequenceType: return readElement(proto.sequence_type().elem_type(), TypeKind::Sequence);
        case wire::TypeProto::kMapType: return readElement(proto.map_type().value_type(), TypeKind::Map);
        case wire::TypeProto::kOptionalType: {
            const auto& element = proto.optional_type().elem_type();
            if (element.has_sequence_type()) return readElement(element.sequence_type().elem_type(), TypeKind::OptionalSequence);
            return readElement(element, TypeKind::Optional);
        }
        case wire::TypeProto::kOpaqueType: return fail(ErrorCode::Unsupported, "", "opaque type {} is not supported", proto.opaque_type().name());
        case wire::TypeProto::VALUE_NOT_SET: break;
    }
    return ValueType{};
}

void fillType(wire::TypeProto& proto, const ValueType& type) {
    const auto fillTensorType = [&](wire::TypeProto::Tensor& tensor) {
        tensor.set_elem_type(static_cast<int>(type.dtype));
        if (!type.shape.ranked()) return;
        auto* shape = tensor.mutable_shape();
        for (const Dim& dim : type.shape.dims()) {
            auto* out = shape->add_dim();
            if (dim.known()) out->set_dim_value(dim.value());
            if (dim.symbolic()) out->set_dim_param(dim.symbol());
        }
    };
    constexpr int kInt64Key = 7;
    switch (type.kind) {
        case TypeKind::Tensor: return fillTensorType(*proto.mutable_tensor_type());
        case TypeKind::SparseTensor: return fillTensorType(*proto.mutable_sparse_tensor_type());
        case TypeKind::Sequence: return fillTensorType(*proto.mutable_sequence_type()->mutable_elem_type()->mutable_tensor_type());
        case TypeKind::Optional: return fillTensorType(*proto.mutable_optional_type()->mutable_elem_type()->mutable_tensor_type());
        case TypeKind::OptionalSequence:
            return fillTensorType(*proto.mutable_optional_type()->mutable_elem_type()->mutable_sequence_type()->mutable_elem_type()->mutable_tensor_type());
        case TypeKind::Map:
            proto.mutable_map_type()->set_key_type(kInt64Key);
            return fillTensorType(*proto.mutable_map_type()->mutable_value_type()->mutable_tensor_type());
    }
}

}  // namespace hs
