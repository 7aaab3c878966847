// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <exception>
#include <new>

#include "core/base/clock.h"
#include "core/exec/engine.h"
#include "core/exec/tensor_ops.h"

namespace hs {
namespace {

constexpr std::size_t kKernelsPerStep = 64;        // of a step compiled by shape; then it starts over
constexpr std::int64_t kShapeDataElements = 1024;  // integer inputs up to this many may be shapes

/// What a kernel compiled during a run depends on: the inputs' types, and the values of those that may be shapes.
std::string shapeKey(const StepState& step) {
    std::string key;
    for (const Tensor* input : step.inputs) {
        if (input == nullptr) {
            key += '-';
            continue;
        }
        key += input->type().text();
        if (input->dtype() == DType::I64 && input->count() <= kShapeDataElements) key.append(static_cast<const char*>(input->raw()), input->bytes());
        key += ';';
    }
    return key;
}

}  // namespace

bool Engine::inArena(const void* p) const {
    return p != nullptr && std::any_of(m_arenas.begin(), m_arenas.end(), [&](const Arena& arena) { return arena.holds(p); });
}

void Engine::clearGraph(GraphId graph) {
    for (const std::uint32_t index : m_bodySlots[graph.index()])
        m_slots[index] = Tensor();
}

Status Engine::feed(const std::map<ValueId, Tensor>& inputs) {
    const Model& model = *m_plan->model;
    for (const auto& [id, tensor] : inputs) {
        const Value& value = model.value(id);
        if (value.role != ValueRole::GraphInput || value.graph != model.main().id) return fail(ErrorCode::BadInput, value.name, "is not an input of the model");
        if (m_constant[id.index()] != 0)
            return fail(ErrorCode::BadInput, value.name, "was compiled as a constant: name it as an input when planning to feed it");
        const ValueType& type = m_plan->types.type(id);
        // What an optional or a sequence holds is looked at by the operators that open it.
        if (type.kind != TypeKind::Tensor || !tensor.isTensor()) {
            if (!mayHold(type.kind, tensor.kind())) return fail(ErrorCode::BadInput, value.name, "input is {}, expected {}", tensor.type().text(), type.text());
            m_slots[m_slotOf[id.index()]] = tensor;
            continue;
        }
        const bool wrongType = type.dtype != DType::Undefined && type.dtype != tensor.dtype();
        bool wrongShape = type.shape.ranked() && type.shape.rank() != tensor.rank();
        for (std::size_t i = 0; !wrongShape && type.shape.ranked() && i < tensor.rank(); ++i)
            wrongShape = type.shape[i].known() && type.shape[i].value() != tensor.dims()[i];
        if (wrongType || wrongShape) return fail(ErrorCode::BadInput, value.name, "input is {}, expected {}", tensor.type().text(), type.text());
        m_slots[m_slotOf[id.index()]] = tensor;
    }
    for (const ValueId id : model.main().inputs)
        if (m_constant[id.index()] == 0 && !inputs.contains(id)) return fail(ErrorCode::BadInput, model.value(id).name, "input is missing");
    return {};
}

Result<std::vector<Tensor>> Engine::run(const std::map<ValueId, Tensor>& inputs, const RunOptions& options) {
    m_options = options;
    m_kept.clear();
    const Graph& main = m_plan->model->main();
    HS_CHECK(feed(inputs));
    Status status = runGraph(main.id);
    std::vector<Tensor> outputs;
    for (const ValueId id : main.outputs)
        outputs.push_back(slot(id));
    // The caller owns inputs and outputs: keep no share in them.
    for (const auto& [id, tensor] : inputs)
        m_slots[m_slotOf[id.index()]] = Tensor();
    for (const ValueId id : main.outputs) {
        const ValueId source = m_resolved[id.index()];
        if (m_constant[source.index()] == 0) m_slots[m_slotOf[source.index()]] = Tensor();
    }
    if (!status) return tl::unexpected<Error>(std::move(status).error());
    return outputs;
}

Status Engine::runGraph(GraphId graph) {
    ThreadRecorder* recorder = m_options.recorder;
    for (const StepId id : m_plan->order[graph.index()]) {
        if (m_options.cancel != nullptr && m_options.cancel->load(std::memory_order_relaxed)) return fail(ErrorCode::Cancelled, "", "the run was cancelled");
        StepState& step = m_steps[id.index()];
        if (m_options.recordMemory) recordStepMemory(step, true);
        if (recorder != nullptr) {
            const std::uint64_t inner = recorder->stepTicks();
            const std::uint64_t start = ticks();
            Status status = runStep(step);
            if (step.kind == StepState::Kind::ControlFlow)
                recorder->enclosingStep(id.index(), start, ticks(), inner);
            else
                recorder->step(id.index(), start, ticks());
            HS_CHECK(std::move(status));
        } else {
            HS_CHECK(runStep(step));
        }
        if (m_options.keepAll) HS_CHECK(keep(step));
        if (m_options.recordMemory) recordStepMemory(step, false);
        for (Tensor* done : step.release)
            *done = Tensor();
    }
    return {};
}

Status Engine::runStep(StepState& step) {
    switch (step.kind) {
        case StepState::Kind::Static:
            for (const StepState::Fresh& fresh : step.fresh) {
                auto memory = Tensor::allocate(fresh.type, fresh.dims);
                if (!memory) return fail(memory.error().code, step.plan->label, "{}", memory.error().message);
                step.outputs[fresh.index] = std::move(*memory);
            }
            return runKernel(step, *step.kernel);
        case StepState::Kind::Dynamic: std::fill(step.outputs.begin(), step.outputs.end(), Tensor()); return runKernel(step, *step.kernel);
        case StepState::Kind::ByShape: return runByShape(step);
        case StepState::Kind::View:
            if (!step.prepared) step.outputs[0] = step.inputs[0]->reshaped(*m_plan->types.type(step.plan->outputs[0]).shape.concrete());
            return {};
        case StepState::Kind::ControlFlow: break;
    }
    const Node& node = m_plan->model->node(step.plan->nodes.front());
    Status status = node.opType == "If"     ? runIf(step, node)
                    : node.opType == "Loop" ? runLoop(step, node)
                    : node.opType == "Scan" ? runScan(step, node)
                                            : runSequenceMap(step, node);
    if (!status && status.error().where.empty()) status.error().where = step.plan->label;
    HS_CHECK(std::move(status));
    return settle(step);
}

Status Engine::runKernel(StepState& step, Kernel& kernel) {
    KernelContext context(step.inputs, step.outputs, m_scratch.memory.get(), step.threads, m_options.seed);
    Status status;
    try {
        status = kernel.run(context);
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::OutOfMemory, step.plan->label, "kernel {} ran out of memory", kernel.name());
    } catch (const std::exception& error) {
        return fail(ErrorCode::DeviceFailed, step.plan->label, "kernel {} failed: {}", kernel.name(), error.what());
    }
    if (!status) {
        Error error = std::move(status).error();
        if (error.where.empty()) error.where = step.plan->label;
        return tl::unexpected<Error>(std::move(error));
    }
    // The common case ends here: every output is where the plan put it.
    if (step.kind == StepState::Kind::Static && step.fresh.empty() &&
        std::all_of(step.planned.begin(), step.planned.end(), [&](const auto& p) { return step.outputs[p.index].raw() == p.memory; }))
        return {};
    return settle(step);
}

/// Brings outputs that a kernel made elsewhere (shared with an input, or newly allocated) to where others expect them.
Status Engine::settle(StepState& step) {
    for (const StepState::Planned& place : step.planned) {
        Tensor& out = step.outputs[place.index];
        if (out.raw() == place.memory) continue;
        const ValueType& type = m_plan->types.type(step.plan->outputs[place.index]);
        if (!out.valid() || out.dtype() != type.dtype || out.dims() != *type.shape.concrete())
            return fail(ErrorCode::Internal, step.plan->label, "its kernel made {} where shape inference expected {}: please report this",
                        out.valid() ? out.type().text() : "nothing", type.text());
        Tensor fixed = Tensor::borrow(type.dtype, *type.shape.concrete(), const_cast<void*>(place.memory));
        copyElements(out, fixed);
        out = std::move(fixed);
    }
    for (std::size_t i = 0; i < step.outputs.size(); ++i) {
        const bool isPlanned = std::any_of(step.planned.begin(), step.planned.end(), [&](const auto& p) { return p.index == i; });
        if (step.plan->outputs[i] && !isPlanned) HS_CHECK(settleOutput(*step.plan, i, step.outputs[i]));
    }
    return {};
}

Status Engine::settleOutput(const PlanStep& step, std::size_t i, Tensor& out) {
    const ValueType& type = m_plan->types.type(step.outputs[i]);
    if (!out.valid()) return fail(ErrorCode::Internal, step.label, "its kernel did not make output {}: please report this", i);
    if (type.isStaticTensor() && (out.dtype() != type.dtype || out.dims() != *type.shape.concrete())) {
        const Value& value = m_plan->model->value(step.outputs[i]);
        if (value.type.shape != type.shape)
            return fail(ErrorCode::Internal, step.label, "its kernel made {} where shape inference expected {}: please report this", out.type().text(),
                        type.text());
        // The file itself promised that shape, and nothing was known better: with these inputs it does not hold.
        return fail(ErrorCode::BadInput, step.label, "the model declares {} for \"{}\", with these inputs it is {}: correct the declaration or the inputs",
                    type.text(), value.name, out.type().text());
    }
    // Arena memory is reused by other values later: what outlives its slot needs a copy.
    if (inArena(out.raw())) {
        HS_TRY(out, deepCopy(out));
    }
    return {};
}

Status Engine::runByShape(StepState& step) {
    std::string key = shapeKey(step);
    auto it = step.byShape.find(key);
    if (it == step.byShape.end()) {
        const Node& node = m_plan->model->node(step.plan->nodes.front());
        for (std::size_t i = 0; i < step.inputs.size(); ++i) {
            if (step.inputs[i] == nullptr) continue;
            InferredValue value;
            value.type = step.inputs[i]->type();
            if (isInteger(step.inputs[i]->dtype()) && step.inputs[i]->count() <= kShapeDataElements) {
                const auto ints = toInt64s(*step.inputs[i]);
                value.data.emplace(ints.begin(), ints.end());
            }
            m_runTypes.at(node.inputs[i]) = value;
            m_runTypes.at(step.plan->inputs[i]) = value;
        }
        for (const ValueId id : node.outputs)
            if (id) m_runTypes.at(id) = {};
        const OpSchema* schema = OpRegistry::instance().find(node.domain, node.opType, node.opset);
        if (schema != nullptr && schema->infer != nullptr) {
            InferContext context(*m_plan->model, node, m_runTypes);
            HS_CHECK(schema->infer(context));
        }
        const bool known =
            std::all_of(step.plan->outputs.begin(), step.plan->outputs.end(), [&](ValueId id) { return !id || m_runTypes.type(id).isStaticTensor(); });
        auto kernel = compileStep(*step.plan, m_runTypes, !known);
        if (!kernel) return tl::unexpected<Error>(std::move(kernel).error());
        HS_CHECK(growScratch((*kernel)->scratchBytes()));
        if (step.byShape.size() >= kKernelsPerStep) step.byShape.clear();
        it = step.byShape.emplace(std::move(key), CompiledShape{std::move(*kernel), {}}).first;
        for (const ValueId id : step.plan->outputs)
            it->second.outputs.push_back(known && id ? m_runTypes.type(id) : ValueType{});
    }
    for (std::size_t i = 0; i < step.outputs.size(); ++i) {
        const ValueType& type = it->second.outputs[i];
        step.outputs[i] = Tensor();
        if (!type.isStaticTensor()) continue;
        HS_TRY(step.outputs[i], Tensor::allocate(type.dtype, *type.shape.concrete()));
    }
    return runKernel(step, *it->second.kernel);
}

Status Engine::keep(const StepState& step) {
    for (std::size_t i = 0; i < step.outputs.size(); ++i) {
        const ValueId id = step.plan->outputs[i];
        if (!id || !step.outputs[i].valid()) continue;
        HS_TRY(m_kept[id], deepCopy(step.outputs[i]));
    }
    return {};
}

void Engine::recordStepMemory(const StepState& step, bool before) {
    if (m_recorder == nullptr) return;
    for (const auto& [value, bytes] : before ? step.allocs : step.frees)
        m_recorder->memory({ticks(), bytes, value, value, static_cast<std::uint16_t>(step.plan->device), before ? MemoryKind::Alloc : MemoryKind::Free});
}

}  // namespace hs
