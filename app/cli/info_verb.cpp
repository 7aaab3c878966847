// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <map>

#include "app/cli/device_choice.h"
#include "app/cli/model_options.h"
#include "app/cli/operator_coverage.h"
#include "app/cli/output.h"
#include "core/plan/placement.h"

namespace hs::cli {
namespace {

struct NodeSupport {
    const Node* node;
    std::vector<std::string> executors;  ///< "cpu/onednn", best first; empty: none runs it.
    std::vector<Reason> reasons;         ///< Why the others do not.
};

struct ModelFacts {
    std::map<std::string, std::int64_t> operators;
    std::vector<NodeSupport> support;
    double flops = 0;
    std::uint64_t parameterBytes = 0;
};

std::uint64_t parameterBytes(const Model& model) {
    std::uint64_t bytes = 0;
    for (const Value& value : model.values())
        if (value.initializer) bytes += value.initializer->bytes();
    for (const Node& node : model.nodes())
        if (const Tensor* tensor = node.opType == "Constant" ? node.get<Tensor>("value") : nullptr) bytes += tensor->bytes();
    return bytes;
}

NodeSupport supportOf(const Model& model, const Node& node, const TypeTable& types, const std::vector<PlanDevice>& devices) {
    NodeSupport out{&node, {}, {}};
    if (isControlFlow(node)) {
        out.executors.emplace_back("host");
        return out;
    }
    if (node.opType == "Constant" && node.domain.empty()) {
        out.executors.emplace_back("folded");
        return out;
    }
    for (const PlanDevice& device : devices) {
        for (const auto& executor : device.executors) {
            Support support = executor->supports({&model, &node, &types});
            if (support.supported) {
                out.executors.push_back(device.info.id + "/" + std::string(executor->id()));
            } else {
                out.reasons.push_back(std::move(support.reason));
            }
        }
    }
    return out;
}

Result<ModelFacts> factsOf(const LoadedModel& loaded) {
    const Model& model = *loaded.model;
    InferOptions shapes;
    // An input that cannot be given a default shape leaves what depends on it unknown; that is no reason to say nothing.
    if (auto planned = planShapes(loaded)) {
        shapes = std::move(*planned);
    } else if (planned.error().code == ErrorCode::BadRequest && !loaded.dims.empty()) {
        return tl::unexpected<Error>(planned.error());
    }
    shapes.lenient = true;
    HS_TRY(const TypeTable types, inferTypes(model, shapes));
    const auto catalog = Catalog::scan();
    std::vector<PlanDevice> devices;
    for (const DeviceInfo& device : catalog->devices())
        if (!device.simulated) devices.push_back({device, catalog->executorsFor(device)});
    ModelFacts facts;
    facts.parameterBytes = parameterBytes(model);
    for (const Node& node : model.nodes()) {
        ++facts.operators[node.domain.empty() ? node.opType : node.domain + "." + node.opType];
        facts.flops += nodeCost(model, node, types).flops;
        facts.support.push_back(supportOf(model, node, types, devices));
    }
    return facts;
}

Json valuesJson(const Model& model, const std::vector<ValueId>& ids) {
    Json out = Json::array();
    for (const ValueId id : ids) {
        const Value& value = model.value(id);
        out.push_back({{"name", value.name},
                       {"dtype", dtypeName(value.type.dtype)},
                       {"shape", shapeJson(value.type.shape)},
                       {"type", value.type.text()},
                       {"has_default", value.initializer.has_value()}});
    }
    return out;
}

Json documentOf(const Model& model, const ModelFacts& facts) {
    Json unsupported = Json::array();
    Json perNode = Json::array();
    for (const NodeSupport& s : facts.support) {
        perNode.push_back({{"name", s.node->name}, {"op_type", s.node->opType}, {"executors", s.executors}});
        if (!s.executors.empty()) continue;
        Json reasons = Json::array();
        for (const Reason& reason : s.reasons)
            reasons.push_back(reason.text());
        unsupported.push_back({{"node", s.node->name}, {"op_type", s.node->opType}, {"domain", s.node->domain}, {"reasons", reasons}});
    }
    const ModelInfo& info = model.info();
    return {{"path", info.path},
            {"name", info.name},
            {"sha256", info.sha256},
            {"ir_version", info.irVersion},
            {"producer", info.producer},
            {"inputs", valuesJson(model, model.main().inputs)},
            {"outputs", valuesJson(model, model.main().outputs)},
            {"opsets", info.opsets},
            {"operators", facts.operators},
            {"parameter_bytes", facts.parameterBytes},
            {"flops", facts.flops},
            {"nodes", model.nodes().size()},
            {"unsupported", unsupported},
            {"node_executors", perNode}};
}

std::string flopsText(double flops) {
    if (flops >= 1e9) return shortText(flops / 1e9) + " GFLOP";
    if (flops >= 1e6) return shortText(flops / 1e6) + " MFLOP";
    return shortText(flops) + " FLOP";
}

/// Each kind of node that nothing runs, once, with every executor's reason.
void printUnsupported(const ModelFacts& facts) {
    std::map<std::string, std::uint64_t> kinds;
    for (const NodeSupport& s : facts.support) {
        if (!s.executors.empty()) continue;
        std::string why;
        for (const Reason& reason : s.reasons)
            why += (why.empty() ? "" : "; ") + reason.text();
        ++kinds[s.node->opType + ": " + why];
    }
    for (const auto& [kind, count] : kinds)
        std::cout << fmt::format("\nunsupported {} of {}\n", countText(count, "node"), kind);
}

void printPeople(const Model& model, const ModelFacts& facts) {
    const auto list = [&](const char* head, const std::vector<ValueId>& ids) {
        for (const ValueId id : ids)
            std::cout << fmt::format("{:<11} {}: {}\n", head, model.value(id).name, model.value(id).type.text());
    };
    std::cout << fmt::format("{:<11} {}\n", "model", model.info().name);
    list("input", model.requiredInputs());
    list("output", model.main().outputs);
    for (const auto& [domain, version] : model.info().opsets)
        std::cout << fmt::format("{:<11} {} {}\n", "opset", domain, version);
    std::cout << fmt::format("{:<11} {}\n{:<11} {}\n{:<11} {}\n\n", "nodes", model.nodes().size(), "parameters",
                             bytesText(static_cast<double>(facts.parameterBytes)), "work", flopsText(facts.flops));
    std::map<std::string, std::map<std::string, int>> executors;  // by operator: which best executor runs how many of its nodes
    for (const NodeSupport& s : facts.support)
        ++executors[s.node->domain.empty() ? s.node->opType : s.node->domain + "." + s.node->opType][s.executors.empty() ? "none" : s.executors.front()];
    std::vector<std::vector<std::string>> rows = {{"OPERATOR", "COUNT", "RUNS ON"}};
    for (const auto& [op, count] : facts.operators) {
        std::string best;
        for (const auto& [executor, n] : executors[op])
            best += (best.empty() ? "" : ", ") + executor + (n == count ? "" : " (" + std::to_string(n) + ")");
        rows.push_back({op, std::to_string(count), best});
    }
    std::cout << table(rows, {false, true, false});
    printUnsupported(facts);
}

Result<int> info(const ModelOptions& options, bool json) {
    if (options.path.empty()) return fail(ErrorCode::BadRequest, "model", "name a model, or ask for --operators");
    HS_TRY(const LoadedModel loaded, loadModel(options));
    HS_TRY(const ModelFacts facts, factsOf(loaded));
    if (json) {
        printJson(documentOf(*loaded.model, facts));
    } else {
        printPeople(*loaded.model, facts);
    }
    return 0;
}

}  // namespace

void addInfoVerb(CLI::App& app, Invocation& invocation) {
    auto options = std::make_shared<ModelOptions>();
    auto operators = std::make_shared<bool>(false);
    CLI::App* verb = addVerb(app, invocation, "info", "Inputs, outputs, operators, parameters and work of a model, and which executors can run each node",
                             "hscope info model.onnx --batch 8\n  hscope info --operators", [&invocation, options, operators] {
                                 if (*operators) return operatorCoverage(invocation.json);
                                 return info(*options, invocation.json);
                             });
    options->addTo(*verb);
    verb->add_flag("--operators", *operators, "Instead of a model: every known operator, and which executor runs it with which element types and opsets");
    verb->get_option("MODEL")->required(false);
}

}  // namespace hs::cli
