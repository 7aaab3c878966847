// SPDX-License-Identifier: Apache-2.0
// ResNet-50 (He et al. 2015), in the version that puts the stride on the 3x3 convolution, as torchvision does.
#include "core/zoo/families.h"
#include "core/zoo/net.h"

namespace hs {
namespace {

/// The scale of a block's last normalisation: small, so that sixteen residual sums do not grow without trained statistics.
constexpr float kResidualGamma = 0.25F;

ValueId bottleneck(Net& net, const std::string& path, ValueId x, std::int64_t in, std::int64_t width, std::int64_t stride) {
    const std::int64_t out = 4 * width;
    ValueId y = conv(net, path + "/conv1", x, {in, width, 1});
    y = batchNorm(net, path + "/bn1", y, width);
    y = net.op("Relu", path + "/relu", {y});
    y = conv(net, path + "/conv2", y, {width, width, 3, stride, 1});
    y = batchNorm(net, path + "/bn2", y, width);
    y = net.op("Relu", path + "/relu", {y});
    y = conv(net, path + "/conv3", y, {width, out, 1});
    y = batchNorm(net, path + "/bn3", y, out, kResidualGamma);
    if (in != out || stride != 1) {
        x = conv(net, path + "/downsample/downsample.0", x, {.in = in, .out = out, .kernel = 1, .stride = stride, .reluFollows = false});
        x = batchNorm(net, path + "/downsample/downsample.1", x, out);
    }
    return net.op("Relu", path + "/relu", {net.op("Add", path, {y, x})});
}

}  // namespace

Result<ModelPtr> buildResnet50(std::uint64_t seed) {
    Net net("resnet50", seed);
    ValueId x = net.input("input", DType::F32, {"N", "3", "224", "224"});
    x = conv(net, "/conv1", x, {3, 64, 7, 2, 3});
    x = batchNorm(net, "/bn1", x, 64);
    x = net.op("Relu", "/relu", {x});
    x = maxPool(net, "/maxpool", x, 3, 2, 1);
    constexpr int kBlocks[] = {3, 4, 6, 3};
    std::int64_t in = 64;
    for (int layer = 0; layer < 4; ++layer) {
        const std::int64_t width = std::int64_t{64} << layer;
        for (int block = 0; block < kBlocks[layer]; ++block) {
            const std::string path = fmt::format("/layer{0}/layer{0}.{1}", layer + 1, block);
            x = bottleneck(net, path, x, in, width, layer > 0 && block == 0 ? 2 : 1);
            in = 4 * width;
        }
    }
    x = net.op("GlobalAveragePool", "/avgpool", {x});
    x = net.op("Flatten", "", {x}, {{"axis", std::int64_t{1}}});
    x = linear(net, "/fc", x, 2048, 1000, linearStddev(2048));
    net.output(x, "output", DType::F32, {"N", "1000"});
    return net.finish();
}

}  // namespace hs
