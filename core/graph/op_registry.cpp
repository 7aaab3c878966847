// SPDX-License-Identifier: Apache-2.0
#include "core/graph/op_registry.h"

#include <algorithm>

#include "core/graph/ops.h"

namespace hs {

OpRegistry::OpRegistry() {
    using namespace ops;
    for (const auto family : {registerElementwise,
                              registerConvolution,
                              registerNormalization,
                              registerMatrix,
                              registerReduction,
                              registerLayout,
                              registerIndexing,
                              registerResize,
                              registerCreation,
                              registerRecurrent,
                              registerAttention,
                              registerQuantization,
                              registerDetection,
                              registerSignal,
                              registerControlFlow,
                              registerSequence,
                              registerText,
                              registerTraining,
                              registerMl,
                              registerContrib,
                              registerContribAttention,
                              registerContribQuantization})
        family(*this);
}

const OpRegistry& OpRegistry::instance() {
    static const OpRegistry kRegistry;
    return kRegistry;
}

void OpRegistry::add(OpSchema schema) {
    m_byName[{schema.domain, schema.name}].push_back(m_schemas.size());
    m_schemas.push_back(std::move(schema));
}

const OpSchema* OpRegistry::find(std::string_view domain, std::string_view name, int opset) const {
    const auto it = m_byName.find({std::string(domain == "ai.onnx" ? "" : domain), std::string(name)});
    if (it == m_byName.end()) return nullptr;
    const OpSchema* best = nullptr;
    for (const std::size_t index : it->second)
        if (m_schemas[index].since <= std::max(opset, 1) && (best == nullptr || m_schemas[index].since > best->since)) best = &m_schemas[index];
    return best;
}

}  // namespace hs
