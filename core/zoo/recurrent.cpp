// SPDX-License-Identifier: Apache-2.0
// Two-layer recurrent networks over a sequence [seq, N, features]; the first layer reads it in both directions.
#include "core/zoo/families.h"
#include "core/zoo/net.h"

namespace hs {
namespace {

using Ints = std::vector<std::int64_t>;
constexpr std::int64_t kFeatures = 64;
constexpr std::int64_t kHidden = 128;
constexpr std::int64_t kClasses = 10;

/// Y of an LSTM (4 gates) or GRU (3): [seq, directions, N, hidden].
ValueId recurrent(Net& net, const std::string& type, const std::string& path, ValueId x, std::int64_t in, std::int64_t directions) {
    const std::int64_t gates = type == "LSTM" ? 4 : 3;
    const std::string prefix = parameterPrefix(path);
    const Inputs inputs = {x, net.weight(prefix + ".W", {directions, gates * kHidden, in}, linearStddev(in)),
                           net.weight(prefix + ".R", {directions, gates * kHidden, kHidden}, linearStddev(kHidden)),
                           net.weight(prefix + ".B", {directions, 2 * gates * kHidden}, 0.05)};
    Attributes attributes = {{"direction", std::string(directions == 2 ? "bidirectional" : "forward")}, {"hidden_size", kHidden}};
    if (type == "GRU") attributes.push_back({"linear_before_reset", std::int64_t{1}});
    return net.op(type, path, inputs, attributes);
}

Result<ModelPtr> buildRecurrent(const std::string& name, const std::string& type, std::uint64_t seed) {
    Net net(name, seed);
    ValueId x = net.input("input", DType::F32, {"seq", "N", std::to_string(kFeatures)});
    const std::string path = "/rnn";
    x = recurrent(net, type, path, x, kFeatures, 2);
    x = net.op("Transpose", path, {x}, {{"perm", Ints{0, 2, 1, 3}}});
    x = net.op("Reshape", path, {x, net.constant(path, Ints{0, 0, 2 * kHidden})});
    x = recurrent(net, type, "/rnn2", x, 2 * kHidden, 1);
    x = net.op("Squeeze", "/rnn2", {x, net.constant("/rnn2", Ints{1})});
    x = net.op("Gather", "", {x, net.index("", -1)}, {{"axis", std::int64_t{0}}});
    x = linear(net, "/fc", x, kHidden, kClasses, linearStddev(kHidden));
    net.output(x, "logits", DType::F32, {"N", std::to_string(kClasses)});
    return net.finish();
}

}  // namespace

Result<ModelPtr> buildLstm(std::uint64_t seed) {
    return buildRecurrent("lstm", "LSTM", seed);
}

Result<ModelPtr> buildGru(std::uint64_t seed) {
    return buildRecurrent("gru", "GRU", seed);
}

}  // namespace hs
