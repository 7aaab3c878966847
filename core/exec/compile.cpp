// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <exception>
#include <new>

#include "core/base/clock.h"
#include "core/exec/engine.h"
#include "core/plan/placement.h"

namespace hs {
namespace {

constexpr std::size_t kAlignment = 64;
constexpr std::int64_t kCompileSpanNs = 20'000;  // shorter compilations get no span of their own
constexpr std::string_view kHost = "host";

// Dividing a step over threads costs a fork and a join: 1 to 5 us when every core is free, a scheduler's time slice (ms) when
// one is not. Steps that take some 20 us on one core do not earn that back; a core does at least 50 GFLOP/s and 10 GB/s.
constexpr double kSerialFlops = 1e6;
constexpr double kSerialBytes = 256 * 1024;

int threadsFor(const PlanStep& step, int threads) {
    const bool isKnown = step.bytes > 0;
    return isKnown && step.flops <= kSerialFlops && step.bytes <= kSerialBytes ? 1 : threads;
}

std::byte* allocateAligned(std::size_t bytes) {
    return static_cast<std::byte*>(std::aligned_alloc(kAlignment, (bytes / kAlignment + 1) * kAlignment));
}

}  // namespace

Result<std::unique_ptr<CompiledModel>> CompiledModel::compile(std::shared_ptr<const Plan> plan, Recorder* recorder, ThreadRecorder* thread,
                                                              const std::atomic<bool>* cancel) {
    auto engine = std::make_unique<Engine>(std::move(plan), recorder);
    HS_CHECK(engine->build(thread, cancel));
    return engine;
}

Engine::Engine(std::shared_ptr<const Plan> plan, Recorder* recorder) : m_plan(std::move(plan)), m_recorder(recorder), m_runTypes(m_plan->types) {}

Status Engine::build(ThreadRecorder* thread, const std::atomic<bool>* cancel) {
    layOutSlots();
    loadConstants();
    HS_CHECK(allocateArenas());
    for (StepState& step : m_steps) {
        if (cancel != nullptr && cancel->load(std::memory_order_relaxed)) return fail(ErrorCode::Cancelled, "", "cancelled while compiling");
        const std::uint64_t start = ticks();
        HS_CHECK(buildStep(step));
        const std::uint64_t end = ticks();
        if (thread != nullptr && TickClock::instance().durationNs(end - start) >= kCompileSpanNs)
            thread->span({start, end, step.plan->id.index(), kNoName, -1, thread->track(), SpanCategory::Compile, 0, 0});
    }
    prepareReleases();
    prepareMemoryEvents();
    if (m_recorder != nullptr) recordWeights();
    return {};
}

void Engine::layOutSlots() {
    const Model& model = *m_plan->model;
    const std::size_t values = model.values().size();
    m_resolved.resize(values);
    for (std::size_t i = 0; i < values; ++i)
        m_resolved[i] = ValueId(i);
    for (const auto& [from, to] : m_plan->aliases)
        m_resolved[from.index()] = to;

    constexpr std::uint32_t kNone = ~0U;
    m_slotOf.assign(values, kNone);
    m_steps.resize(m_plan->steps.size());
    m_bodySlots.resize(model.graphs().size());
    std::uint32_t next = 0;
    std::vector<std::uint32_t> firstOutput;
    for (std::size_t i = 0; i < m_steps.size(); ++i) {
        m_steps[i].plan = &m_plan->steps[i];
        m_steps[i].threads = threadsFor(m_plan->steps[i], m_plan->threads);
        firstOutput.push_back(next);
        for (const ValueId id : m_steps[i].plan->outputs) {
            if (id) m_slotOf[id.index()] = next;
            if (m_steps[i].plan->graph != model.main().id) m_bodySlots[m_steps[i].plan->graph.index()].push_back(next);
            ++next;
        }
    }
    for (const Value& value : model.values()) {
        if (m_slotOf[value.id.index()] != kNone) continue;
        m_slotOf[value.id.index()] = next;
        if (value.role == ValueRole::GraphInput && value.graph != model.main().id) m_bodySlots[value.graph.index()].push_back(next);
        ++next;
    }
    m_slots.resize(next);
    for (std::size_t i = 0; i < m_steps.size(); ++i)
        m_steps[i].outputs = std::span(m_slots).subspan(firstOutput[i], m_steps[i].plan->outputs.size());
}

void Engine::loadConstants() {
    m_constant.assign(m_plan->model->values().size(), 0);
    const auto set = [&](ValueId id, const Tensor& tensor) {
        m_slots[m_slotOf[id.index()]] = tensor;
        m_constant[id.index()] = 1;
    };
    for (const Value& value : m_plan->model->values()) {
        const bool isFed = std::find(m_plan->overridden.begin(), m_plan->overridden.end(), value.id) != m_plan->overridden.end();
        if (value.initializer && !isFed) set(value.id, *value.initializer);
    }
    for (const auto& [id, tensor] : m_plan->constants)
        set(id, tensor);
}

Status Engine::allocateArenas() {
    m_arenas.resize(m_plan->devices.size());
    for (std::size_t d = 0; d < m_arenas.size(); ++d) {
        const DeviceMemoryPlan& memory = m_plan->memory[d];
        if (memory.arenaBytes == 0) continue;
        m_arenas[d].memory.reset(allocateAligned(memory.arenaBytes));
        if (!m_arenas[d].memory)
            return fail(ErrorCode::OutOfMemory, memory.device, "no memory for the model's values ({} bytes): use a smaller batch", memory.arenaBytes);
        m_arenas[d].bytes = memory.arenaBytes;
        for (const ArenaSlot& place : memory.slots) {
            const ValueType& type = m_plan->types.type(place.value);
            m_slots[m_slotOf[place.value.index()]] = Tensor::borrow(type.dtype, *type.shape.concrete(), m_arenas[d].memory.get() + place.offset);
        }
    }
    return {};
}

Status Engine::buildStep(StepState& step) {
    bindStep(step);
    const PlanStep& plan = *step.plan;
    if (step.kind == StepState::Kind::ControlFlow || step.kind == StepState::Kind::View) {
        if (step.kind == StepState::Kind::View) prepareOutputs(step);
        return {};
    }
    if (step.kind == StepState::Kind::ByShape) return {};
    auto kernel = compileStep(plan, m_plan->types, step.kind == StepState::Kind::Dynamic);
    if (!kernel) return tl::unexpected<Error>(std::move(kernel).error());
    step.kernel = std::move(*kernel);
    HS_CHECK(growScratch(step.kernel->scratchBytes()));
    // What the kernel has packed it reads no more: only the packed copy needs to stay in memory.
    if (step.kernel->packedBytes() > 0)
        for (const Tensor* input : step.inputs)
            if (input != nullptr) input->releasePages();
    if (step.kind == StepState::Kind::Static) prepareOutputs(step);
    return {};
}

void Engine::bindStep(StepState& step) {
    const PlanStep& plan = *step.plan;
    for (const ValueId id : plan.inputs)
        step.inputs.push_back(id ? &slot(id) : nullptr);
    const Node& node = m_plan->model->node(plan.nodes.front());
    if (plan.executor == kHost) {
        step.kind = isControlFlow(node) ? StepState::Kind::ControlFlow : StepState::Kind::View;
        return;
    }
    const auto isStatic = [&](ValueId id) { return !id || m_plan->types.type(id).isStaticTensor(); };
    const bool allStatic = std::all_of(plan.inputs.begin(), plan.inputs.end(), isStatic) && std::all_of(plan.outputs.begin(), plan.outputs.end(), isStatic);
    if (allStatic) return;
    step.kind = StepState::Kind::ByShape;
    for (const auto& executor : m_plan->devices[plan.device].executors)
        if (executor->id() == plan.executor && executor->acceptsDynamicShapes()) step.kind = StepState::Kind::Dynamic;
}

/// Static steps and views: which outputs have fixed memory, and which get new memory before every run.
void Engine::prepareOutputs(StepState& step) {
    if (step.kind == StepState::Kind::View) {
        const Tensor& from = *step.inputs[0];
        // In a body the slot is cleared after each execution, so there the view is made anew each time.
        const bool isFixed = step.plan->graph == m_plan->model->main().id && inArena(from.raw());
        if (isFixed) step.outputs[0] = from.reshaped(*m_plan->types.type(step.plan->outputs[0]).shape.concrete());
        step.prepared = isFixed;
        return;
    }
    for (std::uint32_t i = 0; i < step.outputs.size(); ++i) {
        const ValueId id = step.plan->outputs[i];
        if (!id) continue;
        const ValueType& type = m_plan->types.type(id);
        if (step.outputs[i].valid()) {
            step.planned.push_back({i, step.outputs[i].raw()});
        } else {
            step.fresh.push_back({i, type.dtype, *type.shape.concrete()});
        }
    }
}

/// Slots that own their memory are emptied after the last main step that reads them; bodies are cleared as a whole.
void Engine::prepareReleases() {
    const Model& model = *m_plan->model;
    const std::uint32_t main = model.main().id.index();
    std::vector<std::uint32_t> lastUse(m_slots.size(), ~0U);
    const auto& order = m_plan->order[main];
    for (const StepId id : order) {
        const StepState& step = m_steps[id.index()];
        const auto use = [&](ValueId value) {
            if (value) lastUse[m_slotOf[m_resolved[value.index()].index()]] = id.index();
        };
        std::for_each(step.plan->inputs.begin(), step.plan->inputs.end(), use);
        std::for_each(step.plan->outputs.begin(), step.plan->outputs.end(), use);
        for (const GraphId body : model.node(step.plan->nodes.front()).subgraphs())
            for (const ValueId value : model.captures(body))
                use(value);
    }
    for (const ValueId id : model.main().outputs)
        lastUse[m_slotOf[m_resolved[id.index()].index()]] = ~0U;
    for (const StepId id : order) {
        StepState& step = m_steps[id.index()];
        const bool isPrepared = step.kind == StepState::Kind::View && step.prepared;
        for (std::size_t i = 0; i < step.outputs.size(); ++i) {
            Tensor& out = step.outputs[i];
            const std::uint32_t last = lastUse[static_cast<std::size_t>(&out - m_slots.data())];
            if (isPrepared || inArena(out.raw()) || last == ~0U) continue;
            m_steps[last].release.push_back(&out);
        }
    }
}

void Engine::prepareMemoryEvents() {
    for (const DeviceMemoryPlan& memory : m_plan->memory) {
        for (const ArenaSlot& place : memory.slots) {
            m_steps[place.firstStep].allocs.emplace_back(place.value.index(), place.bytes);
            m_steps[place.lastStep].frees.emplace_back(place.value.index(), place.bytes);
        }
    }
}

void Engine::recordWeights() {
    std::vector<std::uint8_t> done(m_plan->model->values().size(), 0);
    for (const StepState& step : m_steps) {
        const auto event = [&](std::uint32_t value, std::uint64_t bytes, std::uint32_t buffer) {
            m_recorder->memory({ticks(), bytes, value, buffer, static_cast<std::uint16_t>(step.plan->device), MemoryKind::Alloc});
        };
        for (const ValueId id : step.plan->inputs) {
            if (!id || m_constant[id.index()] == 0 || done[id.index()]++ != 0) continue;
            event(id.index(), m_slots[m_slotOf[id.index()]].bytes(), id.index());
        }
        // Packed weights get buffer numbers behind those of the values.
        const auto packed = static_cast<std::uint32_t>(m_plan->model->values().size()) + step.plan->id.index();
        if (step.kernel && step.kernel->packedBytes() > 0) event(kNoName, step.kernel->packedBytes(), packed);
    }
}

Status Engine::growScratch(std::size_t bytes) {
    if (bytes <= m_scratch.bytes) return {};
    m_scratch.memory.reset(allocateAligned(bytes));
    m_scratch.bytes = m_scratch.memory ? bytes : 0;
    if (!m_scratch.memory) return fail(ErrorCode::OutOfMemory, "", "no memory for a kernel's scratch space of {} bytes", bytes);
    return {};
}

Result<std::unique_ptr<Kernel>> Engine::compileWith(const Executor& executor, const PlanStep& step, const TypeTable& types) {
    std::vector<Argument> inputs;
    std::vector<Argument> outputs;
    for (const ValueId id : step.inputs) {
        if (!id) {
            inputs.push_back({});
            continue;
        }
        const bool known = m_constant[id.index()] != 0;
        inputs.push_back({id, known ? slot(id).type() : types.type(id), known ? &slot(id) : nullptr});
    }
    for (const ValueId id : step.outputs)
        outputs.push_back({id, id ? types.type(id) : ValueType{}, nullptr});
    try {
        return executor.compile({m_plan->model.get(), step.nodes, inputs, outputs, m_steps[step.id.index()].threads});
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::OutOfMemory, step.label, "executor {} ran out of memory while compiling it", executor.id());
    } catch (const std::exception& error) {
        return fail(ErrorCode::DeviceFailed, step.label, "executor {} failed to compile it: {}", executor.id(), error.what());
    }
}

Result<std::unique_ptr<Kernel>> Engine::compileStep(const PlanStep& step, const TypeTable& types, bool isDynamic) {
    const auto& executors = m_plan->devices[step.device].executors;
    const Node& node = m_plan->model->node(step.nodes.front());
    const auto planned = std::find_if(executors.begin(), executors.end(), [&](const auto& e) { return e->id() == step.executor; });
    if (planned == executors.end()) return fail(ErrorCode::Internal, step.label, "the plan names executor {}, which its device lacks", step.executor);
    auto kernel = compileWith(**planned, step, types);
    if (kernel) return kernel;
    Error first = std::move(kernel).error();
    for (const auto& executor : executors) {
        if (executor == *planned || (isDynamic && !executor->acceptsDynamicShapes())) continue;
        if (!executor->supports({m_plan->model.get(), &node, &types}).supported) continue;
        auto other = compileWith(*executor, step, types);
        if (!other) continue;
        const Reason reason{"kernel.compile_failed", {step.executor, step.label, first.message}};
        m_warnings.push_back(reason.text() + "; executor " + std::string(executor->id()) + " runs it instead");
        return other;
    }
    if (first.where.empty()) first.where = step.label;
    return tl::unexpected<Error>(std::move(first));
}

std::vector<std::pair<std::uint32_t, std::string>> Engine::kernels() const {
    std::vector<std::pair<std::uint32_t, std::string>> out;
    for (const StepState& step : m_steps) {
        const Kernel* kernel = step.kernel ? step.kernel.get() : step.byShape.empty() ? nullptr : step.byShape.begin()->second.kernel.get();
        if (kernel != nullptr) out.emplace_back(step.plan->id.index(), kernel->name());
    }
    return out;
}

std::vector<CompiledModel::Memory> Engine::memory() const {
    std::vector<Memory> out(m_plan->devices.size());
    for (std::size_t d = 0; d < out.size(); ++d) {
        out[d].weightBytes = m_plan->memory[d].weightBytes;
        out[d].arenaBytes = m_arenas[d].bytes;
    }
    for (const StepState& step : m_steps)
        if (step.kernel) out[step.plan->device].packedBytes += step.kernel->packedBytes();
    for (Memory& memory : out)
        memory.peakBytes = memory.weightBytes + memory.packedBytes + memory.arenaBytes;
    return out;
}

}  // namespace hs
