// SPDX-License-Identifier: Apache-2.0
// Operators that make tensors: constants, ranges, shapes, random numbers.
#include <algorithm>
#include <cmath>

#include "core/graph/ops.h"

namespace hs::ops {
namespace {

Status inferConstant(InferContext& c) {
    const Node& node = c.node();
    const auto length = [](const auto& list) { return Shape({Dim(static_cast<std::int64_t>(list.size()))}); };
    if (const Tensor* tensor = node.get<Tensor>("value")) {
        c.setOutput(0, tensor->type());
    } else if (node.get<std::int64_t>("value_int") != nullptr) {
        c.setOutput(0, DType::I64, Shape::scalar());
    } else if (const auto* ints = node.get<std::vector<std::int64_t>>("value_ints")) {
        c.setOutput(0, DType::I64, length(*ints));
    } else if (node.get<float>("value_float") != nullptr) {
        c.setOutput(0, DType::F32, Shape::scalar());
    } else if (const auto* floats = node.get<std::vector<float>>("value_floats")) {
        c.setOutput(0, DType::F32, length(*floats));
    } else if (node.get<std::string>("value_string") != nullptr) {
        c.setOutput(0, DType::String, Shape::scalar());
    } else if (const auto* strings = node.get<std::vector<std::string>>("value_strings")) {
        c.setOutput(0, DType::String, length(*strings));
    } else if (node.find("sparse_value") == nullptr) {
        return bad(c, "no value is given");
    }
    return {};
}

/// Sizes from the elements of input i.
Result<Shape> shapeFromInput(const InferContext& c, std::size_t i) {
    const auto* data = c.inputData(i);
    if (data == nullptr) {
        const Shape& list = shapeOf(c, i);
        if (list.ranked() && list.rank() == 1 && list[0].known() && list[0].value() <= kMaxRank)
            return unknownOfRank(static_cast<std::size_t>(list[0].value()));
        return Shape();
    }
    std::vector<Dim> out;
    for (const Element& e : *data) {
        if (e.known() && e.value() < 0) return bad(c, "the shape holds {}", e.value());
        out.push_back(e.dim());
    }
    return Shape(std::move(out));
}

Status inferConstantOfShape(InferContext& c) {
    HS_CHECK(wantRank(c, 0, 1));
    HS_TRY(Shape out, shapeFromInput(c, 0));
    const Tensor* value = c.node().get<Tensor>("value");
    if (value != nullptr && value->count() != 1) return bad(c, "the value has {} elements, one is needed", value->count());
    c.setOutput(0, value != nullptr ? value->dtype() : DType::F32, std::move(out));
    return {};
}

Status inferRange(InferContext& c) {
    HS_CHECK(wantSameDType(c, {0, 1, 2}));
    const auto number = [&](std::size_t i) -> std::optional<double> {
        if (const auto ints = c.inputInts(i); ints && ints->size() == 1) return static_cast<double>(ints->front());
        if (const auto floats = c.inputFloats(i); floats && floats->size() == 1) return floats->front();
        return std::nullopt;
    };
    const auto start = number(0);
    const auto limit = number(1);
    const auto delta = number(2);
    Dim count;
    if (delta && *delta == 0) return bad(c, "delta is 0");
    if (start && limit && delta) {
        const double steps = std::max(0.0, std::ceil((*limit - *start) / *delta));
        if (!(steps <= static_cast<double>(kMaxElements))) return bad(c, "{} elements are too many", steps);
        count = Dim(static_cast<std::int64_t>(steps));
    } else if (const auto* end = c.inputData(1); start && delta && *start == 0 && *delta == 1 && end != nullptr && end->size() == 1) {
        count = end->front().dim();
    }
    c.setOutput(0, dtypeOf(c, 0), Shape({count}));
    return {};
}

Status inferShape(InferContext& c) {
    const Shape& in = shapeOf(c, 0);
    Dim length;
    if (in.ranked()) {
        const auto rank = static_cast<std::int64_t>(in.rank());
        const auto clamp = [rank](std::int64_t i) { return std::clamp<std::int64_t>(i < -rank ? 0 : i < 0 ? i + rank : i, 0, rank); };
        length = Dim(std::max<std::int64_t>(0, clamp(c.node().intOr("end", rank)) - clamp(c.node().intOr("start", 0))));
    }
    c.setOutput(0, DType::I64, Shape({length}));
    return {};
}

Status inferSize(InferContext& c) {
    c.setOutput(0, DType::I64, Shape::scalar());
    return {};
}

/// Type from `dtype`, or else `fallback`.
Result<DType> typeFrom(const InferContext& c, DType fallback, std::string_view attribute = "dtype") {
    const auto* number = c.node().get<std::int64_t>(attribute);
    if (number == nullptr) return fallback;
    const auto type = dtypeFromOnnx(*number);
    if (!type || *type == DType::Undefined) return bad(c, "attribute \"{}\" names no known element type", attribute);
    return *type;
}

Status inferEyeLike(InferContext& c) {
    HS_CHECK(wantRank(c, 0, 2));
    HS_TRY(const DType type, typeFrom(c, dtypeOf(c, 0)));
    c.setOutput(0, type, shapeOf(c, 0));
    return {};
}

Status inferRandom(InferContext& c) {
    HS_TRY(const DType type, typeFrom(c, DType::F32));
    std::vector<Dim> dims;
    for (const std::int64_t d : c.node().intsOr("shape")) {
        if (d < 0) return bad(c, "the shape holds {}", d);
        dims.emplace_back(d);
    }
    c.setOutput(0, type, Shape(std::move(dims)));
    return {};
}

Status inferRandomLike(InferContext& c) {
    HS_TRY(const DType type, typeFrom(c, dtypeOf(c, 0)));
    c.setOutput(0, type, shapeOf(c, 0));
    return {};
}

Status inferMultinomial(InferContext& c) {
    HS_CHECK(wantRank(c, 0, 2));
    HS_TRY(const DType type, typeFrom(c, DType::I32));
    const std::int64_t samples = c.node().intOr("sample_size", 1);
    if (samples < 0) return bad(c, "sample_size is {}", samples);
    c.setOutput(0, type, Shape({shapeOf(c, 0).ranked() ? shapeOf(c, 0)[0] : Dim(), Dim(samples)}));
    return {};
}

void defineRandom(OpRegistry& registry, std::string_view name, int inputs, InferFn infer) {
    OpSchema schema;
    schema.name = name;
    schema.minInputs = inputs;
    schema.maxInputs = inputs;
    schema.infer = infer;
    schema.randomOutput = true;
    registry.add(std::move(schema));
}

}  // namespace

void registerCreation(OpRegistry& r) {
    define(r, "Constant", {0, 0}, inferConstant, noFlops);
    define(r, "ConstantOfShape", {1, 1}, inferConstantOfShape, noFlops);
    define(r, "Range", {3, 3}, inferRange, noFlops);
    define(r, "Shape", {1, 1}, inferShape, noFlops);
    define(r, "Size", {1, 1}, inferSize, noFlops);
    define(r, "EyeLike", {1, 1}, inferEyeLike, noFlops);
    defineRandom(r, "RandomNormal", 0, inferRandom);
    defineRandom(r, "RandomUniform", 0, inferRandom);
    defineRandom(r, "RandomNormalLike", 1, inferRandomLike);
    defineRandom(r, "RandomUniformLike", 1, inferRandomLike);
    defineRandom(r, "Bernoulli", 1, inferRandomLike);
    defineRandom(r, "Multinomial", 1, inferMultinomial);
}

}  // namespace hs::ops
