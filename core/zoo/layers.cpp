// SPDX-License-Identifier: Apache-2.0
#include "core/zoo/net.h"

namespace hs {
namespace {

using Ints = std::vector<std::int64_t>;

}  // namespace

ValueId conv(Net& net, const std::string& path, ValueId x, const ConvShape& shape) {
    const std::string prefix = parameterPrefix(path);
    const std::int64_t fanIn = shape.in / shape.groups * shape.kernel * shape.kernel;
    Inputs inputs = {x, net.weight(prefix + ".weight", {shape.out, shape.in / shape.groups, shape.kernel, shape.kernel},
                                   shape.reluFollows ? heStddev(fanIn) : linearStddev(fanIn))};
    if (shape.bias) inputs.push_back(net.weight(prefix + ".bias", {shape.out}, 0.05));
    return net.op("Conv", path, std::move(inputs),
                  {{"dilations", Ints{1, 1}},
                   {"group", shape.groups},
                   {"kernel_shape", Ints{shape.kernel, shape.kernel}},
                   {"pads", Ints(4, shape.padding)},
                   {"strides", Ints{shape.stride, shape.stride}}});
}

ValueId batchNorm(Net& net, const std::string& path, ValueId x, std::int64_t channels, float gamma) {
    const std::string prefix = parameterPrefix(path);
    const Inputs inputs = {x, net.uniform(prefix + ".weight", {channels}, 0.9F * gamma, 1.1F * gamma), net.uniform(prefix + ".bias", {channels}, -0.1F, 0.1F),
                           net.uniform(prefix + ".running_mean", {channels}, -0.1F, 0.1F), net.uniform(prefix + ".running_var", {channels}, 0.9F, 1.1F)};
    return net.op("BatchNormalization", path, inputs, {{"epsilon", 1e-5F}, {"momentum", 0.9F}, {"training_mode", std::int64_t{0}}});
}

ValueId maxPool(Net& net, const std::string& path, ValueId x, std::int64_t kernel, std::int64_t stride, std::int64_t padding, bool ceil) {
    return net.op("MaxPool", path, {x},
                  {{"ceil_mode", std::int64_t{ceil}},
                   {"dilations", Ints{1, 1}},
                   {"kernel_shape", Ints{kernel, kernel}},
                   {"pads", Ints(4, padding)},
                   {"strides", Ints{stride, stride}}});
}

ValueId linear(Net& net, const std::string& path, ValueId x, std::int64_t in, std::int64_t out, double stddev) {
    const std::string prefix = parameterPrefix(path);
    const Inputs inputs = {x, net.weight(prefix + ".weight", {out, in}, stddev), net.weight(prefix + ".bias", {out}, 0.05)};
    return net.op("Gemm", path, inputs, {{"alpha", 1.0F}, {"beta", 1.0F}, {"transB", std::int64_t{1}}});
}

}  // namespace hs
