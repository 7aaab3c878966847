// SPDX-License-Identifier: Apache-2.0
// Elements of small tensors: arithmetic and casts. Movement is in propagate_move.cpp.
#include "core/graph/propagate.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <unordered_map>

namespace hs::ops {
namespace {

std::optional<Element> divide(const Element& a, const Element& b) {
    if (a.known() && b.known()) {
        if (b.value() == 0 || b.value() == -1) return b.value() == 0 ? Element() : sub(Element(std::int64_t{0}), a);
        return Element(a.value() / b.value());  // Truncates, as the operator does.
    }
    return floorDiv(a, b);  // Sizes are not negative.
}

Element modulo(const Element& a, const Element& b, bool likeC) {
    if (!a.known() || !b.known() || b.value() == 0) return {};
    if (b.value() == -1) return {std::int64_t{0}};
    const std::int64_t rest = a.value() % b.value();
    return !likeC && rest != 0 && (rest < 0) != (b.value() < 0) ? rest + b.value() : rest;
}

Element smaller(const Element& a, const Element& b) {
    if (a.known() && b.known()) return std::min(a.value(), b.value());
    return a == b ? a : Element();
}

Element larger(const Element& a, const Element& b) {
    if (a.known() && b.known()) return std::max(a.value(), b.value());
    if (a.symbolic() && b.known() && b.value() <= 0 && a.symbol().find('-') == std::string::npos) return a;  // A size is not negative.
    if (b.symbolic() && a.known()) return larger(b, a);
    return a == b ? a : Element();
}

using IntOp = std::function<Element(const Element&, const Element&)>;
using FloatOp = double (*)(double, double);

template <class Compare>
IntOp comparing(Compare compare) {
    return [compare](const Element& a, const Element& b) { return a.known() && b.known() ? Element(std::int64_t{compare(a.value(), b.value())}) : Element(); };
}

struct BinaryOp {
    IntOp ints;
    FloatOp floats = nullptr;
};

const std::unordered_map<std::string_view, BinaryOp>& binaryOps() {
    static const std::unordered_map<std::string_view, BinaryOp> kOps = {
        {"Add", {[](const Element& a, const Element& b) { return add(a, b); }, [](double a, double b) { return a + b; }}},
        {"Sum", {[](const Element& a, const Element& b) { return add(a, b); }, [](double a, double b) { return a + b; }}},
        {"Sub", {[](const Element& a, const Element& b) { return sub(a, b); }, [](double a, double b) { return a - b; }}},
        {"Mul", {[](const Element& a, const Element& b) { return mul(a, b); }, [](double a, double b) { return a * b; }}},
        {"Div", {[](const Element& a, const Element& b) { return divide(a, b).value_or(Element()); }, [](double a, double b) { return a / b; }}},
        {"Min", {smaller, [](double a, double b) { return std::fmin(a, b); }}},
        {"Max", {larger, [](double a, double b) { return std::fmax(a, b); }}},
        {"Pow", {nullptr, [](double a, double b) { return std::pow(a, b); }}},
        {"Equal", {comparing(std::equal_to<>()), [](double a, double b) { return double(a == b); }}},
        {"Less", {comparing(std::less<>()), [](double a, double b) { return double(a < b); }}},
        {"LessOrEqual", {comparing(std::less_equal<>()), [](double a, double b) { return double(a <= b); }}},
        {"Greater", {comparing(std::greater<>()), [](double a, double b) { return double(a > b); }}},
        {"GreaterOrEqual", {comparing(std::greater_equal<>()), [](double a, double b) { return double(a >= b); }}},
        {"And", {comparing(std::logical_and<>()), nullptr}},
        {"Or", {comparing(std::logical_or<>()), nullptr}},
        {"Xor", {comparing(std::not_equal_to<>()), nullptr}},
    };
    return kOps;
}

/// Folds the inputs of a broadcasting operator from left to right.
template <class T, class Op>
std::optional<std::vector<T>> foldBroadcast(const InferContext& c, const Dims& out, const Op& op) {
    auto all = broadcastTracked<T>(c, 0, out);
    for (std::size_t i = 1; all && i < c.inputCount(); ++i) {
        const auto next = broadcastTracked<T>(c, i, out);
        if (!next) return std::nullopt;
        for (std::size_t k = 0; k < all->size(); ++k)
            (*all)[k] = op((*all)[k], (*next)[k]);
    }
    return all;
}

void propagateBinary(InferContext& c, const BinaryOp& op) {
    const Dims out = *outputDims(c, 0);
    if (c.node().find("axis") != nullptr) return;  // The broadcasting of opset 6 and before.
    if (op.ints)
        if (auto values = foldBroadcast<Element>(c, out, op.ints)) return storeInts(c, 0, std::move(*values));
    if (op.floats == nullptr) return;
    if (auto values = foldBroadcast<double>(c, out, op.floats)) storeFloats(c, 0, *values);
}

void propagateMod(InferContext& c) {
    const bool likeC = c.node().intOr("fmod", 0) != 0;
    if (auto values = foldBroadcast<Element>(c, *outputDims(c, 0), [likeC](const Element& a, const Element& b) { return modulo(a, b, likeC); }))
        storeInts(c, 0, std::move(*values));
}

/// Equal on symbols: the same expression is equal; different ones may be.
void propagateEqual(InferContext& c) {
    const auto same = [](const Element& a, const Element& b) -> Element {
        if (a.known() && b.known()) return std::int64_t{a.value() == b.value()};
        if (a.symbolic() && a == b) return std::int64_t{1};
        const bool impossible = (a.known() && a.value() < 0 && b.symbolic()) || (b.known() && b.value() < 0 && a.symbolic());
        return impossible ? Element(std::int64_t{0}) : Element();
    };
    if (auto values = foldBroadcast<Element>(c, *outputDims(c, 0), same)) return storeInts(c, 0, std::move(*values));
    if (auto values = foldBroadcast<double>(c, *outputDims(c, 0), binaryOps().at("Equal").floats)) storeFloats(c, 0, *values);
}

void propagateUnary(InferContext& c) {
    static const std::unordered_map<std::string_view, double (*)(double)> kFloats = {{"Floor", [](double x) { return std::floor(x); }},
                                                                                     {"Ceil", [](double x) { return std::ceil(x); }},
                                                                                     {"Round", [](double x) { return std::nearbyint(x); }},
                                                                                     {"Sqrt", [](double x) { return std::sqrt(x); }},
                                                                                     {"Neg", [](double x) { return -x; }},
                                                                                     {"Abs", [](double x) { return std::fabs(x); }},
                                                                                     {"Reciprocal", [](double x) { return 1 / x; }}};
    const std::string& op = c.node().opType;
    if (const InferredValue& in = c.input(0); in.data) {
        auto values = *in.data;
        for (Element& e : values) {
            if (op == "Not")
                e = e.known() ? Element(std::int64_t{e.value() == 0}) : Element();
            else if (op == "Neg")
                e = sub(Element(std::int64_t{0}), e);
            else if (op == "Abs")
                e = e.known() && e.value() != INT64_MIN ? Element(std::abs(e.value())) : Element();
            else
                return;
        }
        return storeInts(c, 0, std::move(values));
    }
    const auto it = kFloats.find(op);
    auto values = c.inputFloats(0);
    if (it == kFloats.end() || !values) return;
    std::transform(values->begin(), values->end(), values->begin(), it->second);
    storeFloats(c, 0, *values);
}

void propagateCast(InferContext& c) {
    const DType to = c.inferred(c.node().outputs[0]).type.dtype;
    if (const auto& data = c.input(0).data) {
        if (isFloat(to)) {
            if (const auto ints = c.inputInts(0)) storeFloats(c, 0, std::vector<double>(ints->begin(), ints->end()));
            return;
        }
        auto values = *data;
        if (to == DType::Bool)
            for (Element& e : values)
                e = e.known() ? Element(std::int64_t{e.value() != 0}) : Element();
        return storeInts(c, 0, std::move(values));
    }
    const auto floats = c.inputFloats(0);
    if (!floats) return;
    if (isFloat(to)) return storeFloats(c, 0, *floats);
    std::vector<Element> values;
    for (const double x : *floats) {
        if (to == DType::Bool)
            values.emplace_back(std::int64_t{x != 0});
        else
            values.push_back(std::isfinite(x) && std::fabs(x) < 9e15 ? Element(static_cast<std::int64_t>(x)) : Element());
    }
    storeInts(c, 0, std::move(values));
}

void propagateClip(InferContext& c) {
    const auto in = c.inputInts(0);
    if (!in || (c.hasInput(1) && !c.inputInts(1)) || (c.hasInput(2) && !c.inputInts(2))) return;
    const auto bound = [&](std::size_t i, std::int64_t none) { return c.hasInput(i) && !c.inputInts(i)->empty() ? c.inputInts(i)->front() : none; };
    const std::int64_t low = bound(1, INT64_MIN);
    const std::int64_t high = bound(2, INT64_MAX);
    std::vector<Element> values;
    for (const std::int64_t x : *in)
        values.emplace_back(std::min(std::max(x, low), high));
    storeInts(c, 0, std::move(values));
}

/// Sums, products and extremes: `into` maps every input element to its output element.
template <class T, class Op>
std::optional<std::vector<T>> reduceTracked(const InferContext& c, const Op& op) {
    const auto in = tracked<T>(c, 0);
    const auto dims = c.inputType(0).shape.concrete();
    const Dims out = *outputDims(c, 0);
    if (!in || !dims || in->empty() || in->size() > kMaxTracked) return std::nullopt;
    const AxesSource axes = intsFrom(c, "axes", 1);
    if (axes.given && !axes.values) return std::nullopt;
    std::vector<bool> reduced(dims->size(), !axes.given || axes.values->empty());
    if (axes.given && axes.values->empty() && c.node().intOr("noop_with_empty_axes", 0) != 0) return in;
    if (axes.given)
        for (const std::int64_t axis : *axes.values)
            reduced[static_cast<std::size_t>(axis < 0 ? axis + static_cast<std::int64_t>(dims->size()) : axis)] = true;
    Dims kept = *dims;
    for (std::size_t i = 0; i < kept.size(); ++i)
        if (reduced[i]) kept[i] = 1;
    auto strides = stridesOf(kept);
    for (std::size_t i = 0; i < kept.size(); ++i)
        if (reduced[i]) strides[i] = 0;
    std::vector<std::optional<T>> sums(static_cast<std::size_t>(*elementCount(out)));
    const auto from = stridesOf(*dims);
    for (std::size_t k = 0; k < in->size(); ++k) {
        std::int64_t to = 0;
        for (std::size_t i = 0; i < from.size(); ++i)
            to += static_cast<std::int64_t>(k) / from[i] % (*dims)[i] * strides[i];
        auto& sum = sums[static_cast<std::size_t>(to)];
        sum = sum ? op(*sum, (*in)[k]) : (*in)[k];
    }
    std::vector<T> values;
    for (const auto& sum : sums)
        values.push_back(sum.value_or(T()));
    return values;
}

void propagateReduce(InferContext& c) {
    static const std::unordered_map<std::string_view, std::string_view> kAs = {
        {"ReduceSum", "Add"}, {"ReduceProd", "Mul"}, {"ReduceMin", "Min"}, {"ReduceMax", "Max"}};
    const BinaryOp& op = binaryOps().at(kAs.at(c.node().opType));
    if (auto values = reduceTracked<Element>(c, op.ints)) return storeInts(c, 0, std::move(*values));
    if (auto values = reduceTracked<double>(c, op.floats)) storeFloats(c, 0, *values);
}

using Fn = void (*)(InferContext&);

const std::unordered_map<std::string_view, Fn>& arithmetic() {
    static const std::unordered_map<std::string_view, Fn> kOps = {
        {"Mod", propagateMod},          {"Equal", propagateEqual},      {"Cast", propagateCast},         {"CastLike", propagateCast},
        {"Clip", propagateClip},        {"Not", propagateUnary},        {"Neg", propagateUnary},         {"Abs", propagateUnary},
        {"Floor", propagateUnary},      {"Ceil", propagateUnary},       {"Round", propagateUnary},       {"Sqrt", propagateUnary},
        {"Reciprocal", propagateUnary}, {"ReduceSum", propagateReduce}, {"ReduceProd", propagateReduce}, {"ReduceMin", propagateReduce},
        {"ReduceMax", propagateReduce}};
    return kOps;
}

}  // namespace

std::optional<Dims> outputDims(const InferContext& c, std::size_t i) {
    if (i >= c.outputCount() || !c.node().outputs[i]) return std::nullopt;
    auto dims = c.inferred(c.node().outputs[i]).type.shape.concrete();
    if (!dims) return std::nullopt;
    const auto count = elementCount(*dims);
    if (!count || *count > static_cast<std::int64_t>(kMaxTracked)) return std::nullopt;
    return dims;
}

void storeInts(InferContext& c, std::size_t i, std::vector<Element> values) {
    const auto dims = outputDims(c, i);
    if (!dims || elementCount(*dims) != static_cast<std::int64_t>(values.size())) return;
    const DType type = c.inferred(c.node().outputs[i]).type.dtype;
    if (!(isInteger(type) || type == DType::Bool) || dtypeBits(type) < 8) return;
    for (Element& e : values)
        if (e.known() && !fits(type, e.value())) e = Element();
    c.setOutputData(i, std::move(values));
}

void storeFloats(InferContext& c, std::size_t i, std::vector<double> values) {
    const auto dims = outputDims(c, i);
    if (!dims || elementCount(*dims) != static_cast<std::int64_t>(values.size())) return;
    const DType type = c.inferred(c.node().outputs[i]).type.dtype;
    if (type == DType::Bool || isInteger(type)) {  // Comparisons of floats.
        std::vector<Element> flags;
        for (const double x : values)
            flags.emplace_back(static_cast<std::int64_t>(x));
        return storeInts(c, i, std::move(flags));
    }
    if (type == DType::F32)
        for (double& x : values)
            x = static_cast<float>(x);
    if (type == DType::F32 || type == DType::F64) c.setOutputFloats(i, std::move(values));
}

void propagate(InferContext& c) {
    if (!c.node().domain.empty() || !outputDims(c, 0)) {
        if (c.node().domain.empty()) propagateSplit(c);
        return;
    }
    const std::string& op = c.node().opType;
    if (const auto it = arithmetic().find(op); it != arithmetic().end()) return it->second(c);
    if (const auto it = binaryOps().find(op); it != binaryOps().end()) return propagateBinary(c, it->second);
    propagateMovement(c);
}

}  // namespace hs::ops
