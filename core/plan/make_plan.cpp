// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <numeric>

#include "core/plan/lifetimes.h"
#include "core/plan/placement.h"
#include "core/plan/plan.h"
#include "core/rewrite/overlay.h"

namespace hs {
namespace {

constexpr std::size_t kNodesNamed = 5;  // in an error about an operator

/// Builds a plan graph by graph; the main graph's steps come first, so that their ids are their positions.
class Planner {
public:
    Planner(const PlanRequest& request, RuleBook rules, TypeTable types) : m_request(request), m_rules(std::move(rules)) {
        m_plan.model = request.model;
        m_plan.types = std::move(types);
        m_plan.devices = request.devices;
        m_plan.threads = request.threads;
        for (const auto& [id, type] : request.shapes.inputs)
            if (request.model->value(id).initializer) m_plan.overridden.push_back(id);
    }

    Result<Plan> make() {
        const Model& model = *m_request.model;
        m_overlay = simplify(model, m_plan.types);
        m_plan.constants = std::move(m_overlay.constants);
        resolveAliases();
        m_plan.order.resize(model.graphs().size());
        m_plan.decisions.resize(model.nodes().size());
        for (const Node& node : model.nodes()) {
            m_plan.decisions[node.id.index()].node = node.id;
            m_plan.decisions[node.id.index()].outcome = Outcome::Eliminated;
            m_plan.decisions[node.id.index()].reason = {"plan.eliminated", {}};
        }
        planGraph(model.main().id);
        // Bodies come after the step that owns them has been planned; a body of an eliminated node is never reached.
        for (std::size_t i = 0; i < m_bodies.size(); ++i)
            planGraph(m_bodies[i]);
        if (!m_missing.empty()) return missingError();
        planMemory(m_plan);
        for (const StepId id : m_plan.order[0])
            m_plan.predictedLatencyNs += predictStep(m_plan.steps[id.index()]);
        return std::move(m_plan);
    }

private:
    struct Missing {
        std::vector<std::string> nodes;
        std::string why;
    };

    void resolveAliases() {
        m_resolved.resize(m_request.model->values().size());
        for (std::size_t i = 0; i < m_resolved.size(); ++i)
            m_resolved[i] = ValueId(i);
        for (const auto& [from, to] : m_overlay.aliases)
            m_resolved[from.index()] = to;
        for (auto& [from, to] : m_overlay.aliases) {
            // Follow chains to the end; bounded by the number of aliases, so that a broken overlay cannot hang us.
            for (std::size_t hops = 0; hops < m_overlay.aliases.size() && m_resolved[to.index()] != to; ++hops)
                to = m_resolved[to.index()];
            m_resolved[from.index()] = to;
        }
        m_plan.aliases = m_overlay.aliases;
    }

    void planGraph(GraphId graphId) {
        for (const NodeId id : m_request.model->graph(graphId).nodes) {
            Decision& decision = m_plan.decisions[id.index()];
            const Overlay::Fate fate = m_overlay.fate[id.index()];
            if (fate == Overlay::Fate::Live) {
                planNode(m_request.model->node(id));
                continue;
            }
            decision.outcome = fate == Overlay::Fate::Folded ? Outcome::Folded : Outcome::Eliminated;
            decision.reason = m_overlay.reason[id.index()];
        }
    }

    void planNode(const Node& node) {
        Placement placement = placeNode(m_request, m_rules, node, m_plan.types);
        if (!placement.found) {
            Missing& missing = m_missing[{node.opType, node.domain.empty() ? "ai.onnx" : node.domain}];
            missing.nodes.push_back(node.name);
            if (missing.why.empty() && !placement.decision.rejected.empty()) missing.why = placement.decision.rejected.back().text();
            return;
        }
        PlanStep step;
        step.id = StepId(m_plan.steps.size());
        step.graph = node.graph;
        step.device = placement.device;
        step.executor = placement.decision.executor;
        step.kernel = step.executor + ":" + node.opType;
        step.label = node.name;
        step.nodes = {node.id};
        for (const ValueId input : node.inputs)
            step.inputs.push_back(input ? m_resolved[input.index()] : input);
        step.outputs = node.outputs;
        while (!step.outputs.empty() && !step.outputs.back())
            step.outputs.pop_back();
        step.precision = precisionOf(step);
        estimate(step, node);
        placement.decision.outcome = Outcome::Executed;
        m_plan.decisions[node.id.index()] = std::move(placement.decision);
        m_plan.order[node.graph.index()].push_back(step.id);
        if (isControlFlow(node))
            for (const GraphId body : node.subgraphs())
                m_bodies.push_back(body);
        m_plan.steps.push_back(std::move(step));
    }

    /// The element type that the step computes in: of its first floating-point value, else of its first output.
    std::string precisionOf(const PlanStep& step) const {
        for (const auto* list : {&step.outputs, &step.inputs})
            for (const ValueId id : *list)
                if (id && isFloat(m_plan.types.type(id).dtype)) return std::string(dtypeName(m_plan.types.type(id).dtype));
        const bool known = !step.outputs.empty() && step.outputs[0];
        return std::string(dtypeName(known ? m_plan.types.type(step.outputs[0]).dtype : DType::Undefined));
    }

    /// Roofline: the longer of computing at peak rate and moving the bytes at streaming bandwidth, and the launch cost.
    void estimate(PlanStep& step, const Node& node) const {
        if (isControlFlow(node)) return;
        if (step.executor == kHostExecutor) return;  // a view moves nothing
        const NodeCost cost = nodeCost(*m_request.model, node, m_plan.types);
        const DeviceInfo& device = m_plan.devices[step.device].info;
        step.flops = cost.flops;
        step.bytes = cost.bytes;
        const double computeNs = device.peakGflopsF32 > 0 ? cost.flops / device.peakGflopsF32 : 0;
        const double memoryNs = device.bandwidthGbps > 0 ? cost.bytes / device.bandwidthGbps : 0;
        step.predictedNs = std::max(computeNs, memoryNs) + device.launchNs;
    }

    /// Control flow: its bodies once; of the branches of an If, the longer.
    double predictStep(PlanStep& step) {
        const Node& node = m_request.model->node(step.nodes.front());
        if (!isControlFlow(node)) return step.predictedNs;
        double longest = 0;
        for (const GraphId body : node.subgraphs()) {
            double sum = 0;
            for (const StepId id : m_plan.order[body.index()])
                sum += predictStep(m_plan.steps[id.index()]);
            longest = std::max(longest, sum);
        }
        step.predictedNs = longest;
        return longest;
    }

    tl::unexpected<Error> missingError() const {
        std::string text;
        for (const auto& [op, missing] : m_missing) {
            text += (text.empty() ? "" : "; ") + op.first + " (domain " + op.second + ") at ";
            for (std::size_t i = 0; i < std::min(missing.nodes.size(), kNodesNamed); ++i)
                text += (i == 0 ? "\"" : ", \"") + missing.nodes[i] + "\"";
            if (missing.nodes.size() > kNodesNamed) text += " and " + std::to_string(missing.nodes.size() - kNodesNamed) + " more";
            if (!missing.why.empty()) text += " (" + missing.why + ")";
        }
        return fail(ErrorCode::Unsupported, m_request.model->info().path, "no executor runs: {}", text);
    }

    const PlanRequest& m_request;
    RuleBook m_rules;
    Plan m_plan;
    Overlay m_overlay;
    std::vector<ValueId> m_resolved;
    std::vector<GraphId> m_bodies;
    std::map<std::pair<std::string, std::string>, Missing> m_missing;
};

bool knowsEveryOperator(const Model& model) {
    const OpRegistry& registry = OpRegistry::instance();
    return std::all_of(model.nodes().begin(), model.nodes().end(),
                       [&](const Node& node) { return registry.find(node.domain, node.opType, node.opset) != nullptr; });
}

Status checkRequest(const PlanRequest& request) {
    if (!request.model) return fail(ErrorCode::Internal, "", "a plan was asked for without a model");
    bool known = request.onlyExecutor.empty();
    bool any = false;
    for (const PlanDevice& device : request.devices) {
        for (const auto& executor : device.executors) {
            any = true;
            known = known || executor->id() == request.onlyExecutor;
        }
    }
    if (!any) return fail(ErrorCode::BadRequest, "", "no device with an executor takes part: name one of those that `hscope devices` lists");
    if (!known) return fail(ErrorCode::BadRequest, request.onlyExecutor, "unknown executor: see `hscope devices`");
    return {};
}

}  // namespace

Result<Plan> makePlan(const PlanRequest& request) {
    HS_CHECK(checkRequest(request));
    HS_TRY(RuleBook rules, RuleBook::make(request));
    InferOptions shapes = request.shapes;
    // An operator without a schema may still have an executor that runs it; if none does, that is the error to report.
    if (!knowsEveryOperator(*request.model)) shapes.lenient = true;
    HS_TRY(TypeTable types, inferTypes(*request.model, shapes));
    return Planner(request, std::move(rules), std::move(types)).make();
}

}  // namespace hs
