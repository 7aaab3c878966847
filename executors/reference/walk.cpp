// SPDX-License-Identifier: Apache-2.0
#include "executors/reference/walk.h"

#include <algorithm>
#include <cstring>

namespace hs::ref {

Dims stridesOf(const Dims& dims) {
    Dims strides(dims.size());
    std::int64_t step = 1;
    for (std::size_t d = dims.size(); d-- > 0;) {
        strides[d] = step;
        step *= std::max<std::int64_t>(dims[d], 1);
    }
    return strides;
}

std::int64_t product(const Dims& dims, std::size_t first, std::size_t last) {
    std::int64_t out = 1;
    for (std::size_t d = first; d < last; ++d)
        if (dims[d] == 0) return 0;
    for (std::size_t d = first; d < last; ++d)
        out *= dims[d];
    return out;
}

bool advance(Dims& index, const Dims& dims) {
    for (std::size_t d = dims.size(); d-- > 0;) {
        if (++index[d] < dims[d]) return true;
        index[d] = 0;
    }
    return false;
}

Mover::Mover(const Tensor& from, Tensor& to) : m_from(from), m_to(to), m_size(static_cast<std::size_t>(dtypeBits(from.dtype())) / 8) {}

void Mover::run(std::int64_t to, std::int64_t from, std::int64_t n) const {
    if (n <= 0) return;
    if (m_from.dtype() == DType::String) {
        std::copy_n(m_from.data<std::string>().begin() + from, n, m_to.data<std::string>().begin() + to);
        return;
    }
    const auto* source = static_cast<const char*>(m_from.raw()) + static_cast<std::size_t>(from) * m_size;
    auto* target = static_cast<char*>(m_to.raw()) + static_cast<std::size_t>(to) * m_size;
    std::memcpy(target, source, static_cast<std::size_t>(n) * m_size);
}

namespace {

template <class T>
void stridedCopy(const Tensor& from, Tensor& to, std::int64_t at, std::int64_t source, std::int64_t step, std::int64_t n) {
    const T* s = static_cast<const T*>(from.raw()) + source;
    T* t = static_cast<T*>(to.raw()) + at;
    for (std::int64_t i = 0; i < n; ++i)
        t[i] = s[i * step];
}

}  // namespace

void Mover::strided(std::int64_t to, std::int64_t from, std::int64_t step, std::int64_t n) const {
    if (step == 1) return run(to, from, n);
    if (m_from.dtype() == DType::String) {
        for (std::int64_t i = 0; i < n; ++i)
            one(to + i, from + i * step);
        return;
    }
    switch (m_size) {
        case 1: return stridedCopy<std::uint8_t>(m_from, m_to, to, from, step, n);
        case 2: return stridedCopy<std::uint16_t>(m_from, m_to, to, from, step, n);
        case 4: return stridedCopy<std::uint32_t>(m_from, m_to, to, from, step, n);
        case 8: return stridedCopy<std::uint64_t>(m_from, m_to, to, from, step, n);
        default:
            for (std::int64_t i = 0; i < n; ++i)
                one(to + i, from + i * step);
    }
}

void copyStrided(const Tensor& from, std::int64_t offset, const Dims& strides, Tensor& to) {
    if (to.count() == 0) return;
    const Mover mover(from, to);
    const Dims& dims = to.dims();
    if (dims.empty()) return mover.one(0, offset);
    const Dims outer(dims.begin(), dims.end() - 1);
    Dims index(outer.size(), 0);
    std::int64_t at = 0;
    do {
        std::int64_t source = offset;
        for (std::size_t d = 0; d < outer.size(); ++d)
            source += index[d] * strides[d];
        mover.strided(at, source, strides.back(), dims.back());
        at += dims.back();
    } while (advance(index, outer));
}

void copyAll(const Tensor& from, Tensor& to) {
    Mover(from, to).run(0, 0, from.count());
}

void fillZero(Tensor& to) {
    if (to.dtype() == DType::String)
        std::ranges::fill(to.data<std::string>(), std::string());
    else if (to.bytes() != 0)
        std::memset(to.raw(), 0, to.bytes());
}

Result<Broadcast> Broadcast::make(std::span<const Dims* const> operands) {
    Broadcast out;
    std::size_t rank = 0;
    for (const Dims* dims : operands)
        rank = std::max(rank, dims->size());
    out.m_dims.assign(rank, 1);
    for (const Dims* dims : operands) {
        for (std::size_t d = 0; d < dims->size(); ++d) {
            std::int64_t& size = out.m_dims[rank - dims->size() + d];
            if ((*dims)[d] != 1 && size != 1 && size != (*dims)[d])
                return fail(ErrorCode::BadInput, "", "shapes {} and {} cannot be broadcast to each other", toString(*operands.front()), toString(*dims));
            if ((*dims)[d] != 1) size = (*dims)[d];
        }
    }
    const auto total = elementCount(out.m_dims);
    if (!total) return fail(ErrorCode::OutOfMemory, "", "the broadcast shape {} is too large", toString(out.m_dims));
    out.m_total = *total;
    if (out.m_total == 0) {
        out.m_steps.assign(operands.size(), 0);
        out.m_strides.assign(operands.size(), {});
        return out;
    }

    std::vector<Dims> full;
    for (const Dims* dims : operands) {
        const Dims own = stridesOf(*dims);
        Dims strides(rank, 0);
        for (std::size_t d = 0; d < dims->size(); ++d)
            strides[rank - dims->size() + d] = (*dims)[d] == 1 ? 0 : own[d];
        full.push_back(std::move(strides));
    }
    // Merge from the innermost outwards: dimension d joins the one inside it when every operand steps over it evenly.
    Dims sizes;
    std::vector<Dims> merged(operands.size());
    for (std::size_t d = rank; d-- > 0;) {
        if (out.m_dims[d] == 1) continue;
        bool joins = !sizes.empty();
        for (std::size_t k = 0; k < operands.size() && joins; ++k)
            joins = full[k][d] == merged[k].back() * sizes.back();
        if (joins) {
            sizes.back() *= out.m_dims[d];
            continue;
        }
        sizes.push_back(out.m_dims[d]);
        for (std::size_t k = 0; k < operands.size(); ++k)
            merged[k].push_back(full[k][d]);
    }
    out.m_inner = sizes.empty() ? 1 : sizes.front();
    for (Dims& strides : merged) {
        out.m_steps.push_back(strides.empty() ? 0 : strides.front());
        out.m_strides.emplace_back(strides.rbegin(), strides.rend() - (strides.empty() ? 0 : 1));
    }
    out.m_outer.assign(sizes.rbegin(), sizes.rend() - (sizes.empty() ? 0 : 1));
    return out;
}

}  // namespace hs::ref
