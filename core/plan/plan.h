// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/reason.h"
#include "core/contract/device.h"
#include "core/contract/executor.h"
#include "core/graph/model.h"
#include "core/graph/op_registry.h"
#include "core/plan/config.h"

namespace hs {

/// A device as the planner sees it: facts and the executors that may run there, best first.
struct PlanDevice {
    DeviceInfo info;
    std::vector<std::shared_ptr<const Executor>> executors;
};

/// What becomes of a node of the model.
enum class Outcome : std::uint8_t { Executed, Fused, Folded, Eliminated };
std::string_view outcomeName(Outcome outcome);

/// One unit of execution: a node or a fused group, on one device.
struct PlanStep {
    StepId id;
    GraphId graph;                 ///< The graph whose body it belongs to.
    std::uint32_t device = 0;      ///< Index in Plan::devices.
    std::string executor;          ///< "onednn", "reference"; "host" for If, Loop and Scan, which the runner drives itself.
    std::string kernel;            ///< As far as known before compiling: "onednn:Conv".
    std::string label;             ///< Name of its node, or of the group.
    std::string precision;         ///< "float32"
    std::vector<NodeId> nodes;     ///< In topological order.
    std::vector<ValueId> inputs;   ///< One per node input for a single node (invalid: absent).
    std::vector<ValueId> outputs;  ///< One per node output for a single node (invalid: unwanted).
    double predictedNs = 0;        ///< Roofline estimate.
    double flops = 0;
    double bytes = 0;
};

/// For every choice: what was asked, what was done, and why they differ (or why this was chosen).
struct Decision {
    NodeId node;
    Outcome outcome = Outcome::Executed;
    std::string requestedDevice;  ///< Empty: nothing was asked.
    std::string requestedExecutor;
    std::string device;  ///< Empty when folded or eliminated.
    std::string executor;
    Reason reason;                 ///< Why here.
    std::vector<Reason> rejected;  ///< Why not the better-ranked or requested ones, one each.
};

/// Where a value of static size lives in its device's arena. Offsets are 64-byte aligned.
struct ArenaSlot {
    ValueId value;
    std::uint32_t device = 0;
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
    std::uint32_t firstStep = 0;  ///< Positions in Plan::steps (main graph), inclusive.
    std::uint32_t lastStep = 0;
};

struct DeviceMemoryPlan {
    std::string device;
    std::uint64_t peakBytes = 0;        ///< Arena and weights together.
    std::uint64_t lowerBoundBytes = 0;  ///< Largest sum of live slots at any step.
    std::uint64_t arenaBytes = 0;
    std::uint64_t weightBytes = 0;
    std::vector<ArenaSlot> slots;
};

struct PlanTransfer {
    ValueId value;
    std::string fromDevice;
    std::string toDevice;
    std::uint64_t bytes = 0;
    double predictedNs = 0;
};

/// Everything that a run needs to know in advance. Pure data; holds the model and the executors that it was made for.
struct Plan {
    ModelPtr model;
    TypeTable types;
    std::vector<PlanDevice> devices;
    std::vector<PlanStep> steps;                        ///< All graphs' steps; StepId is the index.
    std::vector<std::vector<StepId>> order;             ///< By GraphId: the steps of that graph in execution order.
    std::vector<Decision> decisions;                    ///< By NodeId.
    std::vector<std::pair<ValueId, Tensor>> constants;  ///< Values computed while planning (Constant nodes, folded shapes).
    std::vector<std::pair<ValueId, ValueId>> aliases;   ///< (eliminated output, the value that stands for it).
    std::vector<DeviceMemoryPlan> memory;
    std::vector<PlanTransfer> transfers;
    std::vector<ValueId> overridden;  ///< Inputs with a default that the run feeds nevertheless: not constants in this plan.
    double predictedLatencyNs = 0;
    int threads = 1;
};

struct PlanRequest {
    ModelPtr model;
    InferOptions shapes;
    std::vector<PlanDevice> devices;  ///< Allowed devices, best first. Must hold one with the reference executor to fall back to.
    Edits edits;
    int threads = 1;
    std::string onlyExecutor;  ///< Non-empty: prefer this executor everywhere (verify --executor).
};

/// Pure: the same request gives the same plan. Errors: Unsupported (names operators, domains and nodes that no executor
/// runs), BadRequest (a rule that names an unknown device or executor, or matches nothing by exact name), BadInput (shapes).
Result<Plan> makePlan(const PlanRequest& request);

}  // namespace hs
