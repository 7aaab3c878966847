// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <map>

#include "app/cli/checks.h"
#include "app/cli/device_choice.h"
#include "app/cli/model_options.h"
#include "app/cli/output.h"

namespace hs::cli {
namespace {

struct PlanOptions {
    ModelOptions model;
    std::string config;
    std::vector<std::string> devices;
    int threads = 0;
};

Result<Plan> planFor(const PlanOptions& options) {
    HS_TRY(const LoadedModel loaded, loadModel(options.model));
    PlanRequest request;
    request.model = loaded.model;
    HS_TRY(request.shapes, planShapes(loaded));
    std::string text;
    HS_TRY(request.edits, readConfigFile(options.config, text));
    const auto catalog = Catalog::scan();
    HS_TRY(request.devices, chooseDevices(*catalog, splitNames(options.devices)));
    request.threads = options.threads > 0 ? options.threads : defaultThreads();
    auto plan = makePlan(request);
    if (!plan) return tl::unexpected<Error>(withConfigFile(plan.error(), options.config));
    warnOfIdleRules(request, options.config);
    return plan;
}

Json reasonJson(const Reason& reason) {
    return {{"code", reason.code}, {"args", reason.args}, {"text", reason.text()}};
}

Json decisionJson(const Plan& plan, const Decision& decision) {
    const Node& node = plan.model->node(decision.node);
    Json out = {{"node", node.name},
                {"op_type", node.opType},
                {"outcome", outcomeName(decision.outcome)},
                {"device", decision.device},
                {"executor", decision.executor},
                {"requested_device", decision.requestedDevice},
                {"requested_executor", decision.requestedExecutor},
                {"reason", reasonJson(decision.reason)},
                {"rejected", Json::array()}};
    for (const Reason& reason : decision.rejected)
        out["rejected"].push_back(reasonJson(reason));
    return out;
}

Json documentOf(const Plan& plan) {
    Json steps = Json::array();
    for (const PlanStep& step : plan.steps) {
        Json nodes = Json::array();
        for (const NodeId node : step.nodes)
            nodes.push_back(plan.model->node(node).name);
        steps.push_back({{"id", step.id.index()},
                         {"device", plan.devices[step.device].info.id},
                         {"executor", step.executor},
                         {"kernel", step.kernel},
                         {"nodes", nodes},
                         {"precision", step.precision},
                         {"predicted_ns", step.predictedNs},
                         {"flops", step.flops},
                         {"bytes", step.bytes}});
    }
    Json transfers = Json::array();
    for (const PlanTransfer& t : plan.transfers)
        transfers.push_back({{"value", plan.model->value(t.value).name},
                             {"from_device", t.fromDevice},
                             {"to_device", t.toDevice},
                             {"bytes", t.bytes},
                             {"predicted_ns", t.predictedNs}});
    Json memory = Json::array();
    for (const DeviceMemoryPlan& m : plan.memory)
        memory.push_back({{"device", m.device},
                          {"peak_bytes", m.peakBytes},
                          {"lower_bound_bytes", m.lowerBoundBytes},
                          {"arena_bytes", m.arenaBytes},
                          {"weight_bytes", m.weightBytes},
                          {"slots", m.slots.size()}});
    Json decisions = Json::array();
    for (const Decision& decision : plan.decisions)
        decisions.push_back(decisionJson(plan, decision));
    return {{"steps", std::move(steps)},   {"transfers", std::move(transfers)},
            {"memory", std::move(memory)}, {"predicted_latency_ms", plan.predictedLatencyNs / 1e6},
            {"threads", plan.threads},     {"decisions", std::move(decisions)}};
}

/// Nodes by operator, place and reason: what happened to them, where they run, and why not elsewhere.
void printDecisions(const Plan& plan) {
    std::map<std::vector<std::string>, std::uint64_t> groups;
    for (const Decision& decision : plan.decisions) {
        std::string why = decision.reason.text();
        for (const Reason& reason : decision.rejected)
            why += (why.empty() ? "" : "; ") + reason.text();
        const std::string place = decision.executor.empty() ? "" : decision.device + "/" + decision.executor;
        ++groups[{plan.model->node(decision.node).opType, std::string(outcomeName(decision.outcome)), place, why}];
    }
    std::vector<std::vector<std::string>> rows = {{"OPERATOR", "NODES", "OUTCOME", "WHERE", "WHY"}};
    for (const auto& [key, count] : groups)
        rows.push_back({key[0], std::to_string(count), key[1], key[2], key[3]});
    std::cout << table(rows, {false, true}) << '\n';
}

void printPeople(const Plan& plan) {
    struct Sum {
        int steps = 0;
        double ns = 0;
    };
    std::map<std::string, Sum> sums;
    for (const PlanStep& step : plan.steps) {
        Sum& sum = sums[plan.devices[step.device].info.id + "\t" + step.executor + "\t" + step.precision];
        ++sum.steps;
        sum.ns += step.predictedNs;
    }
    std::vector<std::vector<std::string>> rows = {{"DEVICE", "EXECUTOR", "PRECISION", "STEPS", "PREDICTED"}};
    for (const auto& [key, sum] : sums) {
        const std::size_t first = key.find('\t');
        const std::size_t second = key.find('\t', first + 1);
        rows.push_back(
            {key.substr(0, first), key.substr(first + 1, second - first - 1), key.substr(second + 1), std::to_string(sum.steps), msText(sum.ns / 1e6)});
    }
    std::cout << table(rows, {false, false, false, true, true}) << '\n';
    printDecisions(plan);
    for (const DeviceMemoryPlan& m : plan.memory)
        std::cout << fmt::format("{:<20} arena {} (at least {}), weights {}\n", "memory on " + m.device, bytesText(static_cast<double>(m.arenaBytes)),
                                 bytesText(static_cast<double>(m.lowerBoundBytes)), bytesText(static_cast<double>(m.weightBytes)));
    std::cout << fmt::format("{:<20} {}\n", "predicted latency", msText(plan.predictedLatencyNs / 1e6));
    if (!plan.transfers.empty()) std::cout << fmt::format("{:<20} {}\n", "transfers", plan.transfers.size());
}

}  // namespace

void addPlanVerb(CLI::App& app, Invocation& invocation) {
    auto options = std::make_shared<PlanOptions>();
    CLI::App* verb = addVerb(app, invocation, "plan", "What would run where, without running it", "hscope plan model.onnx --config placement.json --json",
                             [&invocation, options]() -> Result<int> {
                                 HS_TRY(const Plan plan, planFor(*options));
                                 if (invocation.json) {
                                     printJson(documentOf(plan));
                                 } else {
                                     printPeople(plan);
                                 }
                                 return 0;
                             });
    options->model.addTo(*verb);
    verb->add_option("--config", options->config, "Placement config (heteroscope.config/1)")->type_name("FILE");
    verb->add_option("--device", options->devices, "Devices that take part, separated by commas")->type_name("NAMES")->allow_extra_args(false);
    verb->add_option("--threads", options->threads, "Threads of a kernel; default: all cores")->check(wholeNumber(1, kMaxThreads))->type_name("N");
}

}  // namespace hs::cli
