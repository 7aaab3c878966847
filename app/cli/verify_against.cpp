// SPDX-License-Identifier: Apache-2.0
#include "app/cli/verify_against.h"

#include <algorithm>
#include <cmath>
#include <iostream>

#include "app/cli/device_choice.h"
#include "app/cli/output.h"
#include "core/exec/runner.h"
#include "core/run/profiled_run.h"

namespace hs::cli {
namespace {

constexpr std::size_t kNodesShown = 20;  // in the table for people

struct Side {
    std::vector<Tensor> outputs;
    std::map<ValueId, Tensor> values;
};

struct NodeDeviation {
    const Node* node;
    Deviation deviation;  ///< The largest among its outputs.
};

Result<Side> runSide(const AgainstOptions& options, const LoadedModel& loaded, const Catalog& catalog, const std::string& name,
                     const std::map<ValueId, Tensor>& inputs) {
    PlanRequest request;
    request.model = loaded.model;
    request.shapes.dims = loaded.dims;
    for (const auto& [id, tensor] : inputs)
        request.shapes.inputs[id] = tensor.type();
    std::string text;
    HS_TRY(request.edits, readConfigFile(options.config, text));
    const auto& devices = catalog.devices();
    const bool isDevice = std::any_of(devices.begin(), devices.end(), [&](const DeviceInfo& d) { return d.id == name; });
    if (!isDevice && !isExecutor(catalog, name)) return fail(ErrorCode::BadRequest, name, "is neither a device nor an executor: see `hscope devices`");
    HS_TRY(request.devices, chooseDevices(catalog, isDevice ? std::vector{name} : std::vector<std::string>{}));
    if (!isDevice) request.onlyExecutor = name;
    request.threads = options.threads;
    auto plan = makePlan(request);
    if (!plan) return tl::unexpected<Error>(withConfigFile(plan.error(), options.config));
    HS_TRY(const auto compiled, CompiledModel::compile(std::make_shared<const Plan>(std::move(*plan)), nullptr, nullptr, options.cancel));
    RunOptions run;
    run.keepAll = true;
    run.cancel = options.cancel;
    Side side;
    HS_TRY(side.outputs, compiled->run(inputs, run));
    side.values = compiled->kept();
    return side;
}

std::vector<NodeDeviation> compareNodes(const Model& model, const Side& a, const Side& b) {
    std::vector<NodeDeviation> out;
    for (const Node& node : model.nodes()) {
        NodeDeviation worst{&node, {}};
        bool any = false;
        for (const ValueId id : node.outputs) {
            if (!id) continue;
            const auto left = a.values.find(id);
            const auto right = b.values.find(id);
            if (left == a.values.end() || right == b.values.end()) continue;
            const Deviation deviation = deviationOf(left->second, right->second);
            if (!any || deviation.maxAbs > worst.deviation.maxAbs) worst.deviation = deviation;
            any = true;
        }
        if (any) out.push_back(worst);
    }
    return out;
}

/// JSON has no infinity: null says that the two cannot be measured against each other.
Json numberJson(double value) {
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json deviationJson(const std::string& name, const Deviation& d) {
    return {
        {"name", name}, {"max_abs", numberJson(d.maxAbs)}, {"max_rel", numberJson(d.maxRel)}, {"cosine", numberJson(d.cosine)}, {"comparable", d.comparable}};
}

std::vector<std::string> deviationRow(const std::string& name, const std::string& op, const Deviation& d) {
    return {name, op, numberText(d.maxAbs), numberText(d.maxRel), fmt::format("{:.9f}", d.cosine)};
}

}  // namespace

Result<int> verifyAgainst(const AgainstOptions& options, bool json) {
    if (options.sides.size() != 2) return fail(ErrorCode::BadRequest, "--against", "name two devices or executors, separated by a comma");
    const auto catalog = Catalog::scan();
    HS_TRY(const LoadedModel loaded, loadModel(options.model));
    HS_TRY(const auto inputs, makeInputs(*loaded.model, loaded.dims, {}, options.seed));
    HS_TRY(const Side a, runSide(options, loaded, *catalog, options.sides[0], inputs));
    HS_TRY(const Side b, runSide(options, loaded, *catalog, options.sides[1], inputs));
    auto nodes = compareNodes(*loaded.model, a, b);
    Json outputs = Json::array();
    std::vector<std::vector<std::string>> rows = {{"NAME", "OPERATOR", "MAX ABS", "MAX REL", "COSINE"}};
    bool passed = true;
    for (std::size_t i = 0; i < a.outputs.size(); ++i) {
        const std::string& name = loaded.model->value(loaded.model->main().outputs[i]).name;
        const Deviation deviation = deviationOf(a.outputs[i], b.outputs[i]);
        const std::string why = mismatch(a.outputs[i], b.outputs[i], options.tolerance);
        passed = passed && why.empty();
        outputs.push_back(deviationJson(name, deviation));
        outputs.back()["passed"] = why.empty();
        rows.push_back(deviationRow(name, "(output)", deviation));
        if (!why.empty()) warn(fmt::format("output {}: {}", name, why));
    }
    if (json) {
        Json list = Json::array();
        for (const NodeDeviation& n : nodes) {
            list.push_back(deviationJson(n.node->name, n.deviation));
            list.back()["op_type"] = n.node->opType;
        }
        printJson({{"against", options.sides}, {"passed", passed}, {"outputs", outputs}, {"nodes", list}});
    } else {
        std::stable_sort(nodes.begin(), nodes.end(), [](const auto& x, const auto& y) { return x.deviation.maxAbs > y.deviation.maxAbs; });
        for (std::size_t i = 0; i < std::min(nodes.size(), kNodesShown); ++i)
            rows.push_back(deviationRow(nodes[i].node->name, nodes[i].node->opType, nodes[i].deviation));
        std::cout << table(rows, {false, false, true, true, true});
    }
    return passed ? 0 : 1;
}

}  // namespace hs::cli
