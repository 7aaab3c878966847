// SPDX-License-Identifier: Apache-2.0
#include "core/zoo/families.h"
#include "core/zoo/net.h"

namespace hs {

Result<ModelPtr> buildMlp(std::uint64_t seed) {
    Net net("mlp", seed);
    ValueId x = net.input("input", DType::F32, {"N", "784"});
    x = linear(net, "/fc1", x, 784, 512, heStddev(784));
    x = net.op("Relu", "/relu1", {x});
    x = linear(net, "/fc2", x, 512, 256, heStddev(512));
    x = net.op("Relu", "/relu2", {x});
    x = linear(net, "/fc3", x, 256, 10, linearStddev(256));
    net.output(x, "logits", DType::F32, {"N", "10"});
    return net.finish();
}

}  // namespace hs
