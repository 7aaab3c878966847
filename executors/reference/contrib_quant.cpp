// SPDX-License-Identifier: Apache-2.0
// 8-bit operators with scales and zero points: dequantise, compute, quantise.
#include <algorithm>

#include "executors/reference/contrib_parts.h"
#include "executors/reference/window.h"

namespace hs::ref {
namespace {

/// The scalar scale at input i and the scalar zero point behind it (0 when absent).
struct Quantum {
    double scale = 1, zero = 0;
};

Result<Quantum> quantumAt(const Call& c, std::size_t i) {
    if (!c.has(i)) return c.bad("input {} (a scale) is missing", i);
    if (c.in(i).count() != 1 || (c.has(i + 1) && c.in(i + 1).count() != 1)) return c.unsupported("scale {} and its zero point must be single numbers", i);
    Quantum q;
    HS_TRY(q.scale, c.number(i));
    if (c.has(i + 1)) {
        HS_TRY(q.zero, c.number(i + 1));
    }
    return q;
}

/// Input i by its scale and zero point.
Result<Values> dequantized(const Call& c, std::size_t i, const Quantum& q) {
    HS_TRY(Values x, values(c, i));
    for (double& v : x)
        v = (v - q.zero) * q.scale;
    return x;
}

/// Rounds half to even and saturates to an 8-bit type.
Status emitBytes(Call& c, DType type, const Dims& dims, Values x, const Quantum& q) {
    const double low = type == DType::I8 ? -128 : 0;
    const double high = type == DType::I8 ? 127 : 255;
    for (double& v : x)
        v = std::clamp(static_cast<double>(std::nearbyint(static_cast<float>(v / q.scale))) + q.zero, low, high);
    return emit(c, 0, type, dims, x);
}

/// f over two operands that broadcast.
template <class F>
Result<Values> broadcasted(const Values& a, const Dims& aDims, const Values& b, const Dims& bDims, Dims& dims, F f) {
    const std::array<const Dims*, 2> both = {&aDims, &bDims};
    HS_TRY(const Broadcast broadcast, Broadcast::make(both));
    dims = broadcast.dims();
    Values out(static_cast<std::size_t>(product(dims)));
    broadcast.rows([&](std::int64_t at, const std::int64_t* from, std::int64_t n) {
        for (std::int64_t i = 0; i < n; ++i)
            out[static_cast<std::size_t>(at + i)] =
                f(a[static_cast<std::size_t>(from[0] + i * broadcast.step(0))], b[static_cast<std::size_t>(from[1] + i * broadcast.step(1))]);
    });
    return out;
}

template <class F>
Status qBinary(Call& c, F f) {
    HS_TRY(const Quantum qa, quantumAt(c, 1));
    HS_TRY(const Quantum qb, quantumAt(c, 4));
    HS_TRY(const Quantum qy, quantumAt(c, 6));
    HS_TRY(const Values a, dequantized(c, 0, qa));
    HS_TRY(const Values b, dequantized(c, 3, qb));
    Dims dims;
    HS_TRY(Values y, broadcasted(a, c.dims(0), b, c.dims(3), dims, f));
    return emitBytes(c, c.declared(), dims, std::move(y), qy);
}

Status qAdd(Call& c) {
    return qBinary(c, [](double a, double b) { return a + b; });
}
Status qMul(Call& c) {
    return qBinary(c, [](double a, double b) { return a * b; });
}

/// int32 product of the operands less their zero points. Inputs: A, its zero point, B, its zero point.
Status mulInteger(Call& c) {
    if (!c.has(0) || !c.has(2)) return c.bad("both operands must be given");
    HS_TRY(const Values zeroA, valuesOr(c, 1, 1, 0));
    HS_TRY(const Values zeroB, valuesOr(c, 3, 1, 0));
    HS_TRY(const Values a, values(c, 0));
    HS_TRY(const Values b, values(c, 2));
    Dims dims;
    HS_TRY(const Values y, broadcasted(a, c.dims(0), b, c.dims(2), dims, [&](double u, double v) { return (u - zeroA[0]) * (v - zeroB[0]); }));
    return emit(c, 0, DType::I32, dims, y);
}

template <class F>
Status qUnary(Call& c, F f) {
    HS_TRY(const Quantum qx, quantumAt(c, 1));
    HS_TRY(const Quantum qy, quantumAt(c, 3));
    HS_TRY(Values x, dequantized(c, 0, qx));
    for (double& v : x)
        v = f(v);
    return emitBytes(c, c.declared(), c.dims(0), std::move(x), qy);
}

Status qSigmoid(Call& c) {
    return qUnary(c, sigmoidOf);
}
Status qLeakyRelu(Call& c) {
    const double alpha = c.node().floatOr("alpha", 0.01F);
    return qUnary(c, [=](double v) { return v >= 0 ? v : alpha * v; });
}

/// By the rules of the Softmax of opset `opset`: one axis from 13 on, all axes from `axis` on before.
Status qSoftmax(Call& c) {
    HS_TRY(const Quantum qx, quantumAt(c, 1));
    HS_TRY(const Quantum qy, quantumAt(c, 3));
    HS_TRY(Values x, dequantized(c, 0, qx));
    Dims dims = c.dims(0);
    if (dims.empty()) return c.bad("the input must have rank 1 or more");
    const bool flat = c.node().intOr("opset", 13) < 13;
    HS_TRY(const std::size_t axis, c.axis(c.node().intOr("axis", flat ? 1 : -1), dims.size()));
    if (flat) dims = {product(dims, 0, axis), product(dims, axis, dims.size())};
    const AxisView view(dims, flat ? 1 : axis);
    for (std::int64_t o = 0; o < view.outer; ++o)
        for (std::int64_t i = 0; i < view.inner && view.size > 0; ++i) {
            double top = x[view.at(o, 0, i)];
            for (std::int64_t k = 1; k < view.size; ++k)
                top = std::max(top, x[view.at(o, k, i)]);
            double sum = 0;
            for (std::int64_t k = 0; k < view.size; ++k)
                sum += std::exp(x[view.at(o, k, i)] - top);
            for (std::int64_t k = 0; k < view.size; ++k)
                x[view.at(o, k, i)] = std::exp(x[view.at(o, k, i)] - top) / sum;
        }
    return emitBytes(c, c.declared(), c.dims(0), std::move(x), qy);
}

/// The mean over `axes` of a tensor; the reduced axes stay with size 1.
Values meanOver(const Values& x, const Dims& dims, const std::vector<std::size_t>& axes, Dims& result) {
    result = dims;
    double count = 1;
    for (const std::size_t a : axes) {
        count *= static_cast<double>(dims[a]);
        result[a] = 1;
    }
    const Dims strides = stridesOf(result);
    Values out(static_cast<std::size_t>(product(result)), 0);
    Dims index(dims.size(), 0);
    for (const double v : x) {
        std::int64_t at = 0;
        for (std::size_t d = 0; d < dims.size(); ++d)
            at += result[d] == 1 ? 0 : index[d] * strides[d];
        out[static_cast<std::size_t>(at)] += v / count;
        advance(index, dims);
    }
    return out;
}

Status qReduceMean(Call& c) {
    HS_TRY(const Quantum qx, quantumAt(c, 1));
    HS_TRY(const Quantum qy, quantumAt(c, 3));
    HS_TRY(const Values x, dequantized(c, 0, qx));
    std::vector<std::int64_t> wanted = c.node().intsOr("axes");
    if (wanted.empty())
        for (std::size_t i = 0; i < c.dims(0).size(); ++i)
            wanted.push_back(static_cast<std::int64_t>(i));
    HS_TRY(const std::vector<std::size_t> axes, c.axes(wanted, c.dims(0).size()));
    Dims dims;
    Values y = meanOver(x, c.dims(0), axes, dims);
    if (c.node().intOr("keepdims", 1) == 0)
        for (std::size_t i = axes.size(); i-- > 0;)
            dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(axes[i]));
    return emitBytes(c, c.declared(), dims, std::move(y), qy);
}

Status qGlobalAveragePool(Call& c) {
    HS_TRY(const Quantum qx, quantumAt(c, 1));
    HS_TRY(const Quantum qy, quantumAt(c, 3));
    HS_TRY(const Values x, dequantized(c, 0, qx));
    const Dims& dims = c.dims(0);
    if (dims.size() < 3 || x.empty()) return c.bad("the input {} must have rank 3 or more and elements", toString(dims));
    std::vector<std::size_t> axes;
    const std::size_t first = c.node().intOr("channels_last", 0) != 0 ? 1 : 2;
    for (std::size_t i = 0; i + 2 < dims.size(); ++i)
        axes.push_back(first + i);
    Dims result;
    Values y = meanOver(x, dims, axes, result);
    return emitBytes(c, c.declared(), result, std::move(y), qy);
}

/// Mean of one window over a plane. Padding counts when told so, but never what lies beyond the end padding.
double windowMean(const double* plane, const Dims& input, const Window& w, const Dims& index, bool countPadding) {
    const Dims strides = stridesOf(input);
    double sum = 0;
    double count = 0;
    Dims tap(w.rank(), 0);
    do {
        std::int64_t at = 0;
        bool inside = true;
        bool padded = true;
        for (std::size_t d = 0; d < w.rank(); ++d) {
            const std::int64_t place = index[d] * w.strides[d] - w.padBegin[d] + tap[d] * w.dilations[d];
            inside = inside && place >= 0 && place < input[d];
            padded = padded && place < input[d] + w.padEnd[d];
            at += place * strides[d];
        }
        if (inside) sum += plane[at];
        if (inside || (countPadding && padded)) ++count;
    } while (advance(tap, w.kernel));
    return count > 0 ? sum / count : 0;
}

Status qAveragePool(Call& c) {
    HS_TRY(const Quantum qx, quantumAt(c, 1));
    HS_TRY(const Quantum qy, quantumAt(c, 3));
    HS_TRY(Values x, dequantized(c, 0, qx));
    Dims dims = c.dims(0);
    if (dims.size() < 3) return c.bad("the input must have rank 3 or more, not {}", toString(dims));
    const bool last = c.node().intOr("channels_last", 0) != 0;
    if (last) x = channelsFirst(x, dims);
    const Dims input(dims.begin() + 2, dims.end());
    HS_TRY(Window window, Window::make(c, input, c.node().intsOr("kernel_shape")));
    HS_TRY(const Dims output, window.slide(c, input, c.node().intOr("ceil_mode", 0) != 0));
    Dims result = {dims[0], dims[1]};
    result.insert(result.end(), output.begin(), output.end());
    if (!elementCount(result)) return c.bad("the output {} is too large", toString(result));
    const bool countPadding = c.node().intOr("count_include_pad", 0) != 0;
    Values y;
    for (std::int64_t p = 0; p < dims[0] * dims[1] && product(output) > 0; ++p) {
        Dims index(output.size(), 0);
        do
            y.push_back(windowMean(x.data() + p * product(input), input, window, index, countPadding));
        while (advance(index, output));
    }
    if (last) y = channelsLast(y, result);
    return emitBytes(c, c.declared(), result, std::move(y), qy);
}

/// Inputs: the result's scale and zero point, then tensor, scale and zero point of each part.
Status qConcat(Call& c) {
    if (c.inputCount() < 5 || (c.inputCount() - 2) % 3 != 0) return c.bad("each part needs a tensor, a scale and a zero point");
    HS_CHECK(c.need(2));
    HS_TRY(const Quantum qy, quantumAt(c, 0));
    if (!c.has(2)) return c.bad("input 2 is missing");
    Dims dims = c.dims(2);
    HS_TRY(const std::size_t axis, c.axis(c.node().intOr("axis", 0), dims.size()));
    dims[axis] = 0;
    std::vector<Values> parts;
    std::vector<std::int64_t> runs;  // elements of a part for each step of the outer axes
    for (std::size_t i = 2; i < c.inputCount(); i += 3) {
        HS_TRY(const Quantum q, quantumAt(c, i + 1));
        HS_TRY(Values part, dequantized(c, i, q));
        Dims own = c.dims(i);
        if (own.size() != dims.size()) return c.bad("part {} differs in rank", toString(own));
        runs.push_back(product(own, axis, own.size()));
        const std::int64_t size = own[axis];
        own[axis] = dims[axis];
        if (own != dims) return c.bad("part {} does not fit beside {}", toString(c.dims(i)), toString(c.dims(2)));
        dims[axis] += size;
        parts.push_back(std::move(part));
    }
    Values y;
    for (std::int64_t o = 0; o < product(dims, 0, axis); ++o)
        for (std::size_t p = 0; p < parts.size(); ++p)
            y.insert(y.end(), parts[p].begin() + o * runs[p], parts[p].begin() + (o + 1) * runs[p]);
    return emitBytes(c, c.in(1).dtype(), dims, std::move(y), qy);
}

/// Inputs: condition, X, its scale and zero point, Y, its scale and zero point, the result's scale and zero point.
Status qWhere(Call& c) {
    HS_CHECK(c.need(9));
    HS_TRY(const Quantum qx, quantumAt(c, 2));
    HS_TRY(const Quantum qy, quantumAt(c, 5));
    HS_TRY(const Quantum qz, quantumAt(c, 7));
    HS_TRY(const Values x, dequantized(c, 1, qx));
    HS_TRY(const Values y, dequantized(c, 4, qy));
    HS_TRY(const Values condition, values(c, 0));
    const std::array<const Dims*, 3> all = {&c.dims(0), &c.dims(1), &c.dims(4)};
    HS_TRY(const Broadcast broadcast, Broadcast::make(all));
    Values z(static_cast<std::size_t>(product(broadcast.dims())));
    broadcast.rows([&](std::int64_t at, const std::int64_t* from, std::int64_t n) {
        const auto pick = [&](const Values& v, std::size_t k, std::int64_t i) { return v[static_cast<std::size_t>(from[k] + i * broadcast.step(k))]; };
        for (std::int64_t i = 0; i < n; ++i)
            z[static_cast<std::size_t>(at + i)] = pick(condition, 0, i) != 0 ? pick(x, 1, i) : pick(y, 2, i);
    });
    return emitBytes(c, c.in(1).dtype(), broadcast.dims(), std::move(z), qz);
}

constexpr TypeSet kBytes = bit(DType::I8) | bit(DType::U8);

const Operator kOperators[] = {
    contrib("QLinearAdd", qAdd, kBytes),
    contrib("QLinearMul", qMul, kBytes),
    contrib("MulInteger", mulInteger, kBytes),
    contrib("QLinearSigmoid", qSigmoid, kBytes),
    contrib("QLinearLeakyRelu", qLeakyRelu, kBytes),
    contrib("QLinearSoftmax", qSoftmax, kBytes),
    contrib("QLinearReduceMean", qReduceMean, kBytes),
    contrib("QLinearGlobalAveragePool", qGlobalAveragePool, kBytes),
    contrib("QLinearAveragePool", qAveragePool, kBytes),
    contrib("QLinearConcat", qConcat, kBytes, Widen::None, 1),
    contrib("QLinearWhere", qWhere, kBytes, Widen::None, 1),
};

}  // namespace

std::span<const Operator> contribQuantOperators() {
    return kOperators;
}

}  // namespace hs::ref
