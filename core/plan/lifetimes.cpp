// SPDX-License-Identifier: Apache-2.0
#include "core/plan/lifetimes.h"

#include <algorithm>
#include <limits>
#include <set>

#include "core/plan/memory_plan.h"
#include "core/plan/placement.h"

namespace hs {
namespace {

constexpr std::uint32_t kNever = std::numeric_limits<std::uint32_t>::max();

/// First and last position in the main graph's order at which a buffer is needed; views share their source's buffer.
struct Lifetimes {
    std::vector<ValueId> buffer;           // by ValueId: the value whose memory it shares (itself mostly)
    std::vector<std::uint32_t> first;      // by ValueId of a buffer; kNever when no main step makes it
    std::vector<std::uint32_t> last;       // by ValueId of a buffer
    std::vector<std::uint32_t> device;     // by ValueId of a buffer
    std::vector<std::uint8_t> isExternal;  // handed to the caller
};

bool isView(const Plan& plan, const PlanStep& step) {
    return step.executor == kHostExecutor && !isControlFlow(plan.model->node(step.nodes.front()));
}

Lifetimes lifetimesOf(const Plan& plan, const std::vector<ValueId>& resolved) {
    const Model& model = *plan.model;
    const std::size_t count = model.values().size();
    Lifetimes out{std::vector<ValueId>(count), std::vector<std::uint32_t>(count, kNever), std::vector<std::uint32_t>(count, 0),
                  std::vector<std::uint32_t>(count, 0), std::vector<std::uint8_t>(count, 0)};
    for (std::size_t i = 0; i < count; ++i)
        out.buffer[i] = ValueId(i);
    const auto bufferOf = [&](ValueId id) { return out.buffer[resolved[id.index()].index()]; };
    const auto& order = plan.order[model.main().id.index()];
    for (std::uint32_t pos = 0; pos < order.size(); ++pos) {
        const PlanStep& step = plan.steps[order[pos].index()];
        const auto use = [&](ValueId id) {
            if (id) out.last[bufferOf(id).index()] = pos;
        };
        std::for_each(step.inputs.begin(), step.inputs.end(), use);
        for (const NodeId node : step.nodes)
            for (const GraphId body : model.node(node).subgraphs())
                for (const ValueId id : model.captures(body))
                    use(id);
        if (isView(plan, step)) {
            out.buffer[step.outputs[0].index()] = bufferOf(step.inputs[0]);
            continue;
        }
        for (const ValueId id : step.outputs) {
            if (!id) continue;
            out.first[id.index()] = out.last[id.index()] = pos;
            out.device[id.index()] = step.device;
        }
    }
    for (const ValueId id : model.main().outputs)
        out.isExternal[bufferOf(id).index()] = 1;
    return out;
}

bool wantsSlot(const Plan& plan, const Lifetimes& lifetimes, ValueId id) {
    const ValueType& type = plan.types.type(id);
    return lifetimes.first[id.index()] != kNever && lifetimes.isExternal[id.index()] == 0 && type.isStaticTensor() && type.dtype != DType::String &&
           type.byteSize().has_value();
}

/// A kernel lays its outputs out itself when it cannot know their sizes before the run.
bool isDynamicStep(const Plan& plan, const PlanStep& step) {
    if (isControlFlow(plan.model->node(step.nodes.front()))) return true;
    const auto isStatic = [&](ValueId id) { return !id || plan.types.type(id).isStaticTensor(); };
    return !std::all_of(step.inputs.begin(), step.inputs.end(), isStatic) || !std::all_of(step.outputs.begin(), step.outputs.end(), isStatic);
}

void packDevice(const Plan& plan, const Lifetimes& lifetimes, std::uint32_t device, DeviceMemoryPlan& memory) {
    std::vector<LiveRange> ranges;
    for (const StepId stepId : plan.order[0]) {
        const PlanStep& step = plan.steps[stepId.index()];
        if (step.device != device || isView(plan, step) || isDynamicStep(plan, step)) continue;
        for (const ValueId id : step.outputs) {
            if (!id || !wantsSlot(plan, lifetimes, id)) continue;
            const auto bytes = static_cast<std::uint64_t>(*plan.types.type(id).byteSize());
            const std::uint64_t aligned = std::max(bytes + kArenaAlignment - 1, kArenaAlignment) / kArenaAlignment * kArenaAlignment;
            ranges.push_back({aligned, lifetimes.first[id.index()], lifetimes.last[id.index()]});
            memory.slots.push_back({id, device, 0, bytes, lifetimes.first[id.index()], lifetimes.last[id.index()]});
        }
    }
    const Packing packing = packRanges(ranges);
    for (std::size_t i = 0; i < memory.slots.size(); ++i)
        memory.slots[i].offset = packing.offsets[i];
    memory.arenaBytes = packing.arenaBytes;
    memory.lowerBoundBytes = packing.lowerBoundBytes;
}

/// Weights count on every device that has a step which reads them.
void addWeights(Plan& plan, const std::vector<ValueId>& resolved) {
    std::vector<const Tensor*> constant(plan.model->values().size(), nullptr);
    for (const Value& value : plan.model->values())
        if (value.initializer) constant[value.id.index()] = &*value.initializer;
    for (const auto& [id, tensor] : plan.constants)
        constant[id.index()] = &tensor;
    std::set<std::pair<std::uint32_t, const void*>> counted;
    for (const PlanStep& step : plan.steps) {
        for (const ValueId input : step.inputs) {
            if (!input) continue;
            const Tensor* tensor = constant[resolved[input.index()].index()];
            if (tensor != nullptr && counted.emplace(step.device, tensor->raw()).second) plan.memory[step.device].weightBytes += tensor->bytes();
        }
    }
}

void addTransfers(Plan& plan, const Lifetimes& lifetimes) {
    std::set<std::pair<ValueId, std::uint32_t>> moved;
    for (const StepId stepId : plan.order[0]) {
        const PlanStep& step = plan.steps[stepId.index()];
        for (const ValueId input : step.inputs) {
            if (!input) continue;
            const ValueId id = lifetimes.buffer[input.index()];
            if (lifetimes.first[id.index()] == kNever || lifetimes.device[id.index()] == step.device || !moved.emplace(id, step.device).second) continue;
            const DeviceInfo& from = plan.devices[lifetimes.device[id.index()]].info;
            const DeviceInfo& to = plan.devices[step.device].info;
            const auto bytes = static_cast<std::uint64_t>(plan.types.type(id).byteSize().value_or(0));
            const double rate = std::min(from.bandwidthGbps, to.bandwidthGbps);
            plan.transfers.push_back({id, from.id, to.id, bytes, rate > 0 ? static_cast<double>(bytes) / rate : 0});
        }
    }
}

}  // namespace

void planMemory(Plan& plan) {
    std::vector<ValueId> resolved(plan.model->values().size());
    for (std::size_t i = 0; i < resolved.size(); ++i)
        resolved[i] = ValueId(i);
    for (const auto& [from, to] : plan.aliases)
        resolved[from.index()] = to;
    const Lifetimes lifetimes = lifetimesOf(plan, resolved);
    plan.memory.assign(plan.devices.size(), {});
    for (std::uint32_t d = 0; d < plan.devices.size(); ++d) {
        plan.memory[d].device = plan.devices[d].info.id;
        packDevice(plan, lifetimes, d, plan.memory[d]);
    }
    addWeights(plan, resolved);
    for (DeviceMemoryPlan& memory : plan.memory)
        memory.peakBytes = memory.arenaBytes + memory.weightBytes;
    addTransfers(plan, lifetimes);
}

}  // namespace hs
