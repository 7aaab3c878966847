// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "core/graph/op_registry.h"
#include "core/import/importer.h"
#include "core/zoo/zoo.h"

namespace hs {
namespace {

double totalFlops(const Model& model) {
    InferOptions options;
    options.dims = {{"N", 1}, {"seq", 16}};
    const TypeTable types = inferTypes(model, options).value();
    double out = 0;
    for (const Node& node : model.nodes())
        out += nodeCost(model, node, types).flops;
    return out;
}

class ZooShapes : public testing::TestWithParam<std::string> {};

TEST_P(ZooShapes, ShapesResolveForABatch) {
    const auto model = buildZooModel(GetParam()).value();
    InferOptions options;
    options.dims = {{"N", 2}, {"seq", 7}};
    const auto types = inferTypes(*model, options);
    ASSERT_TRUE(types.has_value()) << types.error().text();
    EXPECT_TRUE(unknownOperators(*model).empty());
    for (const Value& value : model->values())
        EXPECT_TRUE(types->type(value.id).isStaticTensor()) << value.name << " " << types->type(value.id).text();
}

std::vector<std::string> allNames() {
    std::vector<std::string> out;
    for (const ZooEntry& entry : zooEntries())
        out.push_back(entry.name);
    return out;
}
INSTANTIATE_TEST_SUITE_P(All, ZooShapes, testing::ValuesIn(allNames()), [](const auto& each) {
    std::string name = each.param;
    for (char& c : name)
        c = c == '-' ? '_' : c;
    return name;
});

TEST(ZooCost, MobilenetCostsWhatThePaperSays) {
    const double flops = totalFlops(*buildZooModel("mobilenet_v2").value());
    EXPECT_GT(flops, 6.0e8);
    EXPECT_LT(flops, 6.4e8);
}

TEST(ZooCost, ResnetCostsWhatThePaperSays) {
    const double flops = totalFlops(*buildZooModel("resnet50").value());
    EXPECT_GT(flops, 8.0e9);
    EXPECT_LT(flops, 8.5e9);
}

}  // namespace
}  // namespace hs
