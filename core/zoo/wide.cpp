// SPDX-License-Identifier: Apache-2.0
// Stress graphs: nothing but tiny nodes on tensors of 16 to 64 elements a sample, in branches that fork and join.
#include "core/zoo/families.h"
#include "core/zoo/net.h"

namespace hs {
namespace {

constexpr std::int64_t kWidth = 32;
constexpr int kBranches = 4;
constexpr int kDepth = 10;  // nodes of a branch
/// A block: Split, four branches, two joins by Add and their two scalings, Concat.
constexpr std::size_t kBlockNodes = 1 + kBranches * kDepth + 2 + 2 + 1;

/// Constants shared by all nodes. Every scale and shift has its inverse, so that values neither grow nor fade however deep the graph.
struct Pool {
    static constexpr std::size_t kSize = 8;
    std::vector<ValueId> scales, inverseScales, shifts, inverseShifts;
    ValueId half;

    explicit Pool(Net& net) {
        for (std::size_t i = 0; i < kSize; ++i) {
            scales.push_back(net.uniform(fmt::format("scale.{}", i), {kWidth / 2}, 0.5F, 0.9F));
            shifts.push_back(net.uniform(fmt::format("shift.{}", i), {kWidth / 2}, 2.0F, 3.0F));
            inverseScales.push_back(derived(net, fmt::format("inverse_scale.{}", i), scales.back(), [](float v) { return 1.0F / v; }));
            inverseShifts.push_back(derived(net, fmt::format("inverse_shift.{}", i), shifts.back(), [](float v) { return -v; }));
        }
        half = net.initializer("half", Tensor::scalar(0.5F));
    }

private:
    static ValueId derived(Net& net, const std::string& name, ValueId from, float (*change)(float)) {
        const Tensor& source = *net.value(from).initializer;
        std::vector<float> values(source.data<float>().begin(), source.data<float>().end());
        for (float& v : values)
            v = change(v);
        return net.initializer(name, Tensor::of<float>({kWidth / 2}, values));
    }
};

/// Scale, shift, clip what is far below zero, and back again.
ValueId excursion(Net& net, const std::string& path, ValueId x, const Pool& pool, std::size_t which) {
    const std::size_t i = which % Pool::kSize;
    x = net.op("Mul", path, {x, pool.scales[i]});
    x = net.op("Add", path, {x, pool.shifts[i]});
    x = net.op("Relu", path, {x});
    x = net.op("Add", path, {x, pool.inverseShifts[i]});
    return net.op("Mul", path, {x, pool.inverseScales[i]});
}

ValueId block(Net& net, std::size_t index, ValueId x, const Pool& pool) {
    const std::string path = fmt::format("/block.{}", index);
    const auto halves = net.multi("Split", path, 2, {x}, {{"axis", std::int64_t{1}}});
    ValueId ends[kBranches];
    for (int branch = 0; branch < kBranches; ++branch) {
        ValueId y = halves[static_cast<std::size_t>(branch % 2)];
        const std::string inner = fmt::format("{}/branch.{}", path, branch);
        y = excursion(net, inner, y, pool, index + static_cast<std::size_t>(branch));
        y = excursion(net, inner, y, pool, 3 * index + static_cast<std::size_t>(2 * branch + 1));
        ends[branch] = y;
    }
    // Each join takes one branch of either half, so that the halves mix.
    const ValueId a = net.op("Mul", path, {net.op("Add", path, {ends[0], ends[1]}), pool.half});
    const ValueId b = net.op("Mul", path, {net.op("Add", path, {ends[2], ends[3]}), pool.half});
    return net.op("Concat", path, {a, b}, {{"axis", std::int64_t{1}}});
}

}  // namespace

Result<ModelPtr> buildWide(const std::string& name, std::size_t nodes, std::uint64_t seed) {
    Net net(name, seed);
    const Pool pool(net);
    ValueId x = net.input("input", DType::F32, {"N", std::to_string(kWidth)});
    for (std::size_t index = 0; net.nodeCount() + kBlockNodes <= nodes; ++index)
        x = block(net, index, x, pool);
    while (net.nodeCount() < nodes)
        x = net.nodeCount() % 2 == 0 ? net.op("Add", "/tail", {x, pool.half}) : net.op("Relu", "/tail", {x});
    net.output(x, "output", DType::F32, {"N", std::to_string(kWidth)});
    return net.finish();
}

}  // namespace hs
