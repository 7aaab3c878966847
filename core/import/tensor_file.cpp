// SPDX-License-Identifier: Apache-2.0
#include "core/import/importer.h"
#include "core/import/tensor_proto.h"
#include "core/import/wire_io.h"

namespace hs {

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

std::string serializeTensor(const Tensor& tensor, const std::string& name) {
    wire::TensorProto proto;
    proto.set_name(name);
    fillTensor(proto, tensor);
    return proto.SerializeAsString();
}

}  // namespace hs
