// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "core/graph/op_registry.h"

namespace hs {
namespace {

const InferredValue kNothing;

}  // namespace

const InferredValue& InferContext::input(std::size_t i) const {
    return hasInput(i) ? m_table.at(m_node.inputs[i]) : kNothing;
}

const ValueType& InferContext::inputType(std::size_t i) const {
    return input(i).type;
}

const std::vector<Element>* InferContext::inputData(std::size_t i) const {
    const auto& data = input(i).data;
    return data ? &*data : nullptr;
}

std::optional<std::vector<std::int64_t>> InferContext::inputInts(std::size_t i) const {
    if (const auto* data = inputData(i)) {
        std::vector<std::int64_t> out;
        out.reserve(data->size());
        for (const Element& element : *data) {
            if (!element.known()) return std::nullopt;
            out.push_back(element.value());
        }
        return out;
    }
    const Tensor* tensor = inputTensor(i);
    if (tensor == nullptr || !(isInteger(tensor->dtype()) || tensor->dtype() == DType::Bool)) return std::nullopt;
    if (dtypeBits(tensor->dtype()) < 8) return std::nullopt;
    return toInt64s(*tensor);
}

std::optional<std::vector<double>> InferContext::inputFloats(std::size_t i) const {
    return input(i).floats;
}

const Tensor* InferContext::inputTensor(std::size_t i) const {
    if (!hasInput(i)) return nullptr;
    const Value& value = m_model.value(m_node.inputs[i]);
    if (value.initializer) return m_bodies != nullptr && m_bodies->overridden(value.id) ? nullptr : &*value.initializer;
    if (!value.producer) return nullptr;
    const Node& producer = m_model.node(value.producer);
    return producer.opType == "Constant" && producer.domain.empty() ? producer.get<Tensor>("value") : nullptr;
}

void InferContext::setOutput(std::size_t i, ValueType type) {
    if (i < m_node.outputs.size() && m_node.outputs[i]) m_table.at(m_node.outputs[i]).type = std::move(type);
}

void InferContext::setOutputData(std::size_t i, std::vector<Element> data) {
    if (i < m_node.outputs.size() && m_node.outputs[i] && data.size() <= kMaxTracked) m_table.at(m_node.outputs[i]).data = std::move(data);
}

void InferContext::setOutputFloats(std::size_t i, std::vector<double> values) {
    if (i < m_node.outputs.size() && m_node.outputs[i] && values.size() <= kMaxTracked) m_table.at(m_node.outputs[i]).floats = std::move(values);
}

}  // namespace hs
