// SPDX-License-Identifier: Apache-2.0
// Operators of ai.onnx.ml.
#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "executors/reference/registry.h"
#include "executors/reference/tree_ensemble.h"
#include "executors/reference/values.h"

namespace hs::ref {
namespace {

Status arrayFeatureExtractor(Call& c) {
    HS_CHECK(c.need(2));
    const Dims& dims = c.dims(0);
    if (dims.empty()) return c.bad("the input needs an axis");
    HS_TRY(const std::vector<std::int64_t> picks, c.ints(1));
    for (const std::int64_t pick : picks)
        if (pick < 0 || pick >= dims.back()) return c.bad("index {} is outside of the last axis, which has {} elements", pick, dims.back());
    Dims out = dims;
    out.back() = static_cast<std::int64_t>(picks.size());
    const std::int64_t rows = product(dims, 0, dims.size() - 1);
    if (dims.size() == 1) out.insert(out.begin(), 1);
    HS_TRY(Tensor * y, c.outT(0, out));
    const Mover mover(c.in(0), *y);
    std::int64_t to = 0;
    for (std::int64_t row = 0; row < rows; ++row)
        for (const std::int64_t pick : picks)
            mover.one(to++, row * dims.back() + pick);
    return {};
}

Status binarizer(Call& c) {
    HS_TRY(Values x, values(c, 0));
    const double threshold = c.node().floatOr("threshold", 0.0F);
    for (double& v : x)
        v = v > threshold ? 1 : 0;
    return emit(c, 0, c.declared(), c.dims(0), x);
}

/// Elements as texts that are equal exactly when the elements are; every NaN is one text.
Result<std::vector<std::string>> keysOf(const Tensor& tensor) {
    std::vector<std::string> out;
    if (tensor.dtype() == DType::String) {
        out.assign(tensor.data<std::string>().begin(), tensor.data<std::string>().end());
    } else if (isInteger(tensor.dtype())) {
        for (const std::int64_t v : toInt64s(tensor))
            out.push_back(std::to_string(v));
    } else {
        HS_TRY(const std::vector<double> numbers, toDoubles(tensor));
        for (const double v : numbers)
            out.push_back(std::isnan(v) ? "nan" : fmt::format("{:.17g}", v == 0 ? 0.0 : v));
    }
    return out;
}

/// A list under one of its spellings: "keys" with _tensor, _strings, _int64s or _floats.
std::optional<Tensor> listOf(const Node& node, const std::string& name) {
    if (const auto* v = node.get<Tensor>(name + "_tensor")) return *v;
    const auto dims = [](const auto& v) { return Dims{static_cast<std::int64_t>(v.size())}; };
    if (const auto* v = node.get<std::vector<std::string>>(name + "_strings")) return Tensor::of<std::string>(dims(*v), *v);
    if (const auto* v = node.get<std::vector<std::int64_t>>(name + "_int64s")) return Tensor::of<std::int64_t>(dims(*v), *v);
    if (const auto* v = node.get<std::vector<float>>(name + "_floats")) return Tensor::of<float>(dims(*v), *v);
    return std::nullopt;
}

Result<Tensor> defaultLabel(const Call& c, DType type) {
    if (const auto* given = c.node().get<Tensor>("default_tensor")) {
        if (given->count() != 1 || given->dtype() != type) return c.bad("the default must be one {}", dtypeName(type));
        return *given;
    }
    if (type == DType::String) return Tensor::scalar(c.node().stringOr("default_string", "_Unused"));
    if (type == DType::I64) return Tensor::scalar(c.node().intOr("default_int64", -1));
    if (type == DType::F32) return Tensor::scalar(c.node().floatOr("default_float", -0.0F));
    HS_TRY(Tensor out, Tensor::allocate(type, {}));
    HS_CHECK(convert(isFloat(type) ? Tensor::scalar(-0.0) : Tensor::scalar(std::int64_t{-1}), out));
    return out;
}

/// Keys and values; version 1 numbers a list of strings, in the direction that the input's type asks for.
struct Labels {
    Tensor keys, values;
};
Result<Labels> labelsOf(const Call& c) {
    if (const auto* classes = c.node().get<std::vector<std::string>>("classes_strings"); classes != nullptr && c.opset() < 2) {
        std::vector<std::int64_t> numbers(classes->size());
        for (std::size_t i = 0; i < numbers.size(); ++i)
            numbers[i] = static_cast<std::int64_t>(i);
        const Dims dims = {static_cast<std::int64_t>(classes->size())};
        Tensor strings = Tensor::of<std::string>(dims, *classes);
        Tensor indices = Tensor::of<std::int64_t>(dims, numbers);
        if (c.declared() == DType::String) return Labels{std::move(strings), std::move(indices)};
        return Labels{std::move(indices), std::move(strings)};
    }
    auto keys = listOf(c.node(), "keys");
    auto values = listOf(c.node(), "values");
    if (!keys || !values || keys->count() != values->count()) return c.bad("it needs as many keys as values");
    return Labels{std::move(*keys), std::move(*values)};
}

Status labelEncoder(Call& c) {
    HS_CHECK(c.need(1));
    HS_TRY(const Labels labels, labelsOf(c));
    const DType key = labels.keys.dtype();
    if ((key == DType::String) != (c.declared() == DType::String) || isInteger(key) != isInteger(c.declared()))
        return c.bad("the keys are {}, the input is {}", dtypeName(key), dtypeName(c.declared()));
    HS_TRY(const Tensor fallback, defaultLabel(c, labels.values.dtype()));
    HS_TRY(const std::vector<std::string> known, keysOf(labels.keys));
    HS_TRY(const std::vector<std::string> asked, keysOf(c.in(0)));
    std::unordered_map<std::string_view, std::int64_t> places;
    for (std::size_t i = 0; i < known.size(); ++i)
        places.emplace(known[i], static_cast<std::int64_t>(i));
    HS_TRY(Tensor * y, c.out(0, labels.values.dtype(), c.dims(0)));
    const Mover found(labels.values, *y);
    const Mover missing(fallback, *y);
    for (std::size_t i = 0; i < asked.size(); ++i) {
        const auto at = places.find(asked[i]);
        const auto to = static_cast<std::int64_t>(i);
        if (at != places.end()) {
            found.one(to, at->second);
        } else {
            missing.one(to, 0);
        }
    }
    return {};
}

constexpr Operator ml(std::string_view name, Status (*run)(Call&), TypeSet types) {
    return {name, run, types, Widen::None, 0, 1, kLatest, "ai.onnx.ml"};
}

const Operator kOperators[] = {
    ml("ArrayFeatureExtractor", arrayFeatureExtractor, kNumbers | bit(DType::String)),
    ml("Binarizer", binarizer, kNumbers),
    ml("LabelEncoder", labelEncoder, kNumbers | bit(DType::String)),
    ml("TreeEnsemble", treeEnsemble, kFloats),
};

}  // namespace

std::span<const Operator> mlOperators() {
    return kOperators;
}

}  // namespace hs::ref
