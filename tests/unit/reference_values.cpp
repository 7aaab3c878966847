// SPDX-License-Identifier: Apache-2.0
// Operators whose output is random, by their distribution; and sequences, by what the operators promise.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "core/graph/model.h"
#include "executors/reference/reference_executor.h"

namespace hs {
namespace {

/// One node of ai.onnx with its inputs, run by the reference executor.
Result<std::vector<Tensor>> runNode(const std::string& op, std::vector<Attribute> attributes, const std::vector<Tensor>& inputs, std::uint64_t seed = 1,
                                    std::size_t outputs = 1) {
    ModelBuilder builder;
    builder.info().opsets["ai.onnx"] = 22;
    Node node;
    node.opType = op;
    node.opset = 22;
    node.attributes = std::move(attributes);
    for (std::size_t i = 0; i < inputs.size(); ++i)
        node.inputs.push_back(builder.addInput(GraphId(0), "x" + std::to_string(i), inputs[i].type()));
    for (std::size_t i = 0; i < outputs; ++i)
        node.outputs.push_back(builder.addValue(GraphId(0), "y" + std::to_string(i)));
    const std::vector<ValueId> made = node.outputs;
    builder.addNode(GraphId(0), std::move(node));
    for (const ValueId id : made)
        builder.addOutput(GraphId(0), id);
    HS_TRY(const ModelPtr model, builder.build());
    const std::vector<NodeId> nodes = {model->nodes().front().id};
    const std::vector<Argument> in(inputs.size());
    const std::vector<Argument> out(outputs);
    HS_TRY(const auto kernel, makeReferenceExecutor()->compile({model.get(), nodes, in, out, 1}));
    std::vector<const Tensor*> pointers;
    for (const Tensor& input : inputs)
        pointers.push_back(&input);
    std::vector<Tensor> results(outputs);
    KernelContext context(pointers, results, nullptr, 1, seed);
    HS_CHECK(kernel->run(context));
    return results;
}

struct Moments {
    double mean = 0, deviation = 0;
};
Moments momentsOf(const Tensor& tensor) {
    Moments out;
    const auto values = tensor.data<float>();
    for (const float v : values)
        out.mean += v / static_cast<double>(values.size());
    for (const float v : values)
        out.deviation += (v - out.mean) * (v - out.mean) / static_cast<double>(values.size());
    out.deviation = std::sqrt(out.deviation);
    return out;
}

Attribute shape(std::int64_t count) {
    return {"shape", std::vector<std::int64_t>{count}};
}

TEST(Random, UniformFillsItsRange) {
    const auto y = runNode("RandomUniform", {shape(20000), {"low", -2.0F}, {"high", 4.0F}}, {});
    ASSERT_TRUE(y) << y.error().text();
    const auto values = (*y)[0].data<float>();
    EXPECT_GE(*std::ranges::min_element(values), -2.0F);
    EXPECT_LE(*std::ranges::max_element(values), 4.0F);
    const Moments m = momentsOf((*y)[0]);
    EXPECT_NEAR(m.mean, 1, 0.06);
    EXPECT_NEAR(m.deviation, 6 / std::sqrt(12.0), 0.04);
}

TEST(Random, NormalHasItsMeanAndDeviation) {
    const auto y = runNode("RandomNormal", {shape(20000), {"mean", 3.0F}, {"scale", 2.0F}}, {});
    ASSERT_TRUE(y) << y.error().text();
    const Moments m = momentsOf((*y)[0]);
    EXPECT_NEAR(m.mean, 3, 0.07);
    EXPECT_NEAR(m.deviation, 2, 0.05);
}

TEST(Random, BernoulliFollowsItsProbabilities) {
    const std::vector<float> p(20000, 0.2F);
    const auto y = runNode("Bernoulli", {}, {Tensor::of<float>({20000}, p)});
    ASSERT_TRUE(y) << y.error().text();
    const auto values = (*y)[0].data<float>();
    EXPECT_TRUE(std::ranges::all_of(values, [](float v) { return v == 0 || v == 1; }));
    EXPECT_NEAR(momentsOf((*y)[0]).mean, 0.2, 0.015);
}

TEST(Random, MultinomialFollowsItsWeights) {
    const std::vector<float> logits = {std::log(1.0F), std::log(3.0F), std::log(6.0F)};
    const auto y = runNode("Multinomial", {{"sample_size", std::int64_t{20000}}}, {Tensor::of<float>({1, 3}, logits)});
    ASSERT_TRUE(y) << y.error().text();
    ASSERT_EQ((*y)[0].dims(), (Dims{1, 20000}));
    double counts[3] = {};
    for (const std::int32_t v : (*y)[0].data<std::int32_t>()) {
        ASSERT_TRUE(v >= 0 && v < 3);
        counts[v] += 1 / 20000.0;
    }
    EXPECT_NEAR(counts[0], 0.1, 0.015);
    EXPECT_NEAR(counts[1], 0.3, 0.02);
    EXPECT_NEAR(counts[2], 0.6, 0.02);
}

TEST(Random, TrainingDropoutKeepsTheMean) {
    const std::vector<float> ones(20000, 1.0F);
    Tensor training = Tensor::allocate(DType::Bool, {}).value();
    training.data<std::uint8_t>()[0] = 1;
    const auto y = runNode("Dropout", {}, {Tensor::of<float>({20000}, ones), Tensor::scalar(0.25F), training}, 1, 2);
    ASSERT_TRUE(y) << y.error().text();
    EXPECT_NEAR(momentsOf((*y)[0]).mean, 1, 0.02);
    const auto mask = (*y)[1].data<std::uint8_t>();
    for (std::size_t i = 0; i < mask.size(); ++i)
        ASSERT_FLOAT_EQ((*y)[0].data<float>()[i], mask[i] != 0 ? 1 / 0.75F : 0.0F);
}

TEST(Random, SeedsDecide) {
    const auto run = [](std::vector<Attribute> attributes, std::uint64_t seed) {
        attributes.push_back(shape(8));
        const Tensor y = runNode("RandomUniform", std::move(attributes), {}, seed).value()[0];
        return std::vector<float>(y.data<float>().begin(), y.data<float>().end());
    };
    EXPECT_EQ(run({}, 1), run({}, 1));
    EXPECT_NE(run({}, 1), run({}, 2));
    EXPECT_EQ(run({{"seed", 5.0F}}, 1), run({{"seed", 5.0F}}, 2));
}

Tensor numbers(std::vector<float> values) {
    return Tensor::of<float>({static_cast<std::int64_t>(values.size())}, values);
}

TEST(Sequence, ItemsOutliveReusedMemory) {
    std::vector<float> arena = {1, 2};
    const Tensor borrowed = Tensor::borrow(DType::F32, {2}, arena.data());
    const auto y = runNode("SequenceConstruct", {}, {borrowed, numbers({3, 4, 5})});
    ASSERT_TRUE(y) << y.error().text();
    arena = {9, 9};
    ASSERT_EQ((*y)[0].items().size(), 2U);
    EXPECT_EQ((*y)[0].items()[0].data<float>()[0], 1);
    EXPECT_EQ((*y)[0].items()[1].dims(), Dims{3});
}

TEST(Sequence, PositionsAreChecked) {
    const Tensor list = Tensor::sequence(DType::F32, {numbers({1}), numbers({2})});
    EXPECT_EQ(runNode("SequenceAt", {}, {list, Tensor::scalar(std::int64_t{-1})}).value()[0].data<float>()[0], 2);
    const auto outside = runNode("SequenceAt", {}, {list, Tensor::scalar(std::int64_t{2})});
    ASSERT_FALSE(outside);
    EXPECT_EQ(outside.error().code, ErrorCode::BadInput);
    EXPECT_EQ(runNode("SequenceInsert", {}, {list, numbers({7}), Tensor::scalar(std::int64_t{0})}).value()[0].items()[0].data<float>()[0], 7);
    EXPECT_EQ(runNode("SequenceErase", {}, {list}).value()[0].items().size(), 1U);
    EXPECT_FALSE(runNode("SequenceErase", {}, {Tensor::sequence(DType::F32, {})}));
}

TEST(Sequence, SplitsAndJoins) {
    const auto parts = runNode("SplitToSequence", {}, {numbers({1, 2, 3, 4, 5}), Tensor::scalar(std::int64_t{2})});
    ASSERT_TRUE(parts) << parts.error().text();
    ASSERT_EQ((*parts)[0].items().size(), 3U);
    EXPECT_EQ((*parts)[0].items()[2].dims(), Dims{1});
    const auto whole = runNode("ConcatFromSequence", {{"axis", std::int64_t{0}}}, {(*parts)[0]});
    ASSERT_TRUE(whole) << whole.error().text();
    EXPECT_EQ((*whole)[0].dims(), Dims{5});
    EXPECT_EQ((*whole)[0].data<float>()[4], 5);
    EXPECT_FALSE(runNode("ConcatFromSequence", {{"axis", std::int64_t{0}}, {"new_axis", std::int64_t{1}}}, {(*parts)[0]}));
}

TEST(Optional, EmptyAndFull) {
    const auto has = [](const Tensor& value) { return runNode("OptionalHasElement", {}, {value}).value()[0].data<std::uint8_t>()[0]; };
    EXPECT_EQ(has(Tensor::none(DType::F32)), 0);
    EXPECT_EQ(has(numbers({1})), 1);
    EXPECT_FALSE(runNode("OptionalGetElement", {}, {Tensor::none(DType::F32)}));
}

TEST(Image, HostileBytesAreRefused) {
    const auto decode = [](const std::string& bytes) {
        Tensor data = Tensor::allocate(DType::U8, {static_cast<std::int64_t>(bytes.size())}).value();
        std::copy(bytes.begin(), bytes.end(), data.data<std::uint8_t>().begin());
        return runNode("ImageDecoder", {}, {data});
    };
    using namespace std::string_literals;
    for (const std::string& bytes : {""s, "P"s, "P6"s, "P6 99999999 99999999 255\n"s, "P3 1 1 255\n1 2"s, "BM"s + std::string(60, '\xFF'), "\xFF\xD8\xFF\xE0"s,
                                     "\x89PNG\r\n\x1A\n"s, "II*\0\x08\0\0\0"s, "RIFF\0\0\0\0WEBP"s, "\xFF\x4F\xFF\x51\0\0"s, "hello"s})
        EXPECT_FALSE(decode(bytes)) << bytes;
    const auto pixel = decode("P3 # one pixel\n1 1 255\n1 2 3\n");
    ASSERT_TRUE(pixel) << pixel.error().text();
    EXPECT_EQ((*pixel)[0].dims(), (Dims{1, 1, 3}));
    EXPECT_EQ((*pixel)[0].data<std::uint8_t>()[2], 3);
}

}  // namespace
}  // namespace hs
