// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <string>
#include <unordered_map>

#include "core/exec/runner.h"

namespace hs {

/// A kernel made during a run, for one combination of input shapes.
struct CompiledShape {
    std::unique_ptr<Kernel> kernel;
    std::vector<ValueType> outputs;  ///< Unknown types: the kernel allocates.
};

/// What the engine keeps for one step of the plan. Pointers into the engine's slots, fixed when it is compiled.
struct StepState {
    enum class Kind : std::uint8_t {
        Static,   ///< One kernel, every shape known; outputs are laid out before it runs.
        Dynamic,  ///< One kernel that allocates its own outputs.
        ByShape,  ///< A kernel for each combination of input shapes, compiled when first met.
        View,     ///< The first input under another shape.
        ControlFlow,
    };
    /// An output that gets new memory before every run: the caller's, or one in a body.
    struct Fresh {
        std::uint32_t index;
        DType type;
        Dims dims;
    };
    /// An output whose memory is fixed. `memory` is where its data must be after the kernel ran.
    struct Planned {
        std::uint32_t index;
        const void* memory;
    };
    const PlanStep* plan = nullptr;
    Kind kind = Kind::Static;
    bool prepared = false;  ///< View: its slot never changes.
    int threads = 1;        ///< Of its kernel: one where the work is too small to be worth dividing.
    std::unique_ptr<Kernel> kernel;
    std::vector<const Tensor*> inputs;  ///< Null: absent.
    std::span<Tensor> outputs;
    std::vector<Planned> planned;
    std::vector<Fresh> fresh;
    std::vector<Tensor*> release;                                        ///< Slots that nobody needs after this step.
    std::vector<std::pair<std::uint32_t, std::uint64_t>> allocs, frees;  ///< (ValueId, bytes) for memory events; main graph only.
    std::unordered_map<std::string, CompiledShape> byShape;
};

/// One run of a Scan over one sequence.
struct ScanCall {
    GraphId body;
    std::string label;
    std::size_t states = 0;             ///< Inputs that are carried; the others are scanned.
    std::vector<const Tensor*> inputs;  ///< Null: absent.
    std::vector<std::int64_t> inputAxes, inputDirections, outputAxes, outputDirections;
    std::int64_t length = -1;  ///< Iterations; -1: as many as the scanned inputs have.
};

/// The one implementation of CompiledModel: runs the steps of a plan one after the other on the calling thread.
class Engine final : public CompiledModel {
public:
    Engine(std::shared_ptr<const Plan> plan, Recorder* recorder);

    Status build(ThreadRecorder* thread, const std::atomic<bool>* cancel);

    const Plan& plan() const override { return *m_plan; }
    Result<std::vector<Tensor>> run(const std::map<ValueId, Tensor>& inputs, const RunOptions& options) override;
    const std::map<ValueId, Tensor>& kept() const override { return m_kept; }
    std::vector<std::pair<std::uint32_t, std::string>> kernels() const override;
    const std::vector<std::string>& warnings() const override { return m_warnings; }
    std::vector<Memory> memory() const override;

private:
    struct Arena {
        std::unique_ptr<std::byte, decltype(&std::free)> memory{nullptr, &std::free};
        std::uint64_t bytes = 0;
        bool holds(const void* p) const { return memory && p >= memory.get() && p < memory.get() + bytes; }
    };

    // compile.cpp
    void layOutSlots();
    void loadConstants();
    Status allocateArenas();
    Status buildStep(StepState& step);
    void bindStep(StepState& step);
    void prepareOutputs(StepState& step);
    void prepareReleases();
    void prepareMemoryEvents();
    Status growScratch(std::size_t bytes);
    Result<std::unique_ptr<Kernel>> compileStep(const PlanStep& step, const TypeTable& types, bool isDynamic);
    Result<std::unique_ptr<Kernel>> compileWith(const Executor& executor, const PlanStep& step, const TypeTable& types);
    Tensor& slot(ValueId id) { return m_slots[m_slotOf[m_resolved[id.index()].index()]]; }
    void recordWeights();

    // run.cpp
    Status feed(const std::map<ValueId, Tensor>& inputs);
    Status runGraph(GraphId graph);
    Status runStep(StepState& step);
    Status runKernel(StepState& step, Kernel& kernel);
    Status runByShape(StepState& step);
    Status settle(StepState& step);
    Status settleOutput(const PlanStep& step, std::size_t i, Tensor& out);
    Status keep(const StepState& step);
    void recordStepMemory(const StepState& step, bool before);
    bool inArena(const void* p) const;
    void clearGraph(GraphId graph);

    // control_flow.cpp
    Status runIf(StepState& step, const Node& node);
    Status runLoop(StepState& step, const Node& node);
    Status runSequenceMap(StepState& step, const Node& node);
    Status bindBodyInput(ValueId id, Tensor tensor, const std::string& label);
    Result<std::vector<Tensor>> takeBodyOutputs(GraphId body);
    Result<Tensor> scanOutput(const std::vector<Tensor>& parts, std::size_t axis, ValueId element);

    // scan.cpp
    Status runScan(StepState& step, const Node& node);
    Result<std::vector<Tensor>> scanOnce(const ScanCall& call);
    Result<std::vector<Tensor>> scanBatch(const ScanCall& whole, const Tensor* lengths);

    std::shared_ptr<const Plan> m_plan;
    Recorder* m_recorder;
    std::vector<ValueId> m_resolved;                      // by ValueId: what stands for it
    std::vector<std::uint32_t> m_slotOf;                  // by ValueId
    std::vector<Tensor> m_slots;                          // a step's outputs are neighbours
    std::vector<std::uint8_t> m_constant;                 // by ValueId: known while compiling
    std::vector<StepState> m_steps;                       // by StepId
    std::vector<std::vector<std::uint32_t>> m_bodySlots;  // by GraphId: to be cleared after a body ran
    std::vector<Arena> m_arenas;                          // by device
    Arena m_scratch;
    std::map<ValueId, Tensor> m_kept;
    std::vector<std::string> m_warnings;
    TypeTable m_runTypes;  // for kernels compiled during a run
    RunOptions m_options;  // of the run in progress
};

}  // namespace hs
