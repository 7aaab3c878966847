// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/onednn_harness.h"

#include <cmath>
#include <cstring>
#include <memory>
#include <random>

#include "executors/onednn/onednn_executor.h"
#include "executors/reference/reference_executor.h"

namespace hs::test {
namespace {

struct Prepared {
    ModelPtr model;
    TypeTable types;
    std::vector<Argument> inputs;
    std::vector<Argument> outputs;
};

Prepared prepare(const NodeCase& c) {
    ModelBuilder builder;
    const GraphId main(0);
    Node node = c.node;
    for (const Operand& operand : c.inputs) {
        const std::string name = "in" + std::to_string(node.inputs.size());
        if (!operand.tensor.valid())
            node.inputs.emplace_back();
        else
            node.inputs.push_back(operand.constant ? builder.addInitializer(main, name, operand.tensor) : builder.addInput(main, name, operand.tensor.type()));
    }
    for (std::size_t i = 0; i < c.outputs.size(); ++i)
        node.outputs.push_back(c.wanted[i] ? builder.addValue(main, "out" + std::to_string(i)) : ValueId());
    builder.addNode(main, node);
    Prepared p;
    p.model = builder.build().value();
    p.types = TypeTable(p.model->values().size());
    for (std::size_t i = 0; i < c.inputs.size(); ++i) {
        const ValueId id = node.inputs[i];
        p.inputs.push_back({id, {}, nullptr});
        if (!id.valid()) continue;
        p.inputs.back().type = c.inputs[i].tensor.type();
        if (c.inputs[i].constant) p.inputs.back().constant = &c.inputs[i].tensor;
        p.types.at(id).type = c.inputs[i].tensor.type();
    }
    for (std::size_t i = 0; i < c.outputs.size(); ++i) {
        const ValueId id = node.outputs[i];
        p.outputs.push_back({id, {}, nullptr});
        if (!id.valid()) continue;
        p.outputs.back().type = {TypeKind::Tensor, DType::F32, Shape::of(c.outputs[i])};
        p.types.at(id).type = p.outputs.back().type;
    }
    return p;
}

const Executor& executor() {
    static const auto kExecutor = makeOneDnnExecutor();
    return *kExecutor;
}

Result<std::vector<Tensor>> runOnce(Kernel& kernel, const NodeCase& c, const Prepared& p, int threads) {
    std::vector<const Tensor*> inputs;
    for (const Operand& operand : c.inputs)
        inputs.push_back(operand.tensor.valid() ? &operand.tensor : nullptr);
    std::vector<Tensor> outputs(c.outputs.size());
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        if (!c.wanted[i]) continue;
        outputs[i] = Tensor::allocate(DType::F32, c.outputs[i]).value();
        for (float& x : outputs[i].data<float>())
            x = std::nanf("");  // what the kernel forgets stays visible
    }
    const Tensor scratch = Tensor::allocate(DType::U8, {static_cast<std::int64_t>(kernel.scratchBytes())}).value();
    KernelContext context(inputs, outputs, const_cast<void*>(scratch.raw()), threads, 0);
    HS_CHECK(kernel.run(context));
    (void)p;
    return outputs;
}

}  // namespace

NodeCase::NodeCase(std::string op, std::vector<Operand> operands, std::vector<Dims> outputDims)
    : inputs(std::move(operands)), outputs(std::move(outputDims)), wanted(outputs.size(), true) {
    node.opType = std::move(op);
    node.opset = 17;
}

Support ask(const NodeCase& c) {
    const Prepared p = prepare(c);
    return executor().supports({p.model.get(), &p.model->nodes().front(), &p.types});
}

Result<Outcome> runCase(const NodeCase& c, int threads) {
    const Prepared p = prepare(c);
    const NodeId node(0);
    const CompileRequest request{p.model.get(), std::span(&node, 1), p.inputs, p.outputs, threads};
    HS_TRY(const std::unique_ptr<Kernel> kernel, executor().compile(request));
    HS_TRY(const std::vector<Tensor> first, runOnce(*kernel, c, p, threads));
    HS_TRY(const std::vector<Tensor> second, runOnce(*kernel, c, p, threads));
    for (std::size_t i = 0; i < first.size(); ++i)
        if (first[i].valid()) {
            EXPECT_EQ(std::memcmp(first[i].raw(), second[i].raw(), static_cast<std::size_t>(first[i].count()) * sizeof(float)), 0)
                << "a second run gives something else";
        }
    return Outcome{first, kernel->name(), kernel->packedBytes()};
}

Result<std::vector<Tensor>> runReference(const NodeCase& c) {
    const Prepared p = prepare(c);
    const NodeId node(0);
    HS_TRY(const auto kernel, makeReferenceExecutor()->compile({p.model.get(), std::span(&node, 1), {}, {}, 1}));
    std::vector<const Tensor*> inputs;
    for (const Operand& operand : c.inputs)
        inputs.push_back(operand.tensor.valid() ? &operand.tensor : nullptr);
    std::vector<Tensor> outputs(c.outputs.size());
    KernelContext context(inputs, outputs, nullptr, 1, 0);
    HS_CHECK(kernel->run(context));
    return outputs;
}

std::vector<float> valuesOf(const NodeCase& c, std::size_t i) {
    const Support support = ask(c);
    EXPECT_TRUE(support.supported) << support.reason.text();
    const auto outcome = runCase(c);
    if (!outcome) {
        ADD_FAILURE() << outcome.error().text();
        return {};
    }
    return toVector(outcome->outputs[i]);
}

Tensor random(const Dims& dims, unsigned seed) {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<float> uniform(-1, 1);
    Tensor out = Tensor::allocate(DType::F32, dims).value();
    for (float& x : out.data<float>())
        x = uniform(generator);
    return out;
}

Tensor floats(const Dims& dims, std::vector<float> values) {
    return Tensor::of<float>(dims, values);
}

Tensor ints64(const Dims& dims, std::vector<std::int64_t> values) {
    return Tensor::of<std::int64_t>(dims, values);
}

std::vector<float> toVector(const Tensor& tensor) {
    const auto data = tensor.data<float>();
    return {data.begin(), data.end()};
}

void expectClose(const std::vector<float>& got, const std::vector<float>& want, float rtol, float atol) {
    ASSERT_EQ(got.size(), want.size());
    int bad = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
        const bool same = got[i] == want[i] || std::abs(got[i] - want[i]) <= atol + rtol * std::abs(want[i]);
        if (!same && ++bad <= 3) ADD_FAILURE() << "element " << i << ": got " << got[i] << ", want " << want[i];
    }
    EXPECT_EQ(bad, 0) << "of " << got.size();
}

void forEachIndex(const Dims& dims, const std::function<void(const Dims&)>& visit) {
    Dims index(dims.size(), 0);
    const std::int64_t count = *elementCount(dims);
    for (std::int64_t n = 0; n < count; ++n) {
        visit(index);
        for (std::size_t i = dims.size(); i-- > 0;) {
            if (++index[i] < dims[i]) break;
            index[i] = 0;
        }
    }
}

std::size_t flatIndex(const Dims& dims, const Dims& index) {
    std::int64_t flat = 0;
    for (std::size_t i = 0; i < dims.size(); ++i)
        flat = flat * dims[i] + index[i];
    return static_cast<std::size_t>(flat);
}

float spreadAt(const Tensor& tensor, const Dims& index) {
    const Dims& dims = tensor.dims();
    Dims own(dims.size());
    for (std::size_t i = 0; i < dims.size(); ++i)
        own[i] = dims[i] == 1 ? 0 : index[index.size() - dims.size() + i];
    return tensor.data<float>()[flatIndex(dims, own)];
}

}  // namespace hs::test
