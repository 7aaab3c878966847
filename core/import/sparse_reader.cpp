// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "core/import/tensor_proto.h"

namespace hs {
namespace {

/// Position of each value in the dense tensor. `indices` is [NNZ] (linear) or [NNZ, rank].
Result<std::vector<std::int64_t>> linearIndices(const Tensor& indices, std::int64_t values, const Dims& dims, std::int64_t count) {
    const auto rank = static_cast<std::int64_t>(dims.size());
    const bool linear = indices.rank() == 1;
    if (indices.dtype() != DType::I64 || (linear ? indices.dims() != Dims{values} : indices.dims() != Dims{values, rank}))
        return fail(ErrorCode::BadInput, "", "indices of a sparse tensor must be int64[{0}] or int64[{0},{1}], not {2}{3}", values, rank,
                    dtypeName(indices.dtype()), toString(indices.dims()));
    std::vector<std::int64_t> out;
    out.reserve(static_cast<std::size_t>(values));
    const auto data = indices.data<std::int64_t>();
    for (std::int64_t i = 0; i < values; ++i) {
        std::int64_t at = linear ? data[static_cast<std::size_t>(i)] : 0;
        bool inside = at >= 0 && at < count;
        for (std::int64_t axis = 0; !linear && axis < rank; ++axis) {
            const std::int64_t index = data[static_cast<std::size_t>(i * rank + axis)];
            const std::int64_t size = dims[static_cast<std::size_t>(axis)];
            inside = inside && index >= 0 && index < size;
            if (inside) at = at * size + index;
        }
        if (!inside) return fail(ErrorCode::BadInput, "", "index {} of a sparse tensor lies outside its shape {}", i, toString(dims));
        out.push_back(at);
    }
    return out;
}

}  // namespace

Result<Tensor> takeSparseTensor(wire::SparseTensorProto& proto, TensorSource& source) {
    if (proto.dims_size() > kMaxRank) return fail(ErrorCode::BadInput, "", "rank {} is over the limit of {}", proto.dims_size(), kMaxRank);
    Dims dims(proto.dims().begin(), proto.dims().end());
    const auto count = elementCount(dims);
    if (!count) return fail(ErrorCode::BadInput, "", "impossible shape {}", toString(dims));
    HS_TRY(Tensor values, takeTensor(*proto.mutable_values(), source));
    HS_TRY(Tensor indices, takeTensor(*proto.mutable_indices(), source));
    if (values.rank() != 1) return fail(ErrorCode::BadInput, "", "values of a sparse tensor must have rank 1, not {}", values.rank());
    const auto bits = static_cast<std::size_t>(dtypeBits(values.dtype()));
    if (bits < 8) return fail(ErrorCode::Unsupported, "", "sparse tensors of {} are not supported", dtypeName(values.dtype()));
    const std::size_t bytes = dtypeBytes(values.dtype(), static_cast<std::size_t>(*count));
    if (bytes > source.denseBytesLeft)
        return fail(ErrorCode::Unsupported, "", "a sparse tensor of shape {} takes {} bytes when written out: too much with the others", toString(dims), bytes);
    source.denseBytesLeft -= bytes;
    HS_TRY(const auto places, linearIndices(indices, values.count(), dims, *count));
    HS_TRY(Tensor out, Tensor::allocate(values.dtype(), std::move(dims)));
    if (bytes != 0) std::memset(out.raw(), 0, bytes);
    const std::size_t size = bits / 8;
    for (std::size_t i = 0; i < places.size(); ++i)
        std::memcpy(static_cast<char*>(out.raw()) + static_cast<std::size_t>(places[i]) * size, static_cast<const char*>(values.raw()) + i * size, size);
    return out;
}

}  // namespace hs
