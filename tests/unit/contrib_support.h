// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

#include "core/graph/op_registry.h"
#include "executors/reference/reference_executor.h"

/// One node of com.microsoft on its own, inferred and run.
namespace hs::test {

using Floats = std::vector<float>;
using Doubles = std::vector<double>;
using Longs = std::vector<std::int64_t>;
using Ints = std::vector<std::int32_t>;
using Bytes = std::vector<std::uint8_t>;

/// Numbers in [-1, 1) from a seed.
inline Floats noise(std::size_t count, unsigned seed) {
    std::mt19937 engine(seed);
    Floats out(count);
    for (float& v : out)
        v = static_cast<float>(engine() % 20000U) / 10000.0F - 1.0F;
    return out;
}
inline Bytes noiseBytes(std::size_t count, unsigned seed) {
    std::mt19937 engine(seed);
    Bytes out(count);
    for (std::uint8_t& v : out)
        v = static_cast<std::uint8_t>(engine() % 256U);
    return out;
}

struct Bench {
    ModelBuilder builder;
    Node node;
    std::vector<Tensor> tensors;

    explicit Bench(std::string op, std::string domain = "com.microsoft", int opset = 1) {
        node.opType = std::move(op);
        node.domain = std::move(domain);
        node.opset = opset;
        node.name = "subject";
    }
    template <class T>
    Bench& in(Dims dims, const std::vector<T>& values) {
        return in(Tensor::of<T>(std::move(dims), values));
    }
    Bench& in(Tensor tensor) {
        node.inputs.push_back(builder.addInitializer(GraphId(0), "in" + std::to_string(tensors.size()), tensor));
        tensors.push_back(std::move(tensor));
        return *this;
    }
    Bench& none(int count = 1) {
        for (int i = 0; i < count; ++i) {
            node.inputs.emplace_back();
            tensors.emplace_back();
        }
        return *this;
    }
    template <class T>
    Bench& set(std::string name, T value) {
        node.attributes.push_back({std::move(name), AttributeValue(std::move(value))});
        return *this;
    }
    Bench& set(std::string name, int value) { return set(std::move(name), static_cast<std::int64_t>(value)); }

    /// Runs the node and holds the inferred types against the results.
    Result<std::vector<Tensor>> run(std::size_t outputs = 1) {
        for (std::size_t i = 0; i < outputs; ++i)
            node.outputs.push_back(builder.addValue(GraphId(0), "out" + std::to_string(i)));
        const NodeId id = builder.addNode(GraphId(0), node);
        for (const ValueId out : node.outputs)
            builder.addOutput(GraphId(0), out);
        HS_TRY(const ModelPtr model, builder.build());
        HS_TRY(const TypeTable types, inferTypes(*model));
        const auto executor = makeReferenceExecutor();
        const Support support = executor->supports({model.get(), &model->node(id), &types});
        if (!support.supported) return fail(ErrorCode::Unsupported, support.reason.code, "{}", support.reason.text());
        const std::vector<NodeId> nodes = {id};
        HS_TRY(const auto kernel, executor->compile({model.get(), nodes, {}, {}, 1}));
        std::vector<const Tensor*> pointers;
        for (const Tensor& t : tensors)
            pointers.push_back(t.valid() ? &t : nullptr);
        std::vector<Tensor> out(outputs);
        KernelContext context(pointers, out, nullptr, 1, 1);
        HS_CHECK(kernel->run(context));
        for (std::size_t i = 0; i < outputs; ++i) {
            const ValueType& type = types.type(model->node(id).outputs[i]);
            EXPECT_EQ(dtypeName(type.dtype), dtypeName(out[i].dtype())) << node.opType << " output " << i;
            if (!type.shape.ranked()) continue;
            EXPECT_EQ(type.shape.rank(), out[i].rank()) << node.opType << " output " << i;
            for (std::size_t d = 0; d < out[i].rank() && d < type.shape.rank(); ++d)
                if (type.shape[d].known()) {
                    EXPECT_EQ(type.shape[d].value(), out[i].dims()[d]) << node.opType << " output " << i;
                }
        }
        const NodeCost cost = nodeCost(*model, model->node(id), types);
        EXPECT_GT(cost.bytes, 0) << node.opType;
        m_flops = cost.flops;
        return out;
    }
    double flops() const { return m_flops; }

private:
    double m_flops = 0;
};

inline void expectNear(const Tensor& got, const Doubles& want, double tolerance = 1e-5) {
    ASSERT_EQ(static_cast<std::size_t>(got.count()), want.size());
    ASSERT_EQ(got.dtype(), DType::F32);
    for (std::size_t i = 0; i < want.size(); ++i)
        ASSERT_NEAR(got.data<float>()[i], want[i], tolerance * (1 + std::fabs(want[i]))) << "element " << i;
}
template <class T>
void expectEqual(const Tensor& got, const std::vector<T>& want) {
    const auto values = got.data<T>();
    ASSERT_EQ(std::vector<T>(values.begin(), values.end()), want);
}

/// Runs a bench that must work.
inline std::vector<Tensor> done(Bench& bench, std::size_t outputs = 1) {
    auto out = bench.run(outputs);
    EXPECT_TRUE(out) << (out ? "" : out.error().text());
    return out ? std::move(*out) : std::vector<Tensor>(outputs);
}
inline std::vector<Tensor> done(Bench&& bench, std::size_t outputs = 1) {
    return done(bench, outputs);
}
/// A bench that must be refused for this setting.
inline void expectRefused(Bench& bench, const std::string& setting, std::size_t outputs = 1) {
    const auto out = bench.run(outputs);
    ASSERT_FALSE(out);
    EXPECT_EQ(out.error().where, "kernel.attribute") << out.error().text();
    EXPECT_NE(out.error().text().find(setting), std::string::npos) << out.error().text();
}

}  // namespace hs::test
