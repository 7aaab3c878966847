// SPDX-License-Identifier: Apache-2.0
// SqueezeNet 1.1 (Iandola et al. 2016): no normalisation, fire modules, a convolution as classifier.
#include "core/zoo/families.h"
#include "core/zoo/net.h"

namespace hs {
namespace {

ValueId convRelu(Net& net, const std::string& convPath, const std::string& reluPath, ValueId x, ConvShape shape) {
    shape.bias = true;
    return net.op("Relu", reluPath, {conv(net, convPath, x, shape)});
}

ValueId fire(Net& net, int position, ValueId x, std::int64_t in, std::int64_t squeeze, std::int64_t expand) {
    const std::string path = fmt::format("/features/features.{}", position);
    x = convRelu(net, path + "/squeeze", path + "/squeeze_activation", x, {in, squeeze, 1});
    const ValueId one = convRelu(net, path + "/expand1x1", path + "/expand1x1_activation", x, {squeeze, expand, 1});
    const ValueId three = convRelu(net, path + "/expand3x3", path + "/expand3x3_activation", x, {squeeze, expand, 3, 1, 1});
    return net.op("Concat", path, {one, three}, {{"axis", std::int64_t{1}}});
}

}  // namespace

Result<ModelPtr> buildSqueezenet(std::uint64_t seed) {
    Net net("squeezenet", seed);
    ValueId x = net.input("input", DType::F32, {"N", "3", "224", "224"});
    x = convRelu(net, "/features/features.0", "/features/features.1", x, {3, 64, 3, 2});
    x = maxPool(net, "/features/features.2", x, 3, 2, 0, true);
    x = fire(net, 3, x, 64, 16, 64);
    x = fire(net, 4, x, 128, 16, 64);
    x = maxPool(net, "/features/features.5", x, 3, 2, 0, true);
    x = fire(net, 6, x, 128, 32, 128);
    x = fire(net, 7, x, 256, 32, 128);
    x = maxPool(net, "/features/features.8", x, 3, 2, 0, true);
    x = fire(net, 9, x, 256, 48, 192);
    x = fire(net, 10, x, 384, 48, 192);
    x = fire(net, 11, x, 384, 64, 256);
    x = fire(net, 12, x, 512, 64, 256);
    x = convRelu(net, "/classifier/classifier.1", "/classifier/classifier.2", x, {512, 1000, 1});
    x = net.op("GlobalAveragePool", "/classifier/classifier.3", {x});
    x = net.op("Flatten", "", {x}, {{"axis", std::int64_t{1}}});
    net.output(x, "output", DType::F32, {"N", "1000"});
    return net.finish();
}

}  // namespace hs
