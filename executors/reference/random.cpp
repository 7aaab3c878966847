// SPDX-License-Identifier: Apache-2.0
// Operators with random output, and Dropout. Draws come from the Mersenne Twister MT19937 in the way of ONNX's reference
// implementation (53-bit uniform numbers, polar normal ones), so that a seed means the same here and there.
#include <algorithm>
#include <cmath>
#include <random>

#include "executors/reference/registry.h"
#include "executors/reference/values.h"

namespace hs::ref {
namespace {

class Generator {
public:
    explicit Generator(std::uint32_t seed) : m_engine(seed) {}
    /// From [0, 1).
    double uniform() {
        const auto high = static_cast<double>(m_engine() >> 5);
        const auto low = static_cast<double>(m_engine() >> 6);
        return (high * 0x1p26 + low) * 0x1p-53;
    }
    /// Mean 0, deviation 1; Marsaglia's polar method gives two at a time.
    double normal() {
        if (m_hasSpare) {
            m_hasSpare = false;
            return m_spare;
        }
        double a = 0;
        double b = 0;
        double square = 0;
        do {
            a = 2 * uniform() - 1;
            b = 2 * uniform() - 1;
            square = a * a + b * b;
        } while (square >= 1 || square == 0);
        const double factor = std::sqrt(-2 * std::log(square) / square);
        m_spare = factor * a;
        m_hasSpare = true;
        return factor * b;
    }

private:
    std::mt19937 m_engine;
    double m_spare = 0;
    bool m_hasSpare = false;
};

/// The seed is the node's own, else the run's mixed with the node's id: the same run gives the same numbers.
Generator generatorOf(const Call& c) {
    const auto low = [](std::int64_t seed) { return Generator(static_cast<std::uint32_t>(static_cast<std::uint64_t>(seed))); };
    if (const auto* seed = c.node().get<float>("seed"); seed != nullptr && std::fabs(*seed) < 0x1p62F) return low(static_cast<std::int64_t>(*seed));
    if (const auto* seed = c.node().get<std::int64_t>("seed")) return low(*seed);
    const std::uint64_t mixed = c.seed() * 0x9E3779B97F4A7C15ULL + c.node().id.index();
    return Generator(static_cast<std::uint32_t>(mixed ^ (mixed >> 32)));
}

template <class F>
Status random(Call& c, bool like, F draw) {
    Dims dims = c.node().intsOr("shape");
    DType type = DType::F32;
    if (like) {
        HS_CHECK(c.need(1));
        dims = c.dims(0);
        if (isFloat(c.declared())) type = c.declared();
    }
    type = dtypeFromOnnx(c.node().intOr("dtype", 0)).value_or(type);
    const auto count = elementCount(dims);
    if (!count) return c.bad("shape {} is out of range", toString(dims));
    Values out(static_cast<std::size_t>(*count));
    Generator generator = generatorOf(c);
    for (double& v : out)
        v = draw(generator);
    return emit(c, 0, type, dims, out);
}

template <bool kLike>
Status randomUniform(Call& c) {
    const double low = c.node().floatOr("low", 0.0F);
    const double high = c.node().floatOr("high", 1.0F);
    return random(c, kLike, [=](Generator& g) { return low + (high - low) * g.uniform(); });
}

template <bool kLike>
Status randomNormal(Call& c) {
    const double mean = c.node().floatOr("mean", 0.0F);
    const double scale = c.node().floatOr("scale", 1.0F);
    return random(c, kLike, [=](Generator& g) { return mean + scale * g.normal(); });
}

Status bernoulli(Call& c) {
    HS_CHECK(c.need(1));
    HS_TRY(Values p, values(c, 0));
    Generator generator = generatorOf(c);
    for (double& v : p)
        v = generator.uniform() < v ? 1 : 0;
    return emit(c, 0, dtypeFromOnnx(c.node().intOr("dtype", 0)).value_or(c.declared()), c.dims(0), p);
}

/// Rows of logarithms of weights, not normalised; each sample is a class.
Status multinomial(Call& c) {
    HS_CHECK(c.need(1));
    const Dims& dims = c.dims(0);
    const std::int64_t samples = c.node().intOr("sample_size", 1);
    if (dims.size() != 2 || dims[1] < 1) return c.bad("the input must be a matrix with one class or more, not {}", toString(dims));
    const Dims to = {dims[0], samples};
    if (samples < 0 || !elementCount(to)) return c.bad("{} samples are out of range", samples);
    HS_TRY(const Values x, values(c, 0));
    Generator generator = generatorOf(c);
    Values out;
    for (std::int64_t row = 0; row < dims[0]; ++row) {
        const double* logits = x.data() + row * dims[1];
        const double most = *std::max_element(logits, logits + dims[1]);
        Values sums;
        double sum = 0;
        for (std::int64_t k = 0; k < dims[1]; ++k)
            sums.push_back(sum += std::exp(logits[k] - most));
        for (std::int64_t s = 0; s < samples; ++s) {
            const auto at = std::upper_bound(sums.begin(), sums.end(), generator.uniform() * sum) - sums.begin();
            out.push_back(static_cast<double>(std::min<std::ptrdiff_t>(at, dims[1] - 1)));
        }
    }
    return emit(c, 0, dtypeFromOnnx(c.node().intOr("dtype", 0)).value_or(DType::I32), to, out);
}

/// Keeps an element with the probability 1 - ratio and scales it so that the mean stays.
Status drop(Call& c, double ratio) {
    if (!(ratio >= 0 && ratio < 1)) return c.bad("the ratio {} is outside of [0, 1)", ratio);
    HS_TRY(Values x, values(c, 0));
    Values mask(x.size());
    Generator generator = generatorOf(c);
    for (std::size_t i = 0; i < x.size(); ++i) {
        mask[i] = generator.uniform() >= ratio ? 1 : 0;
        x[i] = x[i] * mask[i] / (1 - ratio);
    }
    HS_CHECK(emit(c, 0, c.declared(), c.dims(0), x));
    return emit(c, 1, DType::Bool, c.dims(0), mask);
}

/// Training is an input since opset 12; before that the operator is for inference here.
Status dropout(Call& c) {
    HS_CHECK(c.need(1));
    if (c.has(2)) {
        HS_TRY(const double training, c.number(2));
        double ratio = 0.5;
        if (c.has(1)) {
            HS_TRY(ratio, c.number(1));
        }
        if (training != 0) return drop(c, ratio);
    }
    HS_TRY(Tensor * y, c.outT(0, c.dims(0)));
    copyAll(c.in(0), *y);
    const Values ones(static_cast<std::size_t>(c.in(0).count()), 1);
    return emit(c, 1, c.opset() >= 10 ? DType::Bool : c.declared(), c.dims(0), ones);
}

const Operator kOperators[] = {
    {"RandomUniform", randomUniform<false>}, {"RandomUniformLike", randomUniform<true>},
    {"RandomNormal", randomNormal<false>},   {"RandomNormalLike", randomNormal<true>},
    {"Bernoulli", bernoulli, kFloats},       {"Multinomial", multinomial, kFloats},
    {"Dropout", dropout, kFloats},
};

}  // namespace

std::span<const Operator> randomOperators() {
    return kOperators;
}

}  // namespace hs::ref
