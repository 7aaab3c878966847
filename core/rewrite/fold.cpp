// SPDX-License-Identifier: Apache-2.0
#include "core/rewrite/fold.h"

#include <algorithm>

namespace hs {
namespace {

template <class T>
Tensor vectorOf(const std::vector<T>& values) {
    return Tensor::of<T>({static_cast<std::int64_t>(values.size())}, values);
}

template <class T>
void fill(Tensor& tensor, const std::vector<Element>& elements) {
    auto to = tensor.data<T>();
    std::transform(elements.begin(), elements.end(), to.begin(), [](const Element& e) { return static_cast<T>(e.value()); });
}

}  // namespace

std::optional<Tensor> constantValue(const Node& node) {
    if (node.opType != "Constant" || !node.domain.empty()) return std::nullopt;
    if (const auto* tensor = node.get<Tensor>("value")) return *tensor;
    if (const auto* one = node.get<std::int64_t>("value_int")) return Tensor::scalar(*one);
    if (const auto* many = node.get<std::vector<std::int64_t>>("value_ints")) return vectorOf(*many);
    if (const auto* one = node.get<float>("value_float")) return Tensor::scalar(*one);
    if (const auto* many = node.get<std::vector<float>>("value_floats")) return vectorOf(*many);
    if (const auto* one = node.get<std::string>("value_string")) return Tensor::scalar(*one);
    if (const auto* many = node.get<std::vector<std::string>>("value_strings")) return vectorOf(*many);
    return std::nullopt;
}

std::optional<Tensor> knownTensor(const InferredValue& value) {
    const DType type = value.type.dtype;
    if (!value.data || !value.type.isStaticTensor() || (type != DType::I32 && type != DType::I64 && type != DType::Bool)) return std::nullopt;
    const bool isComplete = std::all_of(value.data->begin(), value.data->end(), [](const Element& e) { return e.known(); });
    auto tensor = Tensor::allocate(type, *value.type.shape.concrete());
    if (!isComplete || !tensor || tensor->count() != static_cast<std::int64_t>(value.data->size())) return std::nullopt;
    if (type == DType::I64)
        fill<std::int64_t>(*tensor, *value.data);
    else if (type == DType::I32)
        fill<std::int32_t>(*tensor, *value.data);
    else
        fill<std::uint8_t>(*tensor, *value.data);
    return std::move(*tensor);
}

std::optional<Tensor> foldedOutput(const Node& node, const InferredValue& output) {
    if (auto constant = constantValue(node)) return constant;
    return knownTensor(output);
}

bool passesThrough(const Model& model, const TypeTable& types, const Node& node) {
    if (!node.domain.empty() || node.inputs.empty() || !node.inputs.front() || node.outputs.empty() || !node.outputs.front()) return false;
    if (node.opType == "Identity") return true;
    if (node.opType != "Dropout") return false;
    // Since opset 12 an input chooses training; a default that a run may override does not count as known.
    if (node.inputs.size() < 3 || !node.inputs[2]) return true;
    const auto& training = types.at(node.inputs[2]).data;
    const bool isFixed = model.value(node.inputs[2]).role != ValueRole::GraphInput;
    return isFixed && training && training->size() == 1 && training->front().known() && training->front().value() == 0;
}

}  // namespace hs
