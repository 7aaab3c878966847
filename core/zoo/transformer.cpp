// SPDX-License-Identifier: Apache-2.0
#include "core/zoo/transformer.h"

#include <cmath>
#include <numbers>

namespace hs {
namespace {

using Ints = std::vector<std::int64_t>;

}  // namespace

ValueId rawLayerNorm(Net& net, const std::string& path, ValueId x, std::int64_t width, float epsilon) {
    const std::string prefix = parameterPrefix(path);
    const Attributes overLast = {{"axes", Ints{-1}}};
    const ValueId mean = net.op("ReduceMean", path, {x}, overLast);
    const ValueId centred = net.op("Sub", path, {x, mean});
    const ValueId square = net.op("Pow", path, {centred, net.constant(path, 2.0F)});
    const ValueId variance = net.op("ReduceMean", path, {square}, overLast);
    const ValueId deviation = net.op("Sqrt", path, {net.op("Add", path, {variance, net.constant(path, epsilon)})});
    const ValueId normal = net.op("Div", path, {centred, deviation});
    const ValueId scaled = net.op("Mul", path, {normal, net.uniform(prefix + ".weight", {width}, 0.9F, 1.1F)});
    return net.op("Add", path, {scaled, net.uniform(prefix + ".bias", {width}, -0.1F, 0.1F)});
}

ValueId rawGeluErf(Net& net, const std::string& path, ValueId x) {
    const ValueId scaled = net.op("Div", path, {x, net.constant(path, std::numbers::sqrt2_v<float>)});
    const ValueId one = net.op("Add", path, {net.op("Erf", path, {scaled}), net.constant(path, 1.0F)});
    return net.op("Mul", path, {net.op("Mul", path, {x, one}), net.constant(path, 0.5F)});
}

ValueId rawGeluTanh(Net& net, const std::string& path, ValueId x) {
    const ValueId half = net.op("Mul", path, {x, net.constant(path, 0.5F)});
    const ValueId cube = net.op("Pow", path, {x, net.constant(path, 3.0F)});
    const ValueId small = net.op("Mul", path, {cube, net.constant(path, 0.044715F)});
    const ValueId sum = net.op("Add", path, {x, small});
    const ValueId inner = net.op("Mul", path, {sum, net.constant(path, std::sqrt(2.0F / std::numbers::pi_v<float>))});
    const ValueId one = net.op("Add", path, {net.op("Tanh", path, {inner}), net.constant(path, 1.0F)});
    return net.op("Mul", path, {half, one});
}

ValueId denseMatMul(Net& net, const std::string& path, ValueId x, std::int64_t in, std::int64_t out) {
    const std::string prefix = parameterPrefix(path);
    const ValueId product = net.op("MatMul", path, {x, net.weight(prefix + ".weight", {in, out}, linearStddev(in))});
    return net.op("Add", path, {net.weight(prefix + ".bias", {out}, 0.02), product});
}

ValueId axisSize(Net& net, const std::string& path, ValueId x, std::int64_t axis) {
    const ValueId size = net.op("Gather", path, {net.op("Shape", path, {x}), net.index(path, axis)}, {{"axis", std::int64_t{0}}});
    return net.op("Unsqueeze", path, {size, net.constant(path, Ints{0})});
}

ValueId reshapeKeepingTwo(Net& net, const std::string& path, ValueId x, const std::vector<std::int64_t>& rest) {
    Inputs parts = {axisSize(net, path, x, 0), axisSize(net, path, x, 1)};
    for (const std::int64_t size : rest)
        parts.push_back(net.constant(path, Ints{size}));
    return net.op("Reshape", path, {x, net.op("Concat", path, parts, {{"axis", std::int64_t{0}}})});
}

}  // namespace hs
