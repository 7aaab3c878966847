// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>

#include "executors/reference/registry.h"
#include "executors/reference/values.h"

namespace hs::ref {
namespace {

struct Moments {
    double mean = 0, variance = 0;
};

/// Mean and population variance of n values.
Moments moments(const double* x, std::int64_t n) {
    Moments m;
    for (std::int64_t i = 0; i < n; ++i)
        m.mean += x[i];
    m.mean /= static_cast<double>(n);
    for (std::int64_t i = 0; i < n; ++i)
        m.variance += (x[i] - m.mean) * (x[i] - m.mean);
    m.variance /= static_cast<double>(n);
    return m;
}

/// Batch statistics per channel of [batch, channels, plane]; running ones are blended in by `momentum`.
Status batchStatistics(Call& c, const Values& x, const AxisView& view, Values& mean, Values& variance) {
    const double momentum = c.node().floatOr("momentum", 0.9F);
    Values runningMean = mean;
    Values runningVariance = variance;
    for (std::int64_t ch = 0; ch < view.size; ++ch) {
        Values channel;
        for (std::int64_t n = 0; n < view.outer; ++n)
            for (std::int64_t i = 0; i < view.inner; ++i)
                channel.push_back(x[view.at(n, ch, i)]);
        const Moments m = moments(channel.data(), static_cast<std::int64_t>(channel.size()));
        const auto k = static_cast<std::size_t>(ch);
        runningMean[k] = runningMean[k] * momentum + m.mean * (1 - momentum);
        runningVariance[k] = runningVariance[k] * momentum + m.variance * (1 - momentum);
        mean[k] = m.mean;
        variance[k] = m.variance;
    }
    HS_CHECK(emit(c, 1, c.in(3).dtype(), c.dims(3), runningMean));
    return emit(c, 2, c.in(4).dtype(), c.dims(4), runningVariance);
}

Status batchNormalization(Call& c) {
    HS_CHECK(c.need(5));
    const Dims& dims = c.dims(0);
    if (dims.empty()) return c.bad("the input must have rank 1 or more");
    const AxisView view(dims, dims.size() == 1 ? 0 : 1);
    const std::int64_t channels = dims.size() == 1 ? 1 : view.size;
    const double epsilon = c.node().floatOr("epsilon", 1e-5F);
    HS_TRY(Values x, values(c, 0));
    HS_TRY(const Values scale, valuesOr(c, 1, channels, 1));
    HS_TRY(const Values bias, valuesOr(c, 2, channels, 0));
    HS_TRY(Values mean, valuesOr(c, 3, channels, 0));
    HS_TRY(Values variance, valuesOr(c, 4, channels, 1));
    if (c.node().intOr("training_mode", 0) != 0) HS_CHECK(batchStatistics(c, x, view, mean, variance));
    for (std::size_t i = 0; i < x.size(); ++i) {
        const std::size_t ch = dims.size() == 1 ? 0 : i / static_cast<std::size_t>(view.inner) % static_cast<std::size_t>(channels);
        x[i] = (x[i] - mean[ch]) / std::sqrt(variance[ch] + epsilon) * scale[ch] + bias[ch];
    }
    return emit(c, 0, c.declared(), dims, x);
}

Status instanceNormalization(Call& c) {
    HS_CHECK(c.need(3));
    const Dims& dims = c.dims(0);
    if (dims.size() < 2) return c.bad("the input must have rank 2 or more");
    const AxisView view(dims, 1);
    const double epsilon = c.node().floatOr("epsilon", 1e-5F);
    HS_TRY(Values x, values(c, 0));
    HS_TRY(const Values scale, valuesOr(c, 1, view.size, 1));
    HS_TRY(const Values bias, valuesOr(c, 2, view.size, 0));
    for (std::int64_t p = 0; p < view.outer * view.size; ++p) {
        double* row = x.data() + p * view.inner;
        const Moments m = moments(row, view.inner);
        const auto ch = static_cast<std::size_t>(p % view.size);
        for (std::int64_t i = 0; i < view.inner; ++i)
            row[i] = (row[i] - m.mean) / std::sqrt(m.variance + epsilon) * scale[ch] + bias[ch];
    }
    return emit(c, 0, c.declared(), dims, x);
}

/// Scale and bias had one entry per group in opset 18, one per channel from 21 on.
Status groupNormalization(Call& c) {
    HS_CHECK(c.need(3));
    const Dims& dims = c.dims(0);
    if (dims.size() < 2) return c.bad("the input must have rank 2 or more");
    const std::int64_t groups = c.node().intOr("num_groups", 0);
    if (groups < 1 || dims[1] % groups != 0) return c.bad("{} groups do not divide {} channels", groups, dims[1]);
    const std::int64_t plane = product(dims, 2, dims.size());
    const std::int64_t perGroup = dims[1] / groups;
    const double epsilon = c.node().floatOr("epsilon", 1e-5F);
    const bool byGroup = c.opset() < 21;
    HS_TRY(Values x, values(c, 0));
    HS_TRY(const Values scale, valuesOr(c, 1, byGroup ? groups : dims[1], 1));
    HS_TRY(const Values bias, valuesOr(c, 2, byGroup ? groups : dims[1], 0));
    for (std::int64_t p = 0; p < dims[0] * groups; ++p) {
        double* row = x.data() + p * perGroup * plane;
        const Moments m = moments(row, perGroup * plane);
        for (std::int64_t i = 0; i < perGroup * plane; ++i) {
            const std::int64_t group = p % groups;
            const auto k = static_cast<std::size_t>(byGroup ? group : group * perGroup + i / plane);
            row[i] = (row[i] - m.mean) / std::sqrt(m.variance + epsilon) * scale[k] + bias[k];
        }
    }
    return emit(c, 0, c.declared(), dims, x);
}

/// A parameter that broadcasts (unidirectionally) to the input, laid out in full.
Result<Values> spread(Call& c, std::size_t i, const Dims& dims, double fallback) {
    if (!c.has(i)) return Values(static_cast<std::size_t>(product(dims)), fallback);
    HS_TRY(const Values from, values(c, i));
    const std::array<const Dims*, 2> both = {&dims, &c.dims(i)};
    HS_TRY(const Broadcast broadcast, Broadcast::make(both));
    if (broadcast.dims() != dims) return c.bad("input {} of shape {} does not broadcast to {}", i, toString(c.dims(i)), toString(dims));
    Values out(static_cast<std::size_t>(product(dims)));
    broadcast.rows([&](std::int64_t at, const std::int64_t* offsets, std::int64_t n) {
        for (std::int64_t k = 0; k < n; ++k)
            out[static_cast<std::size_t>(at + k)] = from[static_cast<std::size_t>(offsets[1] + k * broadcast.step(1))];
    });
    return out;
}

/// LayerNormalization and, without centring, RMSNormalization over the axes from `axis` on.
Status normalizeTail(Call& c, bool centred) {
    HS_CHECK(c.need(2));
    const Dims& dims = c.dims(0);
    HS_TRY(const std::size_t axis, c.axis(c.node().intOr("axis", -1), dims.size()));
    const double epsilon = c.node().floatOr("epsilon", 1e-5F);
    const std::int64_t rows = product(dims, 0, axis);
    const std::int64_t size = product(dims, axis, dims.size());
    HS_TRY(Values x, values(c, 0));
    HS_TRY(const Values scale, spread(c, 1, dims, 1));
    HS_TRY(const Values bias, spread(c, centred ? 2 : 99, dims, 0));
    Values means;
    Values inverses;
    for (std::int64_t r = 0; r < rows; ++r) {
        double* row = x.data() + r * size;
        Moments m = moments(row, size);
        if (!centred) m = {0, m.variance + m.mean * m.mean};
        const double inverse = 1 / std::sqrt(m.variance + epsilon);
        means.push_back(m.mean);
        inverses.push_back(inverse);
        for (std::int64_t i = 0; i < size; ++i)
            row[i] = (row[i] - m.mean) * inverse * scale[static_cast<std::size_t>(r * size + i)] + bias[static_cast<std::size_t>(r * size + i)];
    }
    HS_CHECK(emit(c, 0, c.declared(), dims, x));
    Dims kept = dims;
    std::fill(kept.begin() + static_cast<std::ptrdiff_t>(axis), kept.end(), 1);
    const DType stash = dtypeFromOnnx(c.node().intOr("stash_type", 1)).value_or(DType::F32);
    HS_CHECK(emit(c, 1, stash, kept, means));
    return emit(c, 2, stash, kept, inverses);
}

Status layerNormalization(Call& c) {
    return normalizeTail(c, true);
}
Status rmsNormalization(Call& c) {
    return normalizeTail(c, false);
}

Status lpNormalization(Call& c) {
    HS_CHECK(c.need(1));
    HS_TRY(const std::size_t axis, c.axis(c.node().intOr("axis", -1), c.dims(0).size()));
    const std::int64_t p = c.node().intOr("p", 2);
    if (p != 1 && p != 2) return c.bad("p must be 1 or 2, not {}", p);
    HS_TRY(Values x, values(c, 0));
    const AxisView view(c.dims(0), axis);
    for (std::int64_t o = 0; o < view.outer; ++o)
        for (std::int64_t i = 0; i < view.inner; ++i) {
            double sum = 0;
            for (std::int64_t k = 0; k < view.size; ++k)
                sum += p == 1 ? std::fabs(x[view.at(o, k, i)]) : x[view.at(o, k, i)] * x[view.at(o, k, i)];
            const double norm = p == 1 ? sum : std::sqrt(sum);
            for (std::int64_t k = 0; k < view.size; ++k)
                x[view.at(o, k, i)] = norm == 0 ? 0 : x[view.at(o, k, i)] / norm;
        }
    return emit(c, 0, c.declared(), c.dims(0), x);
}

/// Krizhevsky's local response normalisation across channels.
Status lrn(Call& c) {
    HS_CHECK(c.need(1));
    if (c.dims(0).size() < 2) return c.bad("the input must have rank 2 or more");
    const double alpha = c.node().floatOr("alpha", 1e-4F);
    const double beta = c.node().floatOr("beta", 0.75F);
    const double bias = c.node().floatOr("bias", 1.0F);
    const std::int64_t size = c.node().intOr("size", 1);
    if (size < 1) return c.bad("size must be positive");
    HS_TRY(const Values x, values(c, 0));
    Values y(x.size());
    const AxisView view(c.dims(0), 1);
    for (std::int64_t o = 0; o < view.outer; ++o)
        for (std::int64_t k = 0; k < view.size; ++k)
            for (std::int64_t i = 0; i < view.inner; ++i) {
                const std::int64_t low = std::max<std::int64_t>(0, k - (size - 1) / 2);
                const std::int64_t high = std::min(view.size - 1, k + std::min(size / 2, view.size));
                double sum = 0;
                for (std::int64_t j = low; j <= high; ++j)
                    sum += x[view.at(o, j, i)] * x[view.at(o, j, i)];
                y[view.at(o, k, i)] = x[view.at(o, k, i)] / std::pow(bias + alpha / static_cast<double>(size) * sum, beta);
            }
    return emit(c, 0, c.declared(), c.dims(0), y);
}

/// (x - mean) / sqrt(variance) over the axes.
Status meanVarianceNormalization(Call& c) {
    HS_CHECK(c.need(1));
    const Dims& dims = c.dims(0);
    HS_TRY(const std::vector<std::size_t> axes, c.axes(c.node().intsOr("axes", {0, 2, 3}), dims.size()));
    Dims kept = dims;
    for (const std::size_t a : axes)
        kept[a] = 1;
    Dims strides = stridesOf(kept);
    for (const std::size_t a : axes)
        strides[a] = 0;
    HS_TRY(Values x, values(c, 0));
    const auto groups = static_cast<std::size_t>(product(kept));
    Values sum(groups, 0);
    Values square(groups, 0);
    const double count = static_cast<double>(x.size()) / static_cast<double>(groups);
    const auto each = [&](auto&& f) {
        Dims index(dims.size(), 0);
        for (double& v : x) {
            std::int64_t group = 0;
            for (std::size_t d = 0; d < dims.size(); ++d)
                group += index[d] * strides[d];
            f(v, static_cast<std::size_t>(group));
            advance(index, dims);
        }
    };
    each([&](double v, std::size_t g) { sum[g] += v; });
    each([&](double v, std::size_t g) { square[g] += (v - sum[g] / count) * (v - sum[g] / count); });
    each([&](double& v, std::size_t g) { v = (v - sum[g] / count) / (std::sqrt(square[g] / count) + 1e-9); });
    return emit(c, 0, c.declared(), dims, x);
}

const Operator kOperators[] = {
    {"BatchNormalization", batchNormalization, kFloats},
    {"InstanceNormalization", instanceNormalization, kFloats},
    {"GroupNormalization", groupNormalization, kFloats},
    {"LayerNormalization", layerNormalization, kFloats},
    {"RMSNormalization", rmsNormalization, kFloats},
    {"LpNormalization", lpNormalization, kFloats},
    {"LRN", lrn, kFloats},
    {"MeanVarianceNormalization", meanVarianceNormalization, kFloats},
};

}  // namespace

std::span<const Operator> normOperators() {
    return kOperators;
}

}  // namespace hs::ref
