// SPDX-License-Identifier: Apache-2.0
// What the engine adds to a step: a chain of steps whose kernel does nothing but say so.
#include <algorithm>
#include <fmt/format.h>

#include "core/base/clock.h"
#include "core/exec/runner.h"
#include "core/graph/model.h"
#include "tests/bench/trace_bench.h"

namespace hs::bench {
namespace {

constexpr int kRounds = 20;

std::size_t kernelCalls = 0;

class NothingKernel final : public Kernel {
public:
    std::string name() const override { return "nothing"; }
    Status run(KernelContext& context) override {
        static_cast<void>(context.planned(0));
        ++kernelCalls;
        return {};
    }
};

class NothingExecutor final : public Executor {
public:
    std::string_view id() const override { return "nothing"; }
    std::string_view deviceKind() const override { return "cpu"; }
    Support supports(const NodeQuery&) const override { return Support::yes(); }
    Result<std::unique_ptr<Kernel>> compile(const CompileRequest&) const override { return std::make_unique<NothingKernel>(); }
};

Result<ModelPtr> chain(std::size_t steps) {
    ModelBuilder builder;
    const ValueType type{TypeKind::Tensor, DType::F32, Shape({1, 32})};
    ValueId last = builder.addInput(GraphId(0), "x", type);
    for (std::size_t i = 0; i < steps; ++i) {
        Node node;
        node.opType = "Relu";
        node.opset = 17;
        node.name = fmt::format("node{}", i);
        node.inputs = {last};
        last = builder.addValue(GraphId(0), fmt::format("v{}", i));
        node.outputs = {last};
        builder.addNode(GraphId(0), std::move(node));
    }
    builder.addOutput(GraphId(0), last);
    builder.info().opsets["ai.onnx"] = 17;
    return builder.build();
}

/// Nanoseconds a step, the best of the rounds; with a recorder, each step is recorded in detail.
Result<double> nsPerStep(std::size_t steps, bool record) {
    PlanRequest request;
    HS_TRY(request.model, chain(steps));
    PlanDevice device;
    device.info.id = "cpu";
    device.info.kind = "cpu";
    device.executors = {std::make_shared<NothingExecutor>()};
    request.devices = {device};
    HS_TRY(Plan plan, makePlan(request));
    HS_TRY(const auto compiled, CompiledModel::compile(std::make_shared<const Plan>(std::move(plan)), nullptr, nullptr));
    HS_TRY(const Tensor input, Tensor::allocate(DType::F32, {1, 32}));
    const std::map<ValueId, Tensor> inputs = {{request.model->main().inputs.front(), input}};
    kernelCalls = 0;
    Recorder recorder(steps, 2 * steps);
    ThreadRecorder& thread = recorder.addThread("bench", kHostDevice);
    RunOptions options;
    options.recorder = record ? &thread : nullptr;
    double best = 1e30;
    for (int round = 0; round < kRounds; ++round) {
        const std::int64_t start = steadyNs();
        HS_CHECK(compiled->run(inputs, options));
        best = std::min(best, static_cast<double>(steadyNs() - start) / static_cast<double>(steps));
        const std::size_t seen = thread.ring().drain([](const SpanEvent&) {});
        if (seen != (record ? steps : 0)) return fail(ErrorCode::Internal, "", "{} steps ran, {} were recorded", steps, seen);
    }
    if (kernelCalls != steps * kRounds) return fail(ErrorCode::Internal, "", "{} kernel calls instead of {}", kernelCalls, steps * kRounds);
    return best;
}

}  // namespace

std::vector<Figure> benchDispatch() {
    std::vector<Figure> out;
    for (const std::size_t steps : {std::size_t{1000}, std::size_t{10'000}}) {
        const auto plain = nsPerStep(steps, false);
        const auto recorded = nsPerStep(steps, true);
        if (!plain || !recorded) return {{"dispatch", "", 1, 0, {}, (plain ? recorded : plain).error().text()}};
        out.push_back({fmt::format("dispatch a step, {} in a chain", steps), "ns", *plain, 200, {}, "a kernel that does nothing"});
        out.push_back({"the same, recorded in detail", "ns", *recorded, 250, {}, ""});
        out.push_back({"recording adds", "ns", *recorded - *plain, 50, {}, "at the running thread"});
    }
    return out;
}

}  // namespace hs::bench
