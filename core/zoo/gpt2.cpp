// SPDX-License-Identifier: Apache-2.0
// GPT-2 decoder (Radford et al. 2019) in the unfused operators of an export from PyTorch.
#include <cmath>

#include "core/zoo/families.h"
#include "core/zoo/transformer.h"

namespace hs {
namespace {

using Ints = std::vector<std::int64_t>;
constexpr float kEpsilon = 1e-5F;
constexpr float kMasked = -10000.0F;

/// The model's own dense layer: flatten to rank 2, Gemm with a weight [in, out], back to [N, seq, out].
ValueId dense(Net& net, const std::string& path, ValueId x, std::int64_t in, std::int64_t out, double stddev) {
    const std::string prefix = parameterPrefix(path);
    const ValueId shape =
        net.op("Concat", path, {axisSize(net, path, x, 0), axisSize(net, path, x, 1), net.constant(path, Ints{out})}, {{"axis", std::int64_t{0}}});
    const ValueId flat = net.op("Reshape", path, {x, net.constant(path, Ints{-1, in})});
    const Inputs inputs = {flat, net.weight(prefix + ".weight", {in, out}, stddev), net.weight(prefix + ".bias", {out}, 0.02)};
    return net.op("Reshape", path, {net.op("Gemm", path, inputs, {{"alpha", 1.0F}, {"beta", 1.0F}}), shape});
}

/// Lower triangle of ones, [1, 1, size, size].
Tensor causalMask(std::int64_t size) {
    Tensor out = Tensor::allocate(DType::Bool, {1, 1, size, size}).value();
    auto data = out.data<std::uint8_t>();
    for (std::int64_t row = 0; row < size; ++row)
        for (std::int64_t column = 0; column < size; ++column)
            data[static_cast<std::size_t>(row * size + column)] = column <= row;
    return out;
}

ValueId maskScores(Net& net, const std::string& path, ValueId scores, ValueId mask) {
    const auto upTo = [&](ValueId from, std::int64_t axis) {
        return net.op("Slice", path,
                      {from, net.constant(path, Ints{0}), axisSize(net, path, scores, axis), net.constant(path, Ints{axis}), net.constant(path, Ints{1})});
    };
    const ValueId seen = upTo(upTo(mask, 2), 3);
    return net.op("Where", path, {seen, scores, net.constant(path, kMasked)});
}

ValueId attention(Net& net, const std::string& path, const TransformerSize& size, ValueId x, ValueId mask) {
    const std::int64_t width = size.hidden / size.heads;
    const ValueId all = dense(net, path + "/c_attn", x, size.hidden, 3 * size.hidden, linearStddev(size.hidden));
    const auto parts = net.multi("Split", path, 3, {all, net.constant(path, Ints(3, size.hidden))}, {{"axis", std::int64_t{2}}});
    const auto heads = [&](ValueId part, Ints perm) {
        return net.op("Transpose", path, {reshapeKeepingTwo(net, path, part, {size.heads, width})}, {{"perm", std::move(perm)}});
    };
    const ValueId query = heads(parts[0], {0, 2, 1, 3});
    const ValueId key = heads(parts[1], {0, 2, 3, 1});
    const ValueId value = heads(parts[2], {0, 2, 1, 3});
    ValueId scores = net.op("MatMul", path, {query, key});
    scores = net.op("Div", path, {scores, net.constant(path, std::sqrt(static_cast<float>(width)))});
    const ValueId weights = net.op("Softmax", path, {maskScores(net, path, scores, mask)}, {{"axis", std::int64_t{-1}}});
    ValueId y = net.op("Transpose", path, {net.op("MatMul", path, {weights, value})}, {{"perm", Ints{0, 2, 1, 3}}});
    y = reshapeKeepingTwo(net, path, y, {size.hidden});
    return dense(net, path + "/c_proj", y, size.hidden, size.hidden, linearStddev(size.hidden));
}

ValueId block(Net& net, const std::string& path, const TransformerSize& size, ValueId x, ValueId mask) {
    const ValueId normal = rawLayerNorm(net, path + "/ln_1", x, size.hidden, kEpsilon);
    x = net.op("Add", path, {attention(net, path + "/attn", size, normal, mask), x});
    ValueId y = rawLayerNorm(net, path + "/ln_2", x, size.hidden, kEpsilon);
    y = dense(net, path + "/mlp/c_fc", y, size.hidden, 4 * size.hidden, linearStddev(size.hidden));
    y = rawGeluTanh(net, path + "/mlp/act", y);
    y = dense(net, path + "/mlp/c_proj", y, 4 * size.hidden, size.hidden, linearStddev(4 * size.hidden));
    return net.op("Add", path, {x, y});
}

ValueId positionIds(Net& net, const std::string& path, ValueId ids) {
    const ValueId length = net.op("Gather", path, {net.op("Shape", path, {ids}), net.index(path, 1)}, {{"axis", std::int64_t{0}}});
    const ValueId range = net.op("Range", path, {net.index(path, 0), length, net.index(path, 1)});
    return net.op("Unsqueeze", path, {range, net.constant(path, Ints{0})});
}

}  // namespace

Result<ModelPtr> buildGpt2(const TransformerSize& size, std::uint64_t seed) {
    Net net(size.name, seed);
    const std::string path = "/transformer";
    const ValueId ids = net.input("input_ids", DType::I64, {"N", "seq"});
    const ValueId mask = net.initializer("transformer.causal_mask", causalMask(size.positions));
    const ValueId words = net.op("Gather", path + "/wte", {net.weight("transformer.wte.weight", {size.vocabulary, size.hidden}, 0.5), ids});
    const ValueId places =
        net.op("Gather", path + "/wpe", {net.weight("transformer.wpe.weight", {size.positions, size.hidden}, 0.2), positionIds(net, path, ids)});
    ValueId x = net.op("Add", path, {words, places});
    for (std::int64_t i = 0; i < size.layers; ++i)
        x = block(net, fmt::format("{}/h.{}", path, i), size, x, mask);
    x = rawLayerNorm(net, path + "/ln_f", x, size.hidden, kEpsilon);
    x = net.op("MatMul", "/lm_head", {x, net.weight("lm_head.weight", {size.hidden, size.vocabulary}, linearStddev(size.hidden))});
    net.output(x, "logits", DType::F32, {"N", "seq", std::to_string(size.vocabulary)});
    return net.finish();
}

}  // namespace hs
