// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/graph/model.h"

namespace hs {

using Inputs = std::vector<ValueId>;
using Attributes = std::vector<Attribute>;

/// Writes a network down the way PyTorch's exporter names it: module "/layer1/conv1" gives the node "/layer1/conv1/Conv", the
/// value "/layer1/conv1/Conv_output_0" and the weight "layer1.conv1.weight". Opset 17, IR 8. Weights are seeded by their names,
/// so they do not depend on the order in which a network is written.
class Net {
public:
    Net(std::string name, std::uint64_t seed);

    /// Dimensions are sizes or symbols: {"N", "3", "224", "224"}.
    ValueId input(const std::string& name, DType type, const std::vector<std::string>& dims);
    void output(ValueId value, const std::string& name, DType type, const std::vector<std::string>& dims);

    /// Uniform values of mean 0 and standard deviation `stddev`.
    ValueId weight(const std::string& name, Dims dims, double stddev);
    /// Uniform values in [low, high).
    ValueId uniform(const std::string& name, Dims dims, float low, float high);
    ValueId initializer(const std::string& name, Tensor tensor);
    /// Constant nodes, as the exporter writes small values.
    ValueId constant(const std::string& path, float value);
    ValueId constant(const std::string& path, std::vector<std::int64_t> values);  ///< int64[count]
    ValueId index(const std::string& path, std::int64_t value);                   ///< int64 scalar

    ValueId op(const std::string& type, const std::string& path, Inputs inputs, Attributes attributes = {});
    std::vector<ValueId> multi(const std::string& type, const std::string& path, std::size_t outputs, Inputs inputs, Attributes attributes = {});

    const Value& value(ValueId id) const { return m_builder.value(id); }
    std::size_t nodeCount() const { return m_nodeCount; }
    Result<ModelPtr> finish();

private:
    std::string uniqueName(const std::string& wanted);
    ModelBuilder m_builder;
    std::uint64_t m_seed;
    std::size_t m_nodeCount = 0;
    std::unordered_map<std::string, int> m_used;
};

/// Parameter name of a module path: "/layer1/layer1.0/conv1" gives "layer1.0.conv1" (paths repeat the parent's name, parameters do not).
std::string parameterPrefix(std::string_view path);

/// Standard deviation after He et al. 2015 (ReLU follows): sqrt(2 / fan-in).
double heStddev(std::int64_t fanIn);
/// The same for layers without a ReLU: sqrt(1 / fan-in).
double linearStddev(std::int64_t fanIn);

struct ConvShape {
    std::int64_t in, out, kernel;
    std::int64_t stride = 1, padding = 0, groups = 1;
    bool bias = false;
    bool reluFollows = true;
};
ValueId conv(Net& net, const std::string& path, ValueId x, const ConvShape& shape);
/// Parameters near the identity; `gamma` is the mean of the scale.
ValueId batchNorm(Net& net, const std::string& path, ValueId x, std::int64_t channels, float gamma = 1.0F);
ValueId maxPool(Net& net, const std::string& path, ValueId x, std::int64_t kernel, std::int64_t stride, std::int64_t padding, bool ceil = false);
/// Gemm with a weight [out, in], as torch.nn.Linear on rank 2.
ValueId linear(Net& net, const std::string& path, ValueId x, std::int64_t in, std::int64_t out, double stddev);

}  // namespace hs
