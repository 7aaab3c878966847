// SPDX-License-Identifier: Apache-2.0
// MobileNetV2 (Sandler et al. 2018), width 1.0, with ReLU6 as Clip.
#include "core/zoo/families.h"
#include "core/zoo/net.h"

namespace hs {
namespace {

constexpr float kResidualGamma = 0.5F;

ValueId relu6(Net& net, const std::string& path, ValueId x) {
    const ValueId low = net.constant(path, 0.0F);
    const ValueId high = net.constant(path, 6.0F);
    return net.op("Clip", path, {x, low, high});
}

ValueId convNormRelu6(Net& net, const std::string& path, ValueId x, const ConvShape& shape) {
    const std::string base = path.substr(path.rfind('/'));
    x = conv(net, path + base + ".0", x, shape);
    x = batchNorm(net, path + base + ".1", x, shape.out);
    return relu6(net, path + base + ".2", x);
}

ValueId invertedResidual(Net& net, const std::string& path, ValueId x, std::int64_t in, std::int64_t out, std::int64_t stride, std::int64_t expand) {
    const std::int64_t hidden = in * expand;
    ValueId y = x;
    int part = 0;
    const auto next = [&] { return fmt::format("{}/conv/conv.{}", path, part++); };
    if (expand != 1) y = convNormRelu6(net, next(), y, {in, hidden, 1});
    y = convNormRelu6(net, next(), y, {hidden, hidden, 3, stride, 1, hidden});
    y = conv(net, next(), y, {.in = hidden, .out = out, .kernel = 1, .reluFollows = false});
    const bool residual = stride == 1 && in == out;
    y = batchNorm(net, next(), y, out, residual ? kResidualGamma : 1.0F);
    return residual ? net.op("Add", path, {x, y}) : y;
}

}  // namespace

Result<ModelPtr> buildMobilenetV2(std::uint64_t seed) {
    struct Stage {
        std::int64_t expand, channels;
        int repeats;
        std::int64_t stride;
    };
    constexpr Stage kStages[] = {{1, 16, 1, 1}, {6, 24, 2, 2}, {6, 32, 3, 2}, {6, 64, 4, 2}, {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1}};
    Net net("mobilenet_v2", seed);
    ValueId x = net.input("input", DType::F32, {"N", "3", "224", "224"});
    x = convNormRelu6(net, "/features/features.0", x, {3, 32, 3, 2, 1});
    std::int64_t in = 32;
    int feature = 1;
    for (const Stage& stage : kStages) {
        for (int i = 0; i < stage.repeats; ++i) {
            x = invertedResidual(net, fmt::format("/features/features.{}", feature++), x, in, stage.channels, i == 0 ? stage.stride : 1, stage.expand);
            in = stage.channels;
        }
    }
    x = convNormRelu6(net, fmt::format("/features/features.{}", feature), x, {in, 1280, 1});
    x = net.op("GlobalAveragePool", "", {x});
    x = net.op("Flatten", "", {x}, {{"axis", std::int64_t{1}}});
    x = linear(net, "/classifier/classifier.1", x, 1280, 1000, linearStddev(1280));
    net.output(x, "output", DType::F32, {"N", "1000"});
    return net.finish();
}

}  // namespace hs
