// SPDX-License-Identifier: Apache-2.0
#include "executors/reference/registry.h"

#include <map>

namespace hs::ref {
namespace {

using Table = std::multimap<std::pair<std::string_view, std::string_view>, const Operator*>;  ///< By domain and name.

Table makeTable() {
    Table table;
    for (const auto family : {attentionOperators(),
                              binaryOperators(),
                              castOperators(),
                              convOperators(),
                              einsumOperators(),
                              gatherOperators(),
                              imageOperators(),
                              logicOperators(),
                              lossOperators(),
                              matmulOperators(),
                              miscOperators(),
                              normOperators(),
                              poolOperators(),
                              quantOperators(),
                              reduceOperators(),
                              resizeOperators(),
                              rnnOperators(),
                              scanOperators(),
                              shapeOperators(),
                              signalOperators(),
                              softmaxOperators(),
                              selectOperators(),
                              sliceOperators(),
                              unaryOperators(),
                              variadicOperators(),
                              linearAttentionOperators(),
                              regionOperators(),
                              textOperators(),
                              contribActivationOperators(),
                              contribAliasOperators(),
                              contribAttentionOperators(),
                              contribConvOperators(),
                              contribMiscOperators(),
                              contribQuantOperators(),
                              contribMatmulOperators(),
                              contribNormOperators(),
                              contribGroupedOperators(),
                              sequenceOperators(),
                              randomOperators(),
                              mlOperators(),
                              trainingOperators(),
                              regexOperators(),
                              imageDecoderOperators()})
        for (const Operator& op : family)
            table.emplace(std::pair(op.domain, op.name), &op);
    return table;
}

const Table& table() {
    static const Table kTable = makeTable();
    return kTable;
}

}  // namespace

const Operator* findOperator(std::string_view name, int opset, std::string_view domain) {
    const auto [first, last] = table().equal_range({domain, name});
    for (auto it = first; it != last; ++it)
        if (opset >= it->second->since && opset <= it->second->until) return it->second;
    return nullptr;
}

bool knowsOperator(std::string_view name) {
    return table().contains({"", name});
}

}  // namespace hs::ref
