// SPDX-License-Identifier: Apache-2.0
#include "core/run/description.h"

#include <fstream>
#include <nlohmann/json.hpp>
#include <sys/utsname.h>
#include <thread>

#include "core/base/clock.h"

namespace hs {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxListed = 16;   // elements of an attribute that are stored
constexpr std::size_t kMaxText = 200;    // bytes of an attribute's string
constexpr std::size_t kMaxSides = 64;    // inputs or outputs of a node that are stored
constexpr std::size_t kMaxReasons = 16;  // reasons of a decision

std::string dump(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string clipped(const std::string& text) {
    return text.size() <= kMaxText ? text : text.substr(0, kMaxText) + "…";
}

template <class T>
Json clippedList(const std::vector<T>& values) {
    Json out = Json::array();
    for (std::size_t i = 0; i < std::min(values.size(), kMaxListed); ++i)
        out.push_back(values[i]);
    if (values.size() > kMaxListed) out.push_back("… " + std::to_string(values.size() - kMaxListed) + " more");
    return out;
}

Json attributeJson(const Model& model, const AttributeValue& value) {
    struct Visitor {
        const Model& model;
        Json operator()(std::int64_t v) const { return v; }
        Json operator()(float v) const { return v; }
        Json operator()(const std::string& v) const { return clipped(v); }
        Json operator()(const std::vector<std::int64_t>& v) const { return clippedList(v); }
        Json operator()(const std::vector<float>& v) const { return clippedList(v); }
        Json operator()(const std::vector<std::string>& v) const {
            std::vector<std::string> shortened;
            for (std::size_t i = 0; i < std::min(v.size(), kMaxListed + 1); ++i)
                shortened.push_back(clipped(v[i]));
            return clippedList(shortened);
        }
        Json operator()(const Tensor& v) const { return v.type().text(); }
        Json operator()(const std::vector<Tensor>& v) const { return std::to_string(v.size()) + " tensors"; }
        Json operator()(GraphId v) const { return "graph " + clipped(model.graph(v).name); }
        Json operator()(const std::vector<GraphId>& v) const { return std::to_string(v.size()) + " graphs"; }
        Json operator()(const ValueType& v) const { return v.text(); }
    };
    return std::visit(Visitor{model}, value);
}

Json sidesJson(const Plan& plan, const std::vector<ValueId>& values) {
    Json out = Json::array();
    for (std::size_t i = 0; i < std::min(values.size(), kMaxSides); ++i) {
        if (!values[i]) {
            out.push_back(nullptr);
            continue;
        }
        const Value& value = plan.model->value(values[i]);
        Json side = {{"name", value.name}, {"type", plan.types.type(value.id).text()}};
        if (value.initializer) side["initializer"] = true;
        out.push_back(std::move(side));
    }
    if (values.size() > kMaxSides) out.push_back("… " + std::to_string(values.size() - kMaxSides) + " more");
    return out;
}

std::string infoJson(const Plan& plan, const Node& node, const Decision& decision) {
    Json info;
    info["attributes"] = Json::object();
    for (const Attribute& attribute : node.attributes)
        info["attributes"][attribute.name] = attributeJson(*plan.model, attribute.value);
    info["inputs"] = sidesJson(plan, node.inputs);
    info["outputs"] = sidesJson(plan, node.outputs);
    if (!node.functionPath.empty()) info["function"] = node.functionPath;
    if (!decision.requestedExecutor.empty()) info["requested_executor"] = decision.requestedExecutor;
    info["rejected"] = Json::array();
    for (std::size_t i = 0; i < std::min(decision.rejected.size(), kMaxReasons); ++i)
        info["rejected"].push_back({{"code", decision.rejected[i].code}, {"args", decision.rejected[i].args}, {"text", decision.rejected[i].text()}});
    return dump(info);
}

NodeRow nodeRow(const Plan& plan, const Node& node) {
    const Decision& decision = plan.decisions[node.id.index()];
    const NodeCost cost = nodeCost(*plan.model, node, plan.types);
    NodeRow row;
    row.node = node.id.index();
    row.name = node.name;
    row.opType = node.opType;
    row.domain = node.domain;
    row.graph = node.graph == plan.model->main().id ? "" : plan.model->graph(node.graph).name;
    row.flops = cost.flops;
    row.bytes = cost.bytes;
    row.outcome = outcomeName(decision.outcome);
    row.device = decision.device;
    row.executor = decision.executor;
    row.requestedDevice = decision.requestedDevice;
    row.reasonCode = decision.reason.code;
    row.reasonArgsJson = dump(decision.reason.args);
    row.reasonText = decision.reason.text();
    row.infoJson = infoJson(plan, node, decision);
    return row;
}

std::string cpuName() {
    std::ifstream file("/proc/cpuinfo");
    std::string line;
    while (std::getline(file, line)) {
        if (!line.starts_with("model name")) continue;
        const std::size_t colon = line.find(": ");
        return colon == std::string::npos ? line : line.substr(colon + 2);
    }
    return {};
}

/// What the machine is, without anything that names it or its owner.
std::string hostJson() {
    utsname system{};
    uname(&system);
    return dump({{"cpu", cpuName()},
                 {"cores", std::thread::hardware_concurrency()},
                 {"os", std::string(system.sysname) + " " + system.release},
                 {"machine", system.machine}});
}

std::string planJson(const Plan& plan) {
    Json memory = Json::array();
    for (const DeviceMemoryPlan& m : plan.memory)
        memory.push_back({{"device", m.device},
                          {"peak_bytes", m.peakBytes},
                          {"lower_bound_bytes", m.lowerBoundBytes},
                          {"arena_bytes", m.arenaBytes},
                          {"weight_bytes", m.weightBytes}});
    return dump({{"predicted_latency_ms", plan.predictedLatencyNs / 1e6}, {"steps", plan.steps.size()}, {"threads", plan.threads}, {"memory", memory}});
}

std::string clockText() {
    const TickClock& clock = TickClock::instance();
    return fmt::format("host ticks at {:.6f} ns each, calibrated against the steady clock, rate error {:.1e}", clock.nsPerTick(), clock.rateError());
}

void addRun(const ProfileRequest& request, const Plan& plan, RunDescription& out) {
    const ModelInfo& info = plan.model->info();
    out.model = {info.path, info.sha256, info.name, dump(info.opsets), info.irVersion};
    out.run = {request.label, request.configText, hostJson(), planJson(plan), clockText()};
    for (const PlanDevice& device : plan.devices) {
        Json properties = {{"name", device.info.name},
                           {"memory_bytes", device.info.memoryBytes},
                           {"peak_gflops_f32", device.info.peakGflopsF32},
                           {"bandwidth_gbps", device.info.bandwidthGbps},
                           {"launch_ns", device.info.launchNs},
                           {"capabilities", device.info.capabilities},
                           {"executors", device.info.executors}};
        for (const auto& [key, value] : device.info.properties)
            properties[key] = value;
        out.devices.push_back({device.info.id, device.info.plugin, device.info.kind, dump(properties), device.info.simulated});
    }
}

}  // namespace

RunDescription describeRun(const ProfileRequest& request, const Plan& plan) {
    RunDescription out;
    addRun(request, plan, out);
    for (const Node& node : plan.model->nodes())
        out.nodes.push_back(nodeRow(plan, node));
    for (const Value& value : plan.model->values()) {
        const ValueType& type = plan.types.type(value.id);
        out.values.push_back(
            {value.id.index(), value.name, type.text(), type.byteSize().value_or(-1), value.producer ? std::int64_t{value.producer.index()} : -1});
    }
    for (const PlanStep& step : plan.steps) {
        StepRow row{step.id.index(), step.device, step.executor, step.kernel, step.precision, step.label, step.predictedNs, step.flops, step.bytes, {}};
        for (const NodeId node : step.nodes)
            row.nodes.emplace_back(node.index(), 1.0 / static_cast<double>(step.nodes.size()));
        out.steps.push_back(std::move(row));
    }
    for (const DeviceMemoryPlan& memory : plan.memory)
        for (const ArenaSlot& slot : memory.slots)
            out.plannedSlots.push_back({slot.device, slot.value.index(), slot.firstStep, slot.lastStep, slot.offset, slot.bytes});
    return out;
}

}  // namespace hs
