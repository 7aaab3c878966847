// SPDX-License-Identifier: Apache-2.0
#include "executors/reference/contrib_parts.h"

#include <algorithm>

#include "executors/reference/gemm.h"

namespace hs::ref {
namespace {

using Parameters = std::array<double, 3>;

struct Named {
    std::string_view name;
    FusedActivation function;
    Parameters defaults;
};

const Named kActivations[] = {
    {"Relu", [](double v, const Parameters&) { return std::max(v, 0.0); }, {}},
    {"Tanh", [](double v, const Parameters&) { return std::tanh(v); }, {}},
    {"Sigmoid", [](double v, const Parameters&) { return sigmoidOf(v); }, {}},
    {"LeakyRelu", [](double v, const Parameters& p) { return v >= 0 ? v : p[0] * v; }, {0.01, 0, 0}},
    {"Elu", [](double v, const Parameters& p) { return v >= 0 ? v : p[0] * std::expm1(v); }, {1, 0, 0}},
    {"HardSigmoid", [](double v, const Parameters& p) { return std::clamp(p[0] * v + p[1], 0.0, 1.0); }, {0.2, 0.5, 0}},
    {"Clip", [](double v, const Parameters& p) { return std::min(std::max(v, p[0]), p[1]); }, {-3.4028234663852886e38, 3.4028234663852886e38, 0}},
    {"Softplus", [](double v, const Parameters&) { return std::max(v, 0.0) + std::log1p(std::exp(-std::fabs(v))); }, {}},
    {"Softsign", [](double v, const Parameters&) { return v / (1 + std::fabs(v)); }, {}},
    {"ThresholdedRelu", [](double v, const Parameters& p) { return v > p[0] ? v : 0.0; }, {1, 0, 0}},
};

const Named* find(std::string_view name) {
    const auto* at = std::find_if(std::begin(kActivations), std::end(kActivations), [&](const Named& n) { return n.name == name; });
    return at == std::end(kActivations) ? nullptr : at;
}

/// Moves the axis `from` to `to`, the others keep their order.
Values moveAxis(const Values& x, Dims& dims, std::size_t from, std::size_t to) {
    std::vector<std::size_t> order(dims.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    order.erase(order.begin() + static_cast<std::ptrdiff_t>(from));
    order.insert(order.begin() + static_cast<std::ptrdiff_t>(to), from);
    const Dims own = stridesOf(dims);
    Dims result(dims.size());
    Dims strides(dims.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        result[i] = dims[order[i]];
        strides[i] = own[order[i]];
    }
    Values out(x.size());
    Dims index(dims.size(), 0);
    for (double& v : out) {
        std::int64_t at = 0;
        for (std::size_t d = 0; d < index.size(); ++d)
            at += index[d] * strides[d];
        v = x[static_cast<std::size_t>(at)];
        advance(index, result);
    }
    dims = result;
    return out;
}

}  // namespace

FusedActivation fusedActivation(std::string_view name) {
    const Named* named = find(name);
    return named == nullptr ? nullptr : named->function;
}

std::array<double, 3> fusedDefaults(std::string_view name) {
    const Named* named = find(name);
    return named == nullptr ? Parameters{} : named->defaults;
}

std::string refusesActivation(const Node& node) {
    const std::string name = node.stringOr("activation", "");
    return name.empty() || find(name) != nullptr ? std::string() : "activation=" + name;
}

Result<Values> productOf(const Values& a, const Dims& aDims, const Values& b, const Dims& bDims, Dims& result) {
    HS_TRY(const MatMulShape shape, MatMulShape::make(aDims, bDims));
    if (!elementCount(shape.result)) return fail(ErrorCode::BadInput, "", "the product {} is too large", toString(shape.result));
    result = shape.result;
    Values out(static_cast<std::size_t>(product(result)));
    if (!out.empty()) HS_CHECK(matmul(shape, a.data(), b.data(), out.data()));
    return out;
}

Status addRow(const Call& c, Values& x, const Values& row) {
    if (row.empty() || x.size() % row.size() != 0) return c.bad("a bias of {} elements does not fit rows of {} elements in all", row.size(), x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
        x[i] += row[i % row.size()];
    return {};
}

Values channelsFirst(const Values& x, Dims& dims) {
    return moveAxis(x, dims, dims.size() - 1, 1);
}

Values channelsLast(const Values& x, Dims& dims) {
    return moveAxis(x, dims, 1, dims.size() - 1);
}

}  // namespace hs::ref
