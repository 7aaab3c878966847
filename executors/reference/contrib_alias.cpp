// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "executors/reference/registry.h"

namespace hs::ref {
namespace {

/// An operator of com.microsoft that means what an operator of ai.onnx means at some opset.
struct Twin {
    std::string_view name;
    std::span<const Operator> family;
    int opset;
};

std::vector<Operator> makeTwins() {
    const Twin twins[] = {
        {"GatherND", gatherOperators(), 13},  {"Trilu", selectOperators(), 14},         {"Pad", sliceOperators(), 18},
        {"GridSample", imageOperators(), 16}, {"QuantizeLinear", quantOperators(), 21}, {"DequantizeLinear", quantOperators(), 21},
    };
    std::vector<Operator> out;
    for (const Twin& twin : twins) {
        const auto at = std::find_if(twin.family.begin(), twin.family.end(),
                                     [&](const Operator& op) { return op.name == twin.name && op.since <= twin.opset && twin.opset <= op.until; });
        if (at == twin.family.end()) continue;
        out.push_back(*at);
        out.back().domain = "com.microsoft";
        out.back().meaning = twin.opset;
        out.back().since = 1;
        out.back().until = 1 << 20;
    }
    return out;
}

}  // namespace

std::span<const Operator> contribAliasOperators() {
    static const std::vector<Operator> kTwins = makeTwins();
    return kTwins;
}

}  // namespace hs::ref
