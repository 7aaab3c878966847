// SPDX-License-Identifier: Apache-2.0
#include "core/zoo/net.h"

#include <charconv>
#include <cmath>

namespace hs {
namespace {

constexpr int kOpset = 17;

/// splitmix64 (Steele, Lea, Flood 2014): one addition and three mixing steps a number, the same on every machine.
class Random {
public:
    explicit Random(std::uint64_t seed) : m_state(seed) {}
    std::uint64_t next() {
        m_state += 0x9e3779b97f4a7c15U;
        std::uint64_t z = m_state;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
        return z ^ (z >> 31);
    }
    /// In [0, 1), from the upper 24 bits.
    float unit() { return static_cast<float>(next() >> 40) * 0x1p-24F; }

private:
    std::uint64_t m_state;
};

/// FNV-1a: std::hash may differ between libraries, and a zoo model must not.
std::uint64_t hashName(std::string_view name) {
    std::uint64_t h = 0xcbf29ce484222325U;
    for (const char c : name)
        h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    return h;
}

Shape parseShape(const std::vector<std::string>& dims) {
    std::vector<Dim> out;
    for (const auto& text : dims) {
        std::int64_t size = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
        const bool number = error == std::errc{} && end == text.data() + text.size();
        out.push_back(number ? Dim(size) : Dim(text));
    }
    return Shape(std::move(out));
}

}  // namespace

Net::Net(std::string name, std::uint64_t seed) : m_seed(seed) {
    ModelInfo& info = m_builder.info();
    info.name = std::move(name);
    info.producer = "heteroscope zoo";
    info.irVersion = 8;
    info.opsets["ai.onnx"] = kOpset;
    info.metadata["seed"] = std::to_string(seed);
}

std::string Net::uniqueName(const std::string& wanted) {
    const int count = m_used[wanted]++;
    return count == 0 ? wanted : wanted + "_" + std::to_string(count);
}

ValueId Net::input(const std::string& name, DType type, const std::vector<std::string>& dims) {
    return m_builder.addInput(GraphId(0), name, {TypeKind::Tensor, type, parseShape(dims)});
}

void Net::output(ValueId value, const std::string& name, DType type, const std::vector<std::string>& dims) {
    m_builder.rename(value, name);
    m_builder.setType(value, {TypeKind::Tensor, type, parseShape(dims)});
    m_builder.addOutput(GraphId(0), value);
}

ValueId Net::weight(const std::string& name, Dims dims, double stddev) {
    const auto half = static_cast<float>(std::sqrt(3.0) * stddev);  // half the width of a uniform distribution of that deviation
    return uniform(name, std::move(dims), -half, half);
}

ValueId Net::uniform(const std::string& name, Dims dims, float low, float high) {
    Tensor tensor = Tensor::allocate(DType::F32, std::move(dims)).value();
    Random random(m_seed * 0x9e3779b97f4a7c15U ^ hashName(name));
    for (float& v : tensor.data<float>())
        v = low + (high - low) * random.unit();
    return initializer(name, std::move(tensor));
}

ValueId Net::initializer(const std::string& name, Tensor tensor) {
    return m_builder.addInitializer(GraphId(0), uniqueName(name), std::move(tensor));
}

ValueId Net::constant(const std::string& path, float value) {
    return op("Constant", path, {}, {{"value", Tensor::scalar(value)}});
}

ValueId Net::constant(const std::string& path, std::vector<std::int64_t> values) {
    const auto count = static_cast<std::int64_t>(values.size());
    return op("Constant", path, {}, {{"value", Tensor::of<std::int64_t>({count}, values)}});
}

ValueId Net::index(const std::string& path, std::int64_t value) {
    return op("Constant", path, {}, {{"value", Tensor::scalar(value)}});
}

ValueId Net::op(const std::string& type, const std::string& path, Inputs inputs, Attributes attributes) {
    return multi(type, path, 1, std::move(inputs), std::move(attributes)).front();
}

std::vector<ValueId> Net::multi(const std::string& type, const std::string& path, std::size_t outputs, Inputs inputs, Attributes attributes) {
    Node node;
    node.name = uniqueName(path + "/" + type);
    node.opType = type;
    node.opset = kOpset;
    node.inputs = std::move(inputs);
    node.attributes = std::move(attributes);
    for (std::size_t i = 0; i < outputs; ++i)
        node.outputs.push_back(m_builder.addValue(GraphId(0), node.name + "_output_" + std::to_string(i)));
    const std::vector<ValueId> out = node.outputs;
    m_builder.addNode(GraphId(0), std::move(node));
    ++m_nodeCount;
    return out;
}

Result<ModelPtr> Net::finish() {
    return m_builder.build();
}

std::string parameterPrefix(std::string_view path) {
    std::string out;
    std::string_view parent;
    while (!path.empty()) {
        path.remove_prefix(path.front() == '/' ? 1 : 0);
        const auto end = std::min(path.find('/'), path.size());
        const std::string_view part = path.substr(0, end);
        path.remove_prefix(end);
        const bool repeats = !parent.empty() && part.size() > parent.size() && part.starts_with(parent) && part[parent.size()] == '.';
        if (!repeats && !out.empty()) out += '.';
        out.append(repeats ? part.substr(parent.size()) : part);
        parent = part;
    }
    return out;
}

double heStddev(std::int64_t fanIn) {
    return std::sqrt(2.0 / static_cast<double>(fanIn));
}

double linearStddev(std::int64_t fanIn) {
    return std::sqrt(1.0 / static_cast<double>(fanIn));
}

}  // namespace hs
