// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/graph/shape.h"

namespace hs {

/// A concrete value in host memory. Nearly always a tensor: element type, sizes and contiguous row-major data. Copies share
/// the data. Strings live as std::string objects; sub-byte types are packed, first element in the low bits.
/// The data may belong to the tensor, to a mapped file or to an arena; `owner` keeps it alive.
/// A value of the kind Sequence has items instead of data, and one of the kind Optional has neither: it is the empty optional.
/// (An optional that holds something is that something.)
class Tensor {
public:
    Tensor() = default;

    /// Uninitialised memory, 64-byte aligned (strings are empty). Fails over the element limit or when memory is out.
    static Result<Tensor> allocate(DType type, Dims dims);
    /// A view of memory that `owner` keeps alive (null: the caller guarantees it). `data` must hold the packed bytes.
    static Tensor borrow(DType type, Dims dims, void* data, std::shared_ptr<const void> owner = nullptr);

    /// A view of a file that `owner` keeps mapped, read-only and private.
    static Tensor mapped(DType type, Dims dims, const void* data, std::shared_ptr<const void> owner);
    /// Tensors of one element type, each with memory of its own (see owned()).
    static Tensor sequence(DType element, std::vector<Tensor> items);
    /// An optional without a value; `element` is the type that it would have.
    static Tensor none(DType element);

    template <class T>
    static Tensor of(Dims dims, std::span<const T> values);  ///< DType from T; copies the values.
    template <class T>
    static Tensor scalar(T value) {
        return of<T>({}, std::span<const T>(&value, 1));
    }

    bool valid() const { return m_type != DType::Undefined || m_kind != TypeKind::Tensor; }
    TypeKind kind() const { return m_kind; }  ///< Tensor, Sequence or Optional.
    bool isTensor() const { return m_kind == TypeKind::Tensor; }
    std::span<const Tensor> items() const;  ///< Of a sequence; empty for others.
    /// Does something keep the data alive? If not, it is memory that others will reuse.
    bool owned() const { return m_owner != nullptr; }
    DType dtype() const { return m_type; }
    const Dims& dims() const { return m_dims; }
    std::size_t rank() const { return m_dims.size(); }
    std::int64_t count() const { return m_count; }  ///< Elements.
    std::size_t bytes() const { return dtypeBytes(m_type, static_cast<std::size_t>(m_count)); }
    ValueType type() const;  ///< Of a sequence: with the shape that all its items have, if there is one.

    const void* raw() const { return m_data; }
    void* raw() { return m_data; }
    /// Tells the system that nobody will read the data soon, where it is a mapped file: the pages no longer count as resident
    /// and are fetched again when touched. Otherwise does nothing.
    void releasePages() const;
    /// Elements as T. T must fit the dtype (use std::uint16_t for f16/bf16, std::uint8_t for bool and packed types).
    template <class T>
    std::span<const T> data() const {
        return {static_cast<const T*>(m_data), static_cast<std::size_t>(m_count)};
    }
    template <class T>
    std::span<T> data() {
        return {static_cast<T*>(m_data), static_cast<std::size_t>(m_count)};
    }
    /// Same data under other sizes of equal product.
    Tensor reshaped(Dims dims) const;

private:
    DType m_type = DType::Undefined;
    TypeKind m_kind = TypeKind::Tensor;
    Dims m_dims;
    std::int64_t m_count = 0;
    void* m_data = nullptr;
    bool m_mapped = false;
    std::shared_ptr<const void> m_owner;  // of a sequence: its std::vector<Tensor>
};

template <class T>
struct DTypeOf;
// clang-format off
template <> struct DTypeOf<float> { static constexpr DType value = DType::F32; };
template <> struct DTypeOf<double> { static constexpr DType value = DType::F64; };
template <> struct DTypeOf<std::int8_t> { static constexpr DType value = DType::I8; };
template <> struct DTypeOf<std::int16_t> { static constexpr DType value = DType::I16; };
template <> struct DTypeOf<std::int32_t> { static constexpr DType value = DType::I32; };
template <> struct DTypeOf<std::int64_t> { static constexpr DType value = DType::I64; };
template <> struct DTypeOf<std::uint8_t> { static constexpr DType value = DType::U8; };
template <> struct DTypeOf<std::uint16_t> { static constexpr DType value = DType::U16; };
template <> struct DTypeOf<std::uint32_t> { static constexpr DType value = DType::U32; };
template <> struct DTypeOf<std::uint64_t> { static constexpr DType value = DType::U64; };
template <> struct DTypeOf<std::string> { static constexpr DType value = DType::String; };
// clang-format on

template <class T>
Tensor Tensor::of(Dims dims, std::span<const T> values) {
    Tensor out = allocate(DTypeOf<T>::value, std::move(dims)).value();
    auto to = out.data<T>();
    for (std::size_t i = 0; i < to.size(); ++i)
        to[i] = values[i];
    return out;
}

/// The values of an integer tensor (any integer type or bool) as int64; empty for other types.
std::vector<std::int64_t> toInt64s(const Tensor& tensor);

}  // namespace hs
