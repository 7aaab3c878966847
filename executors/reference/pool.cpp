// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>

#include "executors/reference/convert.h"
#include "executors/reference/registry.h"
#include "executors/reference/walk.h"
#include "executors/reference/window.h"

namespace hs::ref {
namespace {

struct PoolShape {
    Window window;
    Dims input, output, result;
    std::int64_t planes = 0;  ///< batch × channels
};

Result<PoolShape> poolShape(const Call& c) {
    const Dims& x = c.dims(0);
    if (x.size() < 3) return c.bad("the input must have rank 3 or more, not {}", toString(x));
    PoolShape s;
    s.input.assign(x.begin() + 2, x.end());
    HS_TRY(s.window, Window::make(c, s.input, c.node().intsOr("kernel_shape")));
    HS_TRY(s.output, s.window.slide(c, s.input, c.node().intOr("ceil_mode", 0) != 0));
    s.result = {x[0], x[1]};
    s.result.insert(s.result.end(), s.output.begin(), s.output.end());
    if (!elementCount(s.result)) return c.bad("the output {} is too large", toString(s.result));
    s.planes = product(x, 0, 2);
    return s;
}

/// Calls f(outputIndex, inputOffsets) for each window, with the offsets inside one plane that are not padding.
template <class F>
void windows(const PoolShape& s, F&& f) {
    if (product(s.output) == 0) return;
    const Dims strides = stridesOf(s.input);
    Dims index(s.output.size(), 0);
    std::int64_t at = 0;
    std::vector<std::int64_t> offsets;
    do {
        offsets.clear();
        Dims low(s.output.size());
        Dims size(s.output.size());
        bool some = true;
        for (std::size_t d = 0; d < index.size(); ++d) {
            const std::int64_t start = index[d] * s.window.strides[d] - s.window.padBegin[d];
            const std::int64_t step = s.window.dilations[d];
            const std::int64_t first = start >= 0 ? 0 : (-start + step - 1) / step;
            std::int64_t last = s.window.kernel[d];
            if (start + (last - 1) * step >= s.input[d]) last = start >= s.input[d] ? 0 : (s.input[d] - 1 - start) / step + 1;
            low[d] = start + first * step;
            size[d] = last - first;
            some = some && size[d] > 0;
        }
        if (some) {
            Dims tap(index.size(), 0);
            do {
                std::int64_t offset = 0;
                for (std::size_t d = 0; d < tap.size(); ++d)
                    offset += (low[d] + tap[d] * s.window.dilations[d]) * strides[d];
                offsets.push_back(offset);
            } while (advance(tap, size));
        }
        f(at++, index, offsets);
    } while (advance(index, s.output));
}

template <class T>
Status maxPoolAs(Call& c, const PoolShape& s, Tensor& y, Tensor* indices) {
    const std::int64_t plane = product(s.input);
    const std::int64_t outPlane = product(s.output);
    const T* x = c.in(0).data<T>().data();
    T* out = y.data<T>().data();
    const bool columnMajor = c.node().intOr("storage_order", 0) != 0;
    Dims columnStrides(s.input.size(), 1);
    for (std::size_t d = 1; d < s.input.size(); ++d)
        columnStrides[d] = columnStrides[d - 1] * s.input[d - 1];
    const Dims rowStrides = stridesOf(s.input);
    windows(s, [&](std::int64_t at, const Dims&, const std::vector<std::int64_t>& offsets) {
        for (std::int64_t p = 0; p < s.planes; ++p) {
            T best = std::numeric_limits<T>::lowest();
            std::int64_t where = offsets.empty() ? 0 : offsets.front();
            bool first = true;
            for (const std::int64_t offset : offsets) {
                const T v = x[p * plane + offset];
                if (first || v > best || (v != v && best == best)) {
                    best = v;
                    where = offset;
                    first = false;
                }
            }
            out[p * outPlane + at] = best;
            if (indices == nullptr) continue;
            std::int64_t flat = where;
            if (columnMajor) {
                flat = 0;
                for (std::size_t d = 0; d < rowStrides.size(); ++d)
                    flat += where / rowStrides[d] % s.input[d] * columnStrides[d];
            }
            indices->data<std::int64_t>()[static_cast<std::size_t>(p * outPlane + at)] = p * plane + flat;
        }
    });
    return {};
}

Status maxPool(Call& c) {
    HS_CHECK(c.need(1));
    HS_TRY(const PoolShape s, poolShape(c));
    HS_TRY(Tensor * y, c.outT(0, s.result));
    Tensor* indices = nullptr;
    if (c.wants(1)) {
        HS_TRY(indices, c.out(1, DType::I64, s.result));
    }
    switch (c.in(0).dtype()) {
        case DType::F32: return maxPoolAs<float>(c, s, *y, indices);
        case DType::F64: return maxPoolAs<double>(c, s, *y, indices);
        case DType::I64: return maxPoolAs<std::int64_t>(c, s, *y, indices);
        default: return c.noType(c.in(0).dtype());
    }
}

/// The padded elements that a window covers: those beyond the end padding (ceil_mode) do not count.
double paddedCount(const PoolShape& s, const Dims& index) {
    double count = 1;
    for (std::size_t d = 0; d < index.size(); ++d) {
        const std::int64_t start = index[d] * s.window.strides[d] - s.window.padBegin[d];
        const std::int64_t room = s.input[d] + s.window.padEnd[d] - start;
        const std::int64_t step = s.window.dilations[d];
        count *= static_cast<double>(std::min(s.window.kernel[d], (room + step - 1) / step));
    }
    return count;
}

/// Reduces each window with add(sum, x) and done(sum, count).
template <class T, class Add, class Done>
void reduceWindows(const PoolShape& s, const Tensor& from, Tensor& to, bool countPadding, Add add, Done done) {
    const std::int64_t plane = product(s.input);
    const std::int64_t outPlane = product(s.output);
    const T* x = from.data<T>().data();
    T* out = to.data<T>().data();
    windows(s, [&](std::int64_t at, const Dims& index, const std::vector<std::int64_t>& offsets) {
        const double count = countPadding ? paddedCount(s, index) : static_cast<double>(offsets.size());
        for (std::int64_t p = 0; p < s.planes; ++p) {
            double sum = 0;
            for (const std::int64_t offset : offsets)
                sum = add(sum, static_cast<double>(x[p * plane + offset]));
            out[p * outPlane + at] = static_cast<T>(done(sum, count));
        }
    });
}

template <class Add, class Done>
Status reducePool(Call& c, bool countPadding, Add add, Done done) {
    HS_CHECK(c.need(1));
    HS_TRY(const PoolShape s, poolShape(c));
    HS_TRY(Tensor * y, c.outT(0, s.result));
    if (c.in(0).dtype() == DType::F32)
        reduceWindows<float>(s, c.in(0), *y, countPadding, add, done);
    else if (c.in(0).dtype() == DType::F64)
        reduceWindows<double>(s, c.in(0), *y, countPadding, add, done);
    else
        return c.noType(c.in(0).dtype());
    return {};
}

Status averagePool(Call& c) {
    const bool countPadding = c.node().intOr("count_include_pad", 0) != 0;
    return reducePool(
        c, countPadding, [](double sum, double v) { return sum + v; }, [](double sum, double count) { return count > 0 ? sum / count : 0.0; });
}

Status lpPool(Call& c) {
    const double p = c.opset() < 2 ? c.node().floatOr("p", 2.0F) : static_cast<double>(c.node().intOr("p", 2));
    if (p <= 0) return c.bad("p must be positive");
    return reducePool(
        c, false, [=](double sum, double v) { return sum + std::pow(std::fabs(v), p); }, [=](double sum, double) { return std::pow(sum, 1 / p); });
}

/// Pools over all spatial dimensions at once.
template <class T, class F>
void globalAs(const Tensor& from, Tensor& to, F f) {
    const std::int64_t plane = product(from.dims(), 2, from.rank());
    const T* x = from.data<T>().data();
    auto out = to.data<T>();
    for (std::size_t p = 0; p < out.size(); ++p)
        out[p] = static_cast<T>(f(x + static_cast<std::int64_t>(p) * plane, plane));
}

template <class F>
Status global(Call& c, F f) {
    HS_CHECK(c.need(1));
    Dims dims = c.dims(0);
    if (dims.size() < 2) return c.bad("the input must have rank 2 or more");
    if (product(dims, 2, dims.size()) == 0) return c.bad("the input {} has no elements to pool", toString(dims));
    std::fill(dims.begin() + 2, dims.end(), 1);
    HS_TRY(Tensor * y, c.outT(0, dims));
    if (c.in(0).dtype() == DType::F32)
        globalAs<float>(c.in(0), *y, f);
    else if (c.in(0).dtype() == DType::F64)
        globalAs<double>(c.in(0), *y, f);
    else
        return c.noType(c.in(0).dtype());
    return {};
}

Status globalAveragePool(Call& c) {
    return global(c, [](const auto* x, std::int64_t n) {
        double sum = 0;
        for (std::int64_t i = 0; i < n; ++i)
            sum += static_cast<double>(x[i]);
        return sum / static_cast<double>(n);
    });
}
Status globalMaxPool(Call& c) {
    return global(c, [](const auto* x, std::int64_t n) {
        auto best = x[0];
        for (std::int64_t i = 1; i < n; ++i)
            if (x[i] > best || x[i] != x[i]) best = x[i];
        return static_cast<double>(best);
    });
}
Status globalLpPool(Call& c) {
    const double p = c.opset() < 2 ? c.node().floatOr("p", 2.0F) : static_cast<double>(c.node().intOr("p", 2));
    if (p <= 0) return c.bad("p must be positive");
    return global(c, [=](const auto* x, std::int64_t n) {
        double sum = 0;
        for (std::int64_t i = 0; i < n; ++i)
            sum += std::pow(std::fabs(static_cast<double>(x[i])), p);
        return std::pow(sum, 1 / p);
    });
}

/// Puts each value at the flat place that MaxPool's indices name, zero elsewhere.
Status maxUnpool(Call& c) {
    HS_CHECK(c.need(2));
    const Dims& x = c.dims(0);
    if (x.size() < 3 || c.dims(1) != x) return c.bad("indices {} do not match the input {}", toString(c.dims(1)), toString(x));
    HS_TRY(const Window window, Window::make(c, Dims(x.begin() + 2, x.end()), c.node().intsOr("kernel_shape")));
    Dims natural = {x[0], x[1]};
    for (std::size_t d = 0; d < window.rank(); ++d)
        natural.push_back((x[d + 2] - 1) * window.strides[d] + window.kernel[d] - window.padBegin[d] - window.padEnd[d]);
    Dims dims = natural;
    if (c.has(2)) {
        HS_TRY(dims, c.ints(2));
    }
    if (dims.size() != x.size() || !elementCount(dims)) return c.bad("the output shape {} does not fit", toString(dims));
    HS_TRY(const std::vector<std::int64_t> indices, c.ints(1));
    HS_TRY(Tensor * y, c.outT(0, dims));
    fillZero(*y);
    const Mover mover(c.in(0), *y);
    const Dims from = stridesOf(natural);
    const Dims to = stridesOf(dims);
    for (std::size_t i = 0; i < indices.size(); ++i) {
        std::int64_t flat = indices[i];
        if (flat < 0 || flat >= product(natural)) return c.bad("index {} is out of range", flat);
        std::int64_t at = 0;
        for (std::size_t d = 0; d < dims.size(); ++d) {
            const std::int64_t place = flat / from[d] % natural[d];
            if (place >= dims[d]) return c.bad("index {} is outside of the output", flat);
            at += place * to[d];
        }
        mover.one(at, static_cast<std::int64_t>(i));
    }
    return {};
}

const Operator kOperators[] = {
    {"MaxPool", maxPool, kNumbers, Widen::Numbers},
    {"AveragePool", averagePool, kFloats, Widen::Floats},
    {"LpPool", lpPool, kFloats, Widen::Floats},
    {"GlobalAveragePool", globalAveragePool, kFloats, Widen::Floats},
    {"GlobalMaxPool", globalMaxPool, kFloats, Widen::Floats},
    {"GlobalLpPool", globalLpPool, kFloats, Widen::Floats},
    {"MaxUnpool", maxUnpool, kFloats},
};

}  // namespace

std::span<const Operator> poolOperators() {
    return kOperators;
}

}  // namespace hs::ref
