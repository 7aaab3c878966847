// SPDX-License-Identifier: Apache-2.0
#include "core/import/importer.h"
#include "core/import/tensor_proto.h"
#include "core/import/wire_io.h"

namespace hs {
namespace {

// Numbers of SequenceProto.DataType and OptionalProto.DataType that are read.
constexpr int kNothing = 0;
constexpr int kTensor = 1;
constexpr int kSequence = 3;

tl::unexpected<Error> notHeld(int kind) {
    return fail(ErrorCode::Unsupported, "", "what it holds (kind {}) is not supported: only tensors and sequences of tensors are", kind);
}

Result<Tensor> takeSequence(wire::SequenceProto& proto, DType element) {
    if (proto.elem_type() != kTensor && proto.elem_type() != kNothing) return notHeld(proto.elem_type());
    std::vector<Tensor> items;
    for (auto& each : *proto.mutable_tensor_values()) {
        HS_TRY(Tensor item, takeTensor(each, {}));
        if (!items.empty() && item.dtype() != items.front().dtype())
            return fail(ErrorCode::BadInput, "", "the items of a sequence are {} and {}: one type is allowed", dtypeName(items.front().dtype()),
                        dtypeName(item.dtype()));
        items.push_back(std::move(item));
    }
    if (!items.empty()) element = items.front().dtype();
    return Tensor::sequence(element, std::move(items));
}

Result<Tensor> takeOptional(wire::OptionalProto& proto, DType element) {
    if (proto.elem_type() == kTensor && proto.has_tensor_value()) return takeTensor(*proto.mutable_tensor_value(), {});
    if (proto.elem_type() == kSequence && proto.has_sequence_value()) return takeSequence(*proto.mutable_sequence_value(), element);
    if (proto.elem_type() == kNothing || proto.elem_type() == kTensor || proto.elem_type() == kSequence) return Tensor::none(element);
    return notHeld(proto.elem_type());
}

Result<Tensor> parseValue(std::span<const std::byte> bytes, const std::string& where, const ValueType& type) {
    if (type.kind == TypeKind::Sequence) {
        wire::SequenceProto proto;
        HS_CHECK(parseWire(bytes, where, "a serialized sequence", proto));
        return takeSequence(proto, type.dtype);
    }
    if (type.kind == TypeKind::Optional || type.kind == TypeKind::OptionalSequence) {
        wire::OptionalProto proto;
        HS_CHECK(parseWire(bytes, where, "a serialized optional", proto));
        return takeOptional(proto, type.dtype);
    }
    return fail(ErrorCode::Unsupported, "", "values of the type {} are not read from files", type.text());
}

}  // namespace

void fillTensor(wire::TensorProto& proto, const Tensor& tensor, bool withData) {
    proto.set_data_type(static_cast<int>(tensor.dtype()));
    proto.mutable_dims()->Assign(tensor.dims().begin(), tensor.dims().end());
    if (!withData) return;
    if (tensor.dtype() == DType::String) {
        for (const auto& text : tensor.data<std::string>())
            proto.add_string_data(text);
    } else if (tensor.bytes() != 0) {
        proto.set_raw_data(tensor.raw(), tensor.bytes());
    }
}

Result<Tensor> parseTensor(std::span<const std::byte> bytes, const std::string& where) {
    wire::TensorProto proto;
    HS_CHECK(parseWire(bytes, where, "a serialized tensor", proto));
    auto tensor = takeTensor(proto, {});
    if (tensor) return tensor;
    Error error = std::move(tensor).error();
    error.where = where;
    return tl::unexpected<Error>(std::move(error));
}

Result<Tensor> readTensorFile(const std::string& path) {
    HS_TRY(const auto file, MappedFile::open(path));
    return parseTensor(file->bytes(), path);
}

Result<Tensor> readValueFile(const std::string& path, const ValueType& type) {
    if (type.kind == TypeKind::Tensor) return readTensorFile(path);
    HS_TRY(const auto file, MappedFile::open(path));
    auto value = parseValue(file->bytes(), path, type);
    if (value || !value.error().where.empty()) return value;
    Error error = std::move(value).error();
    error.where = path;
    return tl::unexpected<Error>(std::move(error));
}

std::string serializeTensor(const Tensor& tensor, const std::string& name) {
    wire::TensorProto proto;
    proto.set_name(name);
    fillTensor(proto, tensor);
    return proto.SerializeAsString();
}

}  // namespace hs
