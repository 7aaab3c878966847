// SPDX-License-Identifier: Apache-2.0
#include "app/cli/operator_coverage.h"

#include <algorithm>
#include <iostream>
#include <set>
#include <tuple>

#include "app/cli/device_choice.h"
#include "app/cli/output.h"
#include "core/plan/placement.h"

namespace hs::cli {
namespace {

constexpr int kNewestOpset = 28;
constexpr int kLastDType = static_cast<int>(DType::I2);

/// How the inputs of a probe look: all alike, or one vector of parameters after the other behind the data.
enum class Form { Alike, Parameters };

/// A model of one node, whose inputs are all of one type and fit together whatever the operator does with them.
Result<ModelPtr> probeModel(const OpSchema& schema, DType type, int opset, Form form) {
    ModelBuilder builder;
    builder.info().opsets[schema.domain.empty() ? "ai.onnx" : schema.domain] = opset;
    Node node;
    node.opType = schema.name;
    node.domain = schema.domain;
    node.opset = opset;
    if (schema.name.ends_with("Pool")) node.attributes.push_back({"kernel_shape", std::vector<std::int64_t>{1, 1}});
    if (schema.name == "LRN") node.attributes.push_back({"size", std::int64_t{1}});
    const int inputs = std::max(schema.minInputs, schema.maxInputs == 0 ? 0 : 1);
    for (int i = 0; i < inputs; ++i) {
        const bool isCondition = schema.name == "Where" && i == 0;
        const Dims dims = form == Form::Parameters && i > 0 ? Dims{2} : Dims{2, 2, 2, 2};
        const ValueType valueType{TypeKind::Tensor, isCondition ? DType::Bool : type, Shape::of(dims)};
        node.inputs.push_back(builder.addInput(GraphId(0), "x" + std::to_string(i), valueType));
    }
    node.outputs.push_back(builder.addValue(GraphId(0), "y"));
    const ValueId out = node.outputs.front();
    builder.addNode(GraphId(0), std::move(node));
    builder.addOutput(GraphId(0), out);
    return builder.build();
}

bool isTaken(const Executor& executor, const OpSchema& schema, DType type, int opset) {
    for (const Form form : {Form::Alike, Form::Parameters}) {
        const auto model = probeModel(schema, type, opset, form);
        if (!model) continue;
        InferOptions options;
        options.lenient = true;
        const auto types = inferTypes(**model, options);
        if (types && executor.supports({model->get(), &(*model)->nodes().front(), &*types}).supported) return true;
    }
    return false;
}

struct Coverage {
    std::vector<DType> types;
    std::vector<int> opsets;
};

Coverage coverageOf(const Executor& executor, const OpSchema& schema) {
    Coverage out;
    for (int number = 1; number <= kLastDType; ++number)
        if (const auto type = dtypeFromOnnx(number); type && isTaken(executor, schema, *type, kNewestOpset)) out.types.push_back(*type);
    const bool hasF32 = std::find(out.types.begin(), out.types.end(), DType::F32) != out.types.end();
    const DType type = hasF32 || out.types.empty() ? DType::F32 : out.types.front();
    for (int opset = 1; opset <= kNewestOpset; ++opset)
        if (isTaken(executor, schema, type, opset)) out.opsets.push_back(opset);
    return out;
}

/// "1-6, 9"
std::string rangesText(const std::vector<int>& numbers) {
    std::string out;
    for (std::size_t i = 0; i < numbers.size();) {
        std::size_t j = i;
        while (j + 1 < numbers.size() && numbers[j + 1] == numbers[j] + 1)
            ++j;
        out += (out.empty() ? "" : ", ") + std::to_string(numbers[i]) + (j > i ? "-" + std::to_string(numbers[j]) : "");
        i = j + 1;
    }
    return out;
}

std::string typesText(const std::vector<DType>& types) {
    std::string out;
    for (const DType type : types)
        out += (out.empty() ? "" : " ") + std::string(dtypeName(type));
    return out;
}

/// Executors of this machine, each once.
std::vector<std::shared_ptr<const Executor>> executorsHere() {
    const auto catalog = Catalog::scan();
    std::vector<std::shared_ptr<const Executor>> out;
    std::set<std::string> seen;
    for (const DeviceInfo& device : catalog->devices())
        if (!device.simulated)
            for (const auto& executor : catalog->executorsFor(device))
                if (seen.insert(std::string(executor->id())).second) out.push_back(executor);
    return out;
}

std::vector<const OpSchema*> sortedSchemas() {
    std::vector<const OpSchema*> out;
    for (const OpSchema& schema : OpRegistry::instance().all())
        out.push_back(&schema);
    std::sort(out.begin(), out.end(),
              [](const OpSchema* a, const OpSchema* b) { return std::tie(a->domain, a->name, a->since) < std::tie(b->domain, b->name, b->since); });
    return out;
}

bool isHost(const OpSchema& schema) {
    Node node;
    node.opType = schema.name;
    node.domain = schema.domain;
    return isControlFlow(node);
}

}  // namespace

Result<int> operatorCoverage(bool json) {
    const auto executors = executorsHere();
    Json list = Json::array();
    std::vector<std::vector<std::string>> rows = {{"OPERATOR", "EXECUTOR", "OPSETS", "ELEMENT TYPES"}};
    for (const OpSchema* schema : sortedSchemas()) {
        Json answers = Json::object();
        std::string name = schema->domain.empty() ? schema->name : schema->domain + "." + schema->name;
        if (isHost(*schema)) {
            rows.push_back({name, "host", "", "any"});
            answers["host"] = Json::object();
        }
        for (const auto& executor : executors) {
            const Coverage coverage = coverageOf(*executor, *schema);
            if (coverage.types.empty()) continue;
            rows.push_back({name, std::string(executor->id()), schema->domain.empty() ? rangesText(coverage.opsets) : "", typesText(coverage.types)});
            name.clear();
            Json types = Json::array();
            for (const DType type : coverage.types)
                types.push_back(dtypeName(type));
            answers[std::string(executor->id())] = {{"dtypes", types}, {"opsets", coverage.opsets}};
        }
        if (schema->name == "FlexAttention") {
            rows.push_back({name, "by its definition", "", "set out as other operators when a model is read"});
            answers["definition"] = Json::object();
        }
        if (answers.empty()) rows.push_back({name, "none", "", ""});
        list.push_back(
            {{"domain", schema->domain.empty() ? "ai.onnx" : schema->domain}, {"op_type", schema->name}, {"since", schema->since}, {"executors", answers}});
    }
    if (json) {
        printJson({{"operators", list}});
    } else {
        std::cout << table(rows, {false, false, false, false});
    }
    return 0;
}

}  // namespace hs::cli
