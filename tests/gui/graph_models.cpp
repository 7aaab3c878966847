// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/graph_models.h"

namespace hs::test {
namespace {

const ValueType kType{TypeKind::Tensor, DType::F32, Shape::of({1, 64, 56, 56})};

class Maker {
public:
    ValueId input(const std::string& name, GraphId graph = GraphId(0)) { return m_builder.addInput(graph, name, kType); }
    ValueId op(const std::string& type, const std::vector<ValueId>& inputs, const std::string& name = {}, GraphId graph = GraphId(0),
               std::vector<Attribute> attributes = {}) {
        const ValueId out = m_builder.addValue(graph, type + "_out" + std::to_string(m_next++), kType);
        Node node;
        node.opType = type;
        node.name = name;
        node.opset = 17;
        node.inputs = inputs;
        node.outputs = {out};
        node.attributes = std::move(attributes);
        m_builder.addNode(graph, std::move(node));
        return out;
    }
    ValueId weights(const std::string& name) { return m_builder.addInitializer(GraphId(0), name, Tensor::scalar(1.0F)); }
    ModelBuilder& builder() { return m_builder; }
    ModelPtr finish(ValueId output) {
        m_builder.addOutput(GraphId(0), output);
        return m_builder.build().value();
    }

private:
    ModelBuilder m_builder;
    int m_next = 0;
};

}  // namespace

ModelPtr residualModel(int blocks) {
    Maker m;
    ValueId x = m.op("Conv", {m.input("input"), m.weights("conv1.weight")}, "conv1");
    for (int b = 0; b < blocks; ++b) {
        const std::string at = "layer1." + std::to_string(b) + ".";
        const ValueId skip = b % 4 == 0 ? m.op("Conv", {x, m.weights(at + "downsample")}, at + "downsample.0") : x;
        ValueId y = m.op("Conv", {x, m.weights(at + "w1")}, at + "conv1");
        y = m.op("Relu", {y}, at + "relu");
        y = m.op("Conv", {y, m.weights(at + "w2")}, at + "conv2");
        x = m.op("Relu", {m.op("Add", {y, skip}, at + "add")}, at + "relu_1");
    }
    x = m.op("GlobalAveragePool", {x}, "avgpool");
    return m.finish(m.op("Gemm", {m.op("Flatten", {x}, "flatten"), m.weights("fc.weight")}, "fc"));
}

ModelPtr branchingModel() {
    Maker m;
    const ValueId x = m.input("x");
    const ValueId relu = m.op("Relu", {x}, "relu");
    const GraphId yes = m.builder().addGraph("then_branch"), no = m.builder().addGraph("else_branch");
    m.builder().addOutput(yes, m.op("Sigmoid", {relu}, "inner_sigmoid", yes));
    m.builder().addOutput(no, m.op("Neg", {m.op("Tanh", {relu}, "inner_tanh", no)}, "inner_neg", no));
    const ValueId condition = m.op("IsPositive", {x}, "condition");
    const ValueId branch = m.op("If", {condition}, "branch", GraphId(0), {{"then_branch", yes}, {"else_branch", no}});
    const ValueId one = m.op("Constant", {}, "one", GraphId(0), {{"value", Tensor::scalar(1.0F)}});
    return m.finish(m.op("Abs", {m.op("Add", {branch, one}, "add")}, "abs"));
}

ModelPtr wideModel(int branches, int depth) {
    Maker m;
    const ValueId source = m.op("Conv", {m.input("input")}, "stem");
    std::vector<ValueId> ends;
    for (int b = 0; b < branches; ++b) {
        ValueId x = source;
        for (int d = 0; d < depth; ++d)
            x = m.op("Relu", {x}, "b" + std::to_string(b) + ".relu" + std::to_string(d));
        ends.push_back(x);
    }
    return m.finish(m.op("Concat", ends, "join"));
}

}  // namespace hs::test
