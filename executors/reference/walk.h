// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/graph/tensor.h"

namespace hs::ref {

/// Row-major strides in elements.
Dims stridesOf(const Dims& dims);

/// Product of dims[first, last); the tensor that they belong to must exist already, so it cannot overflow.
std::int64_t product(const Dims& dims, std::size_t first, std::size_t last);
inline std::int64_t product(const Dims& dims) {
    return product(dims, 0, dims.size());
}

/// Steps an index through dims in row-major order; false after the last one.
bool advance(Dims& index, const Dims& dims);

/// Copies elements of any type with a whole number of bytes, strings too.
class Mover {
public:
    Mover(const Tensor& from, Tensor& to);
    /// `n` neighbouring elements.
    void run(std::int64_t to, std::int64_t from, std::int64_t n) const;
    /// One element.
    void one(std::int64_t to, std::int64_t from) const { run(to, from, 1); }
    /// to[to … to+n) = from[from + i·step]
    void strided(std::int64_t to, std::int64_t from, std::int64_t step, std::int64_t n) const;

private:
    const Tensor& m_from;
    Tensor& m_to;
    std::size_t m_size;
};

/// Fills `to` in its order: element at index i comes from offset + Σ i[d]·strides[d] of `from`.
void copyStrided(const Tensor& from, std::int64_t offset, const Dims& strides, Tensor& to);

/// Copies all elements; same count and type.
void copyAll(const Tensor& from, Tensor& to);

/// All bytes zero, or empty strings.
void fillZero(Tensor& to);

/// A set of operands brought to one shape by ONNX multidirectional broadcasting (numpy's rule).
class Broadcast {
public:
    /// BadInput when the shapes do not fit. Adjacent dimensions that every operand walks evenly are merged.
    static Result<Broadcast> make(std::span<const Dims* const> operands);
    const Dims& dims() const { return m_dims; }

    /// Calls f(outputOffset, operandOffsets, count) for every innermost run; operand k moves by step(k) within it.
    template <class F>
    void rows(F&& f) const {
        if (m_total == 0) return;
        Dims index(m_outer.size(), 0);
        std::vector<std::int64_t> offsets(m_steps.size(), 0);
        std::int64_t out = 0;
        do {
            for (std::size_t k = 0; k < offsets.size(); ++k) {
                offsets[k] = 0;
                for (std::size_t d = 0; d < index.size(); ++d)
                    offsets[k] += index[d] * m_strides[k][d];
            }
            f(out, offsets.data(), m_inner);
            out += m_inner;
        } while (advance(index, m_outer));
    }
    std::int64_t step(std::size_t operand) const { return m_steps[operand]; }

private:
    Dims m_dims;   ///< Of the result.
    Dims m_outer;  ///< Merged, without the innermost.
    std::vector<Dims> m_strides;
    std::vector<std::int64_t> m_steps;
    std::int64_t m_inner = 1;
    std::int64_t m_total = 0;
};

}  // namespace hs::ref
