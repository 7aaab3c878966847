// SPDX-License-Identifier: Apache-2.0
#include "executors/onednn/op_table.h"

#include <map>

namespace hs::dnn {
namespace {

Result<Dims> sizesOf(const Argument& argument, const std::string& node) {
    const auto dims = argument.type.shape.concrete();
    if (!dims) return fail(ErrorCode::Unsupported, node, "executor onednn needs static shapes, not {}", argument.type.text());
    return *dims;
}

}  // namespace

Status Build::prepare() {
    for (const Argument& argument : m_request.inputs) {
        m_inDims.emplace_back();
        if (!argument.value.valid()) continue;
        HS_TRY(m_inDims.back(), sizesOf(argument, m_node.name));
    }
    for (const Argument& argument : m_request.outputs) {
        m_outDims.emplace_back();
        if (!argument.value.valid()) continue;
        HS_TRY(m_outDims.back(), sizesOf(argument, m_node.name));
    }
    return {};
}

Slot Build::weights(Program& program, std::size_t i, const Desc& desc, const Desc& wanted) const {
    const Tensor* known = constant(i);
    if (known != nullptr && !(desc == wanted)) return program.packed(desc, known->raw(), wanted);
    return program.inLayout(program.input(i, desc), wanted);
}

tl::unexpected<Error> Build::unsupported(std::string_view why) const {
    return fail(ErrorCode::Unsupported, m_node.name, "executor onednn has no kernel for this {}: {}", m_node.opType, why);
}

const Tensor* Asked::constant(std::size_t i) const {
    if (!hasInput(i)) return nullptr;
    const Value& value = m_query.model->value(node().inputs[i]);
    if (value.role == ValueRole::Initializer && value.initializer) return &*value.initializer;
    if (!value.producer) return nullptr;
    const Node& producer = m_query.model->node(value.producer);
    return producer.opType == "Constant" && producer.domain.empty() ? producer.get<Tensor>("value") : nullptr;
}

std::optional<std::vector<std::int64_t>> Asked::ints(std::size_t i) const {
    if (!hasInput(i)) return std::nullopt;
    if (const Tensor* tensor = constant(i)) return toInt64s(*tensor);
    const auto& data = m_query.types->at(node().inputs[i]).data;
    if (!data) return std::nullopt;
    std::vector<std::int64_t> out;
    for (const auto& element : *data) {
        if (!element.known()) return std::nullopt;
        out.push_back(element.value());
    }
    return out;
}

const OpEntry* findOp(std::string_view op) {
    static const std::map<std::string_view, OpEntry> kOps = [] {
        std::map<std::string_view, OpEntry> ops;
        for (const auto& table :
             {convolutionOps(), matmulOps(), poolingOps(), normalizationOps(), eltwiseOps(), binaryOps(), reductionOps(), layoutOps(), resizeOps(), rnnOps()})
            for (const OpEntry& entry : table)
                ops.emplace(entry.op, entry);
        return ops;
    }();
    const auto it = kOps.find(op);
    return it == kOps.end() ? nullptr : &it->second;
}

}  // namespace hs::dnn
