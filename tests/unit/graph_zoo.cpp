// SPDX-License-Identifier: Apache-2.0
// Inference and costs over the standard architectures.
#include <gtest/gtest.h>

#include "core/graph/op_registry.h"
#include "core/zoo/zoo.h"

namespace hs {
namespace {

TEST(InferZoo, EveryShapeIsStaticOnceSymbolsAreBound) {
    for (const ZooEntry& entry : zooEntries()) {
        if (entry.name.starts_with("wide")) continue;  // Large and uniform: the benchmark covers them.
        const auto model = buildZooModel(entry.name);
        ASSERT_TRUE(model) << entry.name;
        InferOptions options;
        for (const auto& symbol : inputSymbols(**model))
            options.dims[symbol] = 2;
        const auto types = inferTypes(**model, options);
        ASSERT_TRUE(types) << entry.name << ": " << types.error().text();
        for (const Value& value : (*model)->values())
            EXPECT_TRUE(types->type(value.id).isStaticTensor()) << entry.name << " " << value.name << " " << types->type(value.id).text();
    }
}

TEST(InferZoo, MobileNetCostsWhatItsAuthorsSay) {
    // 300 million multiply-adds at 224 x 224 (Sandler et al. 2018, table 4), two FLOPs each, plus the element-wise rest.
    const auto model = buildZooModel("mobilenet_v2");
    ASSERT_TRUE(model);
    InferOptions options;
    for (const auto& symbol : inputSymbols(**model))
        options.dims[symbol] = 1;
    const auto types = inferTypes(**model, options);
    ASSERT_TRUE(types) << types.error().text();
    double flops = 0;
    for (const Node& node : (*model)->nodes())
        flops += nodeCost(**model, node, *types).flops;
    EXPECT_GT(flops, 5.5e8);
    EXPECT_LT(flops, 7.5e8);
}

}  // namespace
}  // namespace hs
