// SPDX-License-Identifier: Apache-2.0
// BERT encoder (Devlin et al. 2018) in the unfused operators of an export from PyTorch.
#include <cmath>
#include <numeric>

#include "core/zoo/families.h"
#include "core/zoo/transformer.h"

namespace hs {
namespace {

using Ints = std::vector<std::int64_t>;
constexpr float kEpsilon = 1e-12F;
constexpr float kMasked = -10000.0F;

ValueId embedding(Net& net, const std::string& path, ValueId ids, std::int64_t rows, std::int64_t width) {
    const ValueId table = net.weight(parameterPrefix(path) + ".weight", {rows, width}, 0.5);
    return net.op("Gather", path, {table, ids});
}

ValueId embeddings(Net& net, const TransformerSize& size, ValueId ids, ValueId types) {
    const std::string path = "/embeddings";
    Ints positions(static_cast<std::size_t>(size.positions));
    std::iota(positions.begin(), positions.end(), 0);
    const ValueId all = net.initializer("embeddings.position_ids", Tensor::of<std::int64_t>({1, size.positions}, positions));
    const ValueId length = axisSize(net, path, ids, 1);
    const ValueId used = net.op("Slice", path, {all, net.constant(path, Ints{0}), length, net.constant(path, Ints{1}), net.constant(path, Ints{1})});
    const ValueId words = embedding(net, path + "/word_embeddings", ids, size.vocabulary, size.hidden);
    const ValueId kinds = embedding(net, path + "/token_type_embeddings", types, 2, size.hidden);
    const ValueId places = embedding(net, path + "/position_embeddings", used, size.positions, size.hidden);
    const ValueId sum = net.op("Add", path, {net.op("Add", path, {words, kinds}), places});
    return rawLayerNorm(net, path + "/LayerNorm", sum, size.hidden, kEpsilon);
}

/// 0 where attention is wanted and a large negative number elsewhere, as [N, 1, 1, seq].
ValueId additiveMask(Net& net, ValueId mask) {
    mask = net.op("Unsqueeze", "", {mask, net.constant("", Ints{1})});
    mask = net.op("Unsqueeze", "", {mask, net.constant("", Ints{2})});
    mask = net.op("Cast", "", {mask}, {{"to", std::int64_t{1}}});
    mask = net.op("Sub", "", {net.constant("", 1.0F), mask});
    return net.op("Mul", "", {mask, net.constant("", kMasked)});
}

ValueId attention(Net& net, const std::string& path, const TransformerSize& size, ValueId x, ValueId mask) {
    const std::string self = path + "/self";
    const std::int64_t width = size.hidden / size.heads;
    const auto project = [&](const char* which, Ints perm) {
        const ValueId y = denseMatMul(net, self + "/" + which, x, size.hidden, size.hidden);
        return net.op("Transpose", self, {reshapeKeepingTwo(net, self, y, {size.heads, width})}, {{"perm", std::move(perm)}});
    };
    const ValueId query = project("query", {0, 2, 1, 3});
    const ValueId key = project("key", {0, 2, 3, 1});
    const ValueId value = project("value", {0, 2, 1, 3});
    ValueId scores = net.op("MatMul", self, {query, key});
    scores = net.op("Div", self, {scores, net.constant(self, std::sqrt(static_cast<float>(width)))});
    scores = net.op("Add", self, {scores, mask});
    const ValueId weights = net.op("Softmax", self, {scores}, {{"axis", std::int64_t{-1}}});
    ValueId y = net.op("Transpose", self, {net.op("MatMul", self, {weights, value})}, {{"perm", Ints{0, 2, 1, 3}}});
    y = reshapeKeepingTwo(net, self, y, {size.hidden});
    y = denseMatMul(net, path + "/output/dense", y, size.hidden, size.hidden);
    return rawLayerNorm(net, path + "/output/LayerNorm", net.op("Add", path + "/output", {y, x}), size.hidden, kEpsilon);
}

ValueId layer(Net& net, const std::string& path, const TransformerSize& size, ValueId x, ValueId mask) {
    x = attention(net, path + "/attention", size, x, mask);
    ValueId y = denseMatMul(net, path + "/intermediate/dense", x, size.hidden, 4 * size.hidden);
    y = rawGeluErf(net, path + "/intermediate/intermediate_act_fn", y);
    y = denseMatMul(net, path + "/output/dense", y, 4 * size.hidden, size.hidden);
    return rawLayerNorm(net, path + "/output/LayerNorm", net.op("Add", path + "/output", {y, x}), size.hidden, kEpsilon);
}

}  // namespace

Result<ModelPtr> buildBert(const TransformerSize& size, std::uint64_t seed) {
    Net net(size.name, seed);
    const ValueId ids = net.input("input_ids", DType::I64, {"N", "seq"});
    const ValueId attentionMask = net.input("attention_mask", DType::I64, {"N", "seq"});
    const ValueId types = net.input("token_type_ids", DType::I64, {"N", "seq"});
    const ValueId mask = additiveMask(net, attentionMask);
    ValueId x = embeddings(net, size, ids, types);
    for (std::int64_t i = 0; i < size.layers; ++i)
        x = layer(net, fmt::format("/encoder/layer.{}", i), size, x, mask);
    const ValueId first = net.op("Gather", "/pooler", {x, net.index("/pooler", 0)}, {{"axis", std::int64_t{1}}});
    const ValueId pooled = net.op("Tanh", "/pooler/activation", {linear(net, "/pooler/dense", first, size.hidden, size.hidden, linearStddev(size.hidden))});
    const std::string hidden = std::to_string(size.hidden);
    net.output(x, "last_hidden_state", DType::F32, {"N", "seq", hidden});
    net.output(pooled, "pooler_output", DType::F32, {"N", hidden});
    return net.finish();
}

}  // namespace hs
