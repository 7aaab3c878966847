// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <set>

#include "core/plan/plan.h"

namespace hs::test {

/// Says that it runs the listed operators ("*": all); compiles nothing.
class ListedExecutor final : public Executor {
public:
    ListedExecutor(std::string id, std::set<std::string> operators) : m_id(std::move(id)), m_operators(std::move(operators)) {}
    std::string_view id() const override { return m_id; }
    std::string_view deviceKind() const override { return "cpu"; }
    Support supports(const NodeQuery& query) const override {
        if (m_operators.contains("*") || m_operators.contains(query.node->opType)) return Support::yes();
        return Support::no("kernel.operator", {m_id, query.node->opType});
    }
    Result<std::unique_ptr<Kernel>> compile(const CompileRequest&) const override { return fail(ErrorCode::DeviceFailed, "", "{} never compiles", m_id); }

private:
    std::string m_id;
    std::set<std::string> m_operators;
};

inline PlanDevice makeDevice(std::string id, std::vector<std::shared_ptr<const Executor>> executors, double gflops = 100, double gbps = 10,
                             double launchNs = 1000) {
    PlanDevice out;
    out.info.id = std::move(id);
    out.info.kind = "cpu";
    out.info.peakGflopsF32 = gflops;
    out.info.bandwidthGbps = gbps;
    out.info.launchNs = launchNs;
    out.executors = std::move(executors);
    return out;
}

inline ValueType floats(std::vector<Dim> dims) {
    return {TypeKind::Tensor, DType::F32, Shape(std::move(dims))};
}

/// Builds small models a line at a time; values are found by name.
class ModelMaker {
public:
    explicit ModelMaker(int opset = 17) : m_opset(opset) {}
    ValueId input(const std::string& name, ValueType type, GraphId graph = GraphId(0)) {
        return m_ids[name] = m_builder.addInput(graph, name, std::move(type));
    }
    ValueId constant(const std::string& name, Tensor tensor, GraphId graph = GraphId(0)) {
        return m_ids[name] = m_builder.addInitializer(graph, name, std::move(tensor));
    }
    NodeId node(const std::string& op, const std::vector<std::string>& inputs, const std::vector<std::string>& outputs, std::vector<Attribute> attributes = {},
                GraphId graph = GraphId(0), const std::string& name = {}) {
        Node node;
        node.opType = op;
        node.opset = m_opset;
        node.name = name;
        node.attributes = std::move(attributes);
        for (const auto& in : inputs)
            node.inputs.push_back(in.empty() ? ValueId{} : m_ids.at(in));
        for (const auto& out : outputs)
            node.outputs.push_back(m_ids[out] = m_builder.addValue(graph, out));
        return m_builder.addNode(graph, std::move(node));
    }
    void output(const std::string& name, GraphId graph = GraphId(0)) { m_builder.addOutput(graph, m_ids.at(name)); }
    GraphId graph(const std::string& name) { return m_builder.addGraph(name); }
    ValueId id(const std::string& name) const { return m_ids.at(name); }
    ModelPtr build() {
        m_builder.info().opsets["ai.onnx"] = m_opset;
        auto model = m_builder.build();
        EXPECT_TRUE(model) << (model ? "" : model.error().text());
        return model.value_or(nullptr);
    }

private:
    int m_opset;
    ModelBuilder m_builder;
    std::map<std::string, ValueId> m_ids;
};

}  // namespace hs::test
