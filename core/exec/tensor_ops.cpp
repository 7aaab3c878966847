// SPDX-License-Identifier: Apache-2.0
#include "core/exec/tensor_ops.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace hs {
namespace {

/// Copies `count` elements; the types are equal and at least one byte wide.
void copyRun(const Tensor& from, std::int64_t fromAt, Tensor& to, std::int64_t toAt, std::int64_t count) {
    if (from.dtype() == DType::String) {
        const auto source = from.data<std::string>().subspan(static_cast<std::size_t>(fromAt), static_cast<std::size_t>(count));
        std::copy(source.begin(), source.end(), to.data<std::string>().begin() + toAt);
        return;
    }
    const std::size_t width = dtypeBytes(from.dtype(), 1);
    std::memcpy(static_cast<std::byte*>(to.raw()) + static_cast<std::size_t>(toAt) * width,
                static_cast<const std::byte*>(from.raw()) + static_cast<std::size_t>(fromAt) * width, static_cast<std::size_t>(count) * width);
}

std::int64_t product(const Dims& dims, std::size_t from, std::size_t to) {
    return std::accumulate(dims.begin() + static_cast<std::ptrdiff_t>(from), dims.begin() + static_cast<std::ptrdiff_t>(to), std::int64_t{1},
                           std::multiplies<>());
}

bool isSubByte(DType type) {
    return type != DType::String && dtypeBits(type) < 8;
}

}  // namespace

void copyElements(const Tensor& from, Tensor& to) {
    if (from.dtype() == DType::String) {
        copyRun(from, 0, to, 0, from.count());
    } else if (from.bytes() > 0) {
        std::memcpy(to.raw(), from.raw(), from.bytes());
    }
}

Result<Tensor> deepCopy(const Tensor& tensor) {
    if (!tensor.isTensor()) return tensor;  // its items have memory of their own
    HS_TRY(Tensor out, Tensor::allocate(tensor.dtype(), tensor.dims()));
    copyElements(tensor, out);
    return out;
}

Result<Tensor> sliceAt(const Tensor& tensor, std::size_t axis, std::int64_t index) {
    if (isSubByte(tensor.dtype())) return fail(ErrorCode::Unsupported, "", "cannot slice a tensor of {}", dtypeName(tensor.dtype()));
    Dims dims = tensor.dims();
    const std::int64_t size = dims[axis];
    const std::int64_t outer = product(dims, 0, axis);
    const std::int64_t inner = product(dims, axis + 1, dims.size());
    dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(axis));
    HS_TRY(Tensor out, Tensor::allocate(tensor.dtype(), dims));
    for (std::int64_t i = 0; i < outer; ++i)
        copyRun(tensor, (i * size + index) * inner, out, i * inner, inner);
    return out;
}

Result<Tensor> stack(std::span<const Tensor> parts, std::size_t axis) {
    const Tensor& first = parts.front();
    if (!std::all_of(parts.begin(), parts.end(), [](const Tensor& part) { return part.isTensor(); }))
        return fail(ErrorCode::BadInput, "", "a sequence or optional cannot be a scan output");
    if (isSubByte(first.dtype())) return fail(ErrorCode::Unsupported, "", "cannot stack tensors of {}", dtypeName(first.dtype()));
    if (axis > first.rank()) return fail(ErrorCode::BadInput, "", "axis {} is outside of rank {}", axis, first.rank() + 1);
    const auto size = static_cast<std::int64_t>(parts.size());
    const std::int64_t outer = product(first.dims(), 0, axis);
    const std::int64_t inner = product(first.dims(), axis, first.rank());
    Dims dims = first.dims();
    dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(axis), size);
    HS_TRY(Tensor out, Tensor::allocate(first.dtype(), dims));
    for (std::int64_t p = 0; p < size; ++p) {
        const Tensor& part = parts[static_cast<std::size_t>(p)];
        if (part.dtype() != first.dtype() || part.dims() != first.dims())
            return fail(ErrorCode::BadInput, "", "the shape of a scan output changes from {} to {} between iterations", first.type().text(),
                        part.type().text());
        for (std::int64_t i = 0; i < outer; ++i)
            copyRun(part, i * inner, out, (i * size + p) * inner, inner);
    }
    return out;
}

}  // namespace hs
