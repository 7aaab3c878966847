// SPDX-License-Identifier: Apache-2.0
#include "core/zoo/zoo.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <map>

#include "core/import/importer.h"

namespace hs {
namespace {

std::string exported(const Model& model) {
    return exportModelBytes(model).value();
}

std::span<const std::byte> bytesOf(const std::string& text) {
    return std::as_bytes(std::span(text.data(), text.size()));
}

std::map<std::string, int> operators(const Model& model) {
    std::map<std::string, int> out;
    for (const Node& node : model.nodes())
        ++out[node.opType];
    return out;
}

class ZooModel : public testing::TestWithParam<std::string> {};

TEST_P(ZooModel, BuildsNamedAndFinite) {
    const auto model = buildZooModel(GetParam()).value();
    EXPECT_EQ(model->info().opsets.at("ai.onnx"), 17);
    EXPECT_EQ(model->info().irVersion, 8);
    EXPECT_FALSE(model->main().outputs.empty());
    for (const Value& value : model->values()) {
        EXPECT_FALSE(value.name.empty());
        if (!value.initializer || value.initializer->dtype() != DType::F32) continue;
        bool finite = true;
        bool zero = value.initializer->count() > 0;
        for (const float v : value.initializer->data<float>()) {
            finite = finite && std::isfinite(v);
            zero = zero && v == 0.0F;
        }
        EXPECT_TRUE(finite && !zero) << value.name;
    }
}

std::vector<std::string> allNames() {
    std::vector<std::string> out;
    for (const ZooEntry& entry : zooEntries())
        out.push_back(entry.name);
    return out;
}
INSTANTIATE_TEST_SUITE_P(All, ZooModel, testing::ValuesIn(allNames()), [](const auto& each) {
    std::string name = each.param;
    for (char& c : name)
        c = c == '-' ? '_' : c;
    return name;
});

TEST(Zoo, SameSeedSameBytes) {
    EXPECT_EQ(exported(*buildZooModel("mlp", 3).value()), exported(*buildZooModel("mlp", 3).value()));
    EXPECT_NE(exported(*buildZooModel("mlp", 3).value()), exported(*buildZooModel("mlp", 4).value()));
}

TEST(Zoo, UnknownNameListsTheKnownOnes) {
    const auto result = buildZooModel("alexnet");
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().code, ErrorCode::BadRequest);
    EXPECT_NE(result.error().message.find("resnet50"), std::string::npos);
}

TEST(Zoo, ResnetKeepsItsNormalisationsAndNames) {
    const auto model = buildZooModel("resnet50").value();
    auto count = operators(*model);
    EXPECT_EQ(count["Conv"], 53);
    EXPECT_EQ(count["BatchNormalization"], 53);
    EXPECT_TRUE(model->findNode("/layer1/layer1.0/conv1/Conv").valid());
    const Node& node = model->node(model->findNode("/layer1/layer1.0/conv1/Conv"));
    EXPECT_EQ(model->value(node.inputs[1]).name, "layer1.0.conv1.weight");
}

TEST(Zoo, WideGraphsHaveExactlyTheirNodes) {
    EXPECT_EQ(buildZooModel("wide-1k").value()->nodes().size(), 1'000U);
    EXPECT_EQ(buildZooModel("wide-10k").value()->nodes().size(), 10'000U);
    EXPECT_EQ(buildZooModel("wide-50k").value()->nodes().size(), 50'000U);
}

TEST(Zoo, TransformersKeepTheRawPatterns) {
    auto bert = operators(*buildZooModel("bert_tiny").value());
    EXPECT_EQ(bert["Erf"], 2);
    EXPECT_EQ(bert["Softmax"], 2);
    EXPECT_EQ(bert["ReduceMean"], 10);
    EXPECT_EQ(bert["LayerNormalization"], 0);
    auto gpt = operators(*buildZooModel("gpt2_tiny").value());
    EXPECT_EQ(gpt["Where"], 2);
    EXPECT_EQ(gpt["Tanh"], 2);
}

TEST(Zoo, RoundTripThroughAFile) {
    for (const std::string name : {"mlp", "mobilenet_v2"}) {
        const auto model = buildZooModel(name).value();
        const auto again = importModelBytes(bytesOf(exported(*model)), name).value();
        ASSERT_EQ(again->nodes().size(), model->nodes().size());
        EXPECT_EQ(again->value(again->main().inputs[0]).type, model->value(model->main().inputs[0]).type);
        EXPECT_EQ(again->value(again->main().outputs[0]).name, model->value(model->main().outputs[0]).name);
        const Tensor& a = *model->value(model->main().initializers[0]).initializer;
        const Tensor& b = *again->value(again->main().initializers[0]).initializer;
        ASSERT_EQ(a.bytes(), b.bytes());
        EXPECT_EQ(std::memcmp(a.raw(), b.raw(), a.bytes()), 0);
    }
}

TEST(Zoo, ACutFileIsRefused) {
    const std::string whole = exported(*buildZooModel("mlp").value());
    for (const std::size_t length : {std::size_t{0}, std::size_t{1}, std::size_t{10}, whole.size() / 2, whole.size() - 1})
        EXPECT_FALSE(importModelBytes(bytesOf(whole.substr(0, length)), "cut").has_value()) << length;
}

}  // namespace
}  // namespace hs
