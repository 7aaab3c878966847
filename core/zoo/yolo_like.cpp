// SPDX-License-Identifier: Apache-2.0
// A detector in the manner of YOLOv5 (nano size): CSP backbone with SiLU, pooling pyramid, path-aggregation neck, three heads with
// anchors and the decoding into boxes. Input 320x320, 80 classes.
#include <array>

#include "core/zoo/families.h"
#include "core/zoo/net.h"

namespace hs {
namespace {

using Ints = std::vector<std::int64_t>;
constexpr std::int64_t kInputSize = 320;
constexpr std::int64_t kAnchors = 3;
constexpr std::int64_t kFields = 85;  // x, y, w, h, objectness, 80 classes

ValueId convSilu(Net& net, const std::string& path, ValueId x, const ConvShape& shape) {
    x = conv(net, path + "/conv", x, shape);
    x = batchNorm(net, path + "/bn", x, shape.out);
    return net.op("Mul", path + "/act", {x, net.op("Sigmoid", path + "/act", {x})});
}

/// Cross-stage partial block: one half goes through `repeats` residual bottlenecks, the other passes by.
ValueId csp(Net& net, const std::string& path, ValueId x, std::int64_t in, std::int64_t out, int repeats, bool residual) {
    const std::int64_t half = out / 2;
    ValueId a = convSilu(net, path + "/cv1", x, {in, half, 1});
    for (int i = 0; i < repeats; ++i) {
        const std::string inner = fmt::format("{}/m/m.{}", path, i);
        ValueId y = convSilu(net, inner + "/cv1", a, {half, half, 1});
        y = convSilu(net, inner + "/cv2", y, {half, half, 3, 1, 1});
        a = residual ? net.op("Add", inner, {a, y}) : y;
    }
    const ValueId b = convSilu(net, path + "/cv2", x, {in, half, 1});
    return convSilu(net, path + "/cv3", net.op("Concat", path, {a, b}, {{"axis", std::int64_t{1}}}), {out, out, 1});
}

ValueId poolingPyramid(Net& net, const std::string& path, ValueId x, std::int64_t channels) {
    const std::int64_t half = channels / 2;
    const ValueId a = convSilu(net, path + "/cv1", x, {channels, half, 1});
    const ValueId b = maxPool(net, path + "/m", a, 5, 1, 2);
    const ValueId c = maxPool(net, path + "/m", b, 5, 1, 2);
    const ValueId d = maxPool(net, path + "/m", c, 5, 1, 2);
    return convSilu(net, path + "/cv2", net.op("Concat", path, {a, b, c, d}, {{"axis", std::int64_t{1}}}), {2 * channels, channels, 1});
}

ValueId upsampleAndJoin(Net& net, int position, ValueId x, ValueId skip) {
    const std::string path = fmt::format("/model.{}", position);
    const ValueId scales = net.initializer(path + ".scales", Tensor::of<float>({4}, std::array{1.0F, 1.0F, 2.0F, 2.0F}));
    x = net.op("Resize", path, {x, ValueId{}, scales},
               {{"coordinate_transformation_mode", std::string("asymmetric")}, {"mode", std::string("nearest")}, {"nearest_mode", std::string("floor")}});
    return net.op("Concat", fmt::format("/model.{}", position + 1), {x, skip}, {{"axis", std::int64_t{1}}});
}

/// Where the cells of a `cells` x `cells` map lie, less one half: [1, 1, cells, cells, 2].
Tensor cellGrid(std::int64_t cells) {
    Tensor out = Tensor::allocate(DType::F32, {1, 1, cells, cells, 2}).value();
    auto data = out.data<float>();
    for (std::int64_t i = 0; i < cells * cells; ++i) {
        data[static_cast<std::size_t>(2 * i)] = static_cast<float>(i % cells) - 0.5F;
        data[static_cast<std::size_t>(2 * i + 1)] = static_cast<float>(i / cells) - 0.5F;
    }
    return out;
}

/// Box centre = (2 s + cell - 0.5) stride, box size = (2 s)^2 anchor, with s the sigmoid of the prediction.
ValueId detectHead(Net& net, int scale, ValueId x, std::int64_t channels, std::array<float, 6> anchors) {
    const std::string path = "/detect";
    const std::string suffix = std::to_string(scale);
    const std::int64_t stride = std::int64_t{8} << scale;
    const std::int64_t cells = kInputSize / stride;
    x = conv(net, fmt::format("{}/m.{}", path, scale), x, {.in = channels, .out = kAnchors * kFields, .kernel = 1, .bias = true, .reluFollows = false});
    x = net.op("Reshape", path, {x, net.constant(path, Ints{0, kAnchors, kFields, cells, cells})});
    x = net.op("Transpose", path, {x}, {{"perm", Ints{0, 1, 3, 4, 2}}});
    x = net.op("Sigmoid", path, {x});
    const auto parts = net.multi("Split", path, 3, {x, net.constant(path, Ints{2, 2, kFields - 4})}, {{"axis", std::int64_t{4}}});
    ValueId centre = net.op("Mul", path, {parts[0], net.constant(path, 2.0F)});
    centre = net.op("Add", path, {centre, net.initializer("detect.grid." + suffix, cellGrid(cells))});
    centre = net.op("Mul", path, {centre, net.constant(path, static_cast<float>(stride))});
    ValueId size = net.op("Mul", path, {parts[1], net.constant(path, 2.0F)});
    size = net.op("Pow", path, {size, net.constant(path, 2.0F)});
    size = net.op("Mul", path, {size, net.initializer("detect.anchors." + suffix, Tensor::of<float>({1, kAnchors, 1, 1, 2}, anchors))});
    x = net.op("Concat", path, {centre, size, parts[2]}, {{"axis", std::int64_t{4}}});
    return net.op("Reshape", path, {x, net.constant(path, Ints{0, kAnchors * cells * cells, kFields})});
}

}  // namespace

Result<ModelPtr> buildYoloLike(std::uint64_t seed) {
    Net net("yolo_like", seed);
    ValueId x = net.input("images", DType::F32, {"N", "3", "320", "320"});
    x = convSilu(net, "/model.0", x, {3, 16, 6, 2, 2});
    x = convSilu(net, "/model.1", x, {16, 32, 3, 2, 1});
    x = csp(net, "/model.2", x, 32, 32, 1, true);
    x = convSilu(net, "/model.3", x, {32, 64, 3, 2, 1});
    const ValueId fine = csp(net, "/model.4", x, 64, 64, 2, true);
    x = convSilu(net, "/model.5", fine, {64, 128, 3, 2, 1});
    const ValueId middle = csp(net, "/model.6", x, 128, 128, 3, true);
    x = convSilu(net, "/model.7", middle, {128, 256, 3, 2, 1});
    x = csp(net, "/model.8", x, 256, 256, 1, true);
    x = poolingPyramid(net, "/model.9", x, 256);

    const ValueId topDown1 = convSilu(net, "/model.10", x, {256, 128, 1});
    x = csp(net, "/model.13", upsampleAndJoin(net, 11, topDown1, middle), 256, 128, 1, false);
    const ValueId topDown2 = convSilu(net, "/model.14", x, {128, 64, 1});
    const ValueId small = csp(net, "/model.17", upsampleAndJoin(net, 15, topDown2, fine), 128, 64, 1, false);
    x = convSilu(net, "/model.18", small, {64, 64, 3, 2, 1});
    x = net.op("Concat", "/model.19", {x, topDown2}, {{"axis", std::int64_t{1}}});
    const ValueId medium = csp(net, "/model.20", x, 128, 128, 1, false);
    x = convSilu(net, "/model.21", medium, {128, 128, 3, 2, 1});
    x = net.op("Concat", "/model.22", {x, topDown1}, {{"axis", std::int64_t{1}}});
    const ValueId large = csp(net, "/model.23", x, 256, 256, 1, false);

    const ValueId boxes[] = {detectHead(net, 0, small, 64, {10, 13, 16, 30, 33, 23}), detectHead(net, 1, medium, 128, {30, 61, 62, 45, 59, 119}),
                             detectHead(net, 2, large, 256, {116, 90, 156, 198, 373, 326})};
    x = net.op("Concat", "/detect", {boxes[0], boxes[1], boxes[2]}, {{"axis", std::int64_t{1}}});
    net.output(x, "output", DType::F32, {"N", "6300", "85"});
    return net.finish();
}

}  // namespace hs
