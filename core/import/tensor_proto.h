// SPDX-License-Identifier: Apache-2.0
// Private to core/import.
#pragma once

#include <cstdint>

#include "core/graph/tensor.h"
#include "core/import/external_data.h"
#include "core/import/onnx_wire.pb.h"

namespace hs {

/// What a tensor message may refer to and how large it may be.
struct TensorSource {
    ExternalData* external = nullptr;  ///< Null: external data is refused.
    std::uint64_t maxBytes = std::uint64_t{1} << 40;
    std::uint64_t denseBytesLeft = 0;  ///< For all sparse tensors together.
};

/// Takes the tensor out of the message: its raw data is moved, not copied. Sizes are checked before anything is allocated.
/// Errors (BadInput, Unsupported) have no place; the caller adds it.
Result<Tensor> takeTensor(wire::TensorProto& proto, const TensorSource& source);

/// A sparse tensor written out in full, as far as the source has bytes left for that.
Result<Tensor> takeSparseTensor(wire::SparseTensorProto& proto, TensorSource& source);

/// Fills type, sizes and data (raw, strings as string_data). `withData` off leaves the data out, for external storage.
void fillTensor(wire::TensorProto& proto, const Tensor& tensor, bool withData = true);

}  // namespace hs
