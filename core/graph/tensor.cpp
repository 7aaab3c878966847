// SPDX-License-Identifier: Apache-2.0
#include "core/graph/tensor.h"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

namespace hs {
namespace {

constexpr std::size_t kAlignment = 64;  // one cache line, and the widest vector register

template <class T>
std::vector<std::int64_t> widen(const Tensor& tensor) {
    const auto from = tensor.data<T>();
    return {from.begin(), from.end()};
}

}  // namespace

Result<Tensor> Tensor::allocate(DType type, Dims dims) {
    const auto count = elementCount(dims);
    if (!count) return fail(ErrorCode::OutOfMemory, "", "a tensor of shape {} is too large", toString(dims));
    Tensor out;
    out.m_type = type;
    out.m_count = *count;
    if (type == DType::String) {
        auto strings = std::make_shared<std::vector<std::string>>(static_cast<std::size_t>(*count));
        out.m_data = strings->data();
        out.m_owner = std::move(strings);
    } else {
        const std::size_t bytes = dtypeBytes(type, static_cast<std::size_t>(*count));
        void* memory = std::aligned_alloc(kAlignment, (bytes / kAlignment + 1) * kAlignment);
        if (memory == nullptr)
            return fail(ErrorCode::OutOfMemory, "", "no memory for a tensor of {} bytes, shape {}: use a smaller batch or model", bytes, toString(dims));
        out.m_data = memory;
        out.m_owner = std::shared_ptr<const void>(memory, [](const void* p) { std::free(const_cast<void*>(p)); });
    }
    out.m_dims = std::move(dims);
    return out;
}

Tensor Tensor::borrow(DType type, Dims dims, void* data, std::shared_ptr<const void> owner) {
    Tensor out;
    out.m_type = type;
    out.m_count = elementCount(dims).value_or(0);
    out.m_dims = std::move(dims);
    out.m_data = data;
    out.m_owner = std::move(owner);
    return out;
}

Tensor Tensor::mapped(DType type, Dims dims, const void* data, std::shared_ptr<const void> owner) {
    // Tensor offers a writable pointer, which nobody uses on what a model file holds.
    Tensor out = borrow(type, std::move(dims), const_cast<void*>(data), std::move(owner));
    out.m_mapped = true;
    return out;
}

void Tensor::releasePages() const {
    if (!m_mapped) return;
    // Only whole pages inside: neighbours in the file may be another tensor's, still in use.
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    const auto start = reinterpret_cast<std::uintptr_t>(m_data);
    const std::uintptr_t first = (start + page - 1) / page * page;
    const std::uintptr_t end = (start + bytes()) / page * page;
    if (first < end) static_cast<void>(::madvise(reinterpret_cast<void*>(first), end - first, MADV_DONTNEED));
}

Tensor Tensor::sequence(DType element, std::vector<Tensor> items) {
    Tensor out;
    out.m_type = element;
    out.m_kind = TypeKind::Sequence;
    out.m_owner = std::make_shared<const std::vector<Tensor>>(std::move(items));
    return out;
}

Tensor Tensor::none(DType element) {
    Tensor out;
    out.m_type = element;
    out.m_kind = TypeKind::Optional;
    return out;
}

std::span<const Tensor> Tensor::items() const {
    if (m_kind != TypeKind::Sequence) return {};
    return *static_cast<const std::vector<Tensor>*>(m_owner.get());
}

ValueType Tensor::type() const {
    if (m_kind == TypeKind::Tensor) return {TypeKind::Tensor, m_type, Shape::of(m_dims)};
    const auto all = items();
    const bool same = !all.empty() && std::all_of(all.begin(), all.end(), [&](const Tensor& item) { return item.dims() == all.front().dims(); });
    return {m_kind, m_type, same ? Shape::of(all.front().dims()) : Shape()};
}

Tensor Tensor::reshaped(Dims dims) const {
    Tensor out = *this;
    out.m_dims = std::move(dims);
    return out;
}

std::vector<std::int64_t> toInt64s(const Tensor& tensor) {
    switch (tensor.dtype()) {
        case DType::I64: return widen<std::int64_t>(tensor);
        case DType::I32: return widen<std::int32_t>(tensor);
        case DType::I16: return widen<std::int16_t>(tensor);
        case DType::I8: return widen<std::int8_t>(tensor);
        case DType::U64: return widen<std::uint64_t>(tensor);
        case DType::U32: return widen<std::uint32_t>(tensor);
        case DType::U16: return widen<std::uint16_t>(tensor);
        case DType::U8:
        case DType::Bool: return widen<std::uint8_t>(tensor);
        default: return {};
    }
}

}  // namespace hs
