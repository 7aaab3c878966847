// SPDX-License-Identifier: Apache-2.0
#include "app/cli/verify_case.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/exec/runner.h"
#include "core/import/importer.h"

namespace hs::cli {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxDepth = 8;  // of folders below a given path
constexpr std::uintmax_t kMaxDataJson = std::uintmax_t{1} << 20;

/// The case is named in front of it, so the path of its folder says nothing new.
CaseResult fromError(const Error& error, const std::string& folder) {
    std::string why = error.text();
    const std::string model = (fs::path(folder) / "model.onnx").string();
    if (error.where == model) {
        why = error.message;
    } else if (why.starts_with(folder)) {
        why = why.substr(std::min(why.find_first_not_of('/', folder.size()), why.size()));
    }
    return {error.code == ErrorCode::Unsupported ? Verdict::Unsupported : Verdict::Fail, why};
}

void collect(const fs::path& folder, int depth, std::vector<Case>& out) {
    std::error_code ec;
    if (fs::is_regular_file(folder / "model.onnx", ec)) {
        out.push_back({fs::absolute(folder).lexically_normal().filename().string(), folder.string()});
        return;
    }
    if (depth == 0) return;
    std::vector<fs::path> children;
    for (auto it = fs::directory_iterator(folder, ec); !ec && it != fs::directory_iterator(); it.increment(ec))
        if (it->is_directory(ec)) children.push_back(it->path());
    std::sort(children.begin(), children.end());
    for (const fs::path& child : children)
        collect(child, depth - 1, out);
}

std::vector<fs::path> dataSets(const std::string& folder) {
    std::vector<fs::path> out;
    std::error_code ec;
    for (auto it = fs::directory_iterator(folder, ec); !ec && it != fs::directory_iterator(); it.increment(ec))
        if (it->is_directory(ec) && it->path().filename().string().starts_with("test_data_set_")) out.push_back(it->path());
    std::sort(out.begin(), out.end());
    return out;
}

/// Columns of an index.tsv by name; empty when a line has too few.
std::vector<std::string> fieldsOf(const std::string& line) {
    std::vector<std::string> out;
    std::istringstream in(line);
    for (std::string field; std::getline(in, field, '\t');)
        out.push_back(field);
    return out;
}

/// The tolerance that upstream's own reference run needs for a case, from the index.tsv two folders above the case's set
/// (SUITE/SET/CASE), where there is one.
std::optional<Tolerance> upstreamTolerance(const fs::path& folder) {
    const fs::path path = fs::absolute(folder).lexically_normal();
    const fs::path place = path.has_filename() ? path : path.parent_path();
    std::ifstream file(place.parent_path().parent_path().parent_path() / "index.tsv");
    std::string line;
    if (!std::getline(file, line)) return std::nullopt;
    const auto head = fieldsOf(line);
    const auto column = [&](const char* name) { return static_cast<std::size_t>(std::find(head.begin(), head.end(), name) - head.begin()); };
    const std::size_t name = column("case");
    const std::size_t rtol = column("ref_rtol");
    const std::size_t atol = column("ref_atol");
    if (std::max({name, rtol, atol}) >= head.size()) return std::nullopt;
    while (std::getline(file, line)) {
        if (line.find(place.filename().string()) == std::string::npos) continue;
        const auto row = fieldsOf(line);
        if (row.size() <= std::max({name, rtol, atol}) || row[name] != place.filename().string()) continue;
        return Tolerance{std::strtod(row[rtol].c_str(), nullptr), std::strtod(row[atol].c_str(), nullptr)};
    }
    return std::nullopt;
}

/// Flags before the case's data.json before the rule's own numbers; without a flag, what upstream's reference run needs is
/// the least.
Result<Tolerance> toleranceOf(const std::string& folder, const VerifyOptions& options) {
    Tolerance out;
    const fs::path path = fs::path(folder) / "data.json";
    std::error_code ec;
    if (fs::is_regular_file(path, ec)) {
        if (fs::file_size(path, ec) > kMaxDataJson) return fail(ErrorCode::BadInput, path.string(), "is too large");
        std::ifstream file(path);
        const auto json = nlohmann::json::parse(file, nullptr, false);
        if (!json.is_object()) return fail(ErrorCode::BadInput, path.string(), "is not a JSON object");
        for (const auto& [key, value] : {std::pair{"rtol", &out.rtol}, std::pair{"atol", &out.atol}})
            if (const auto it = json.find(key); it != json.end() && it->is_number()) *value = it->get<double>();
    }
    if (const auto upstream = upstreamTolerance(folder)) {
        out.rtol = std::max(out.rtol, upstream->rtol);
        out.atol = std::max(out.atol, upstream->atol);
    }
    out.rtol = options.rtol.value_or(out.rtol);
    out.atol = options.atol.value_or(out.atol);
    return out;
}

Result<std::map<ValueId, Tensor>> readInputs(const Model& model, const fs::path& set) {
    std::map<ValueId, Tensor> out;
    std::size_t i = 0;
    for (const ValueId id : model.requiredInputs()) {
        HS_TRY(out[id], readValueFile((set / fmt::format("input_{}.pb", i++)).string(), model.value(id).type));
    }
    return out;
}

/// Compiled for one set of input types: the sets of a case mostly share it.
struct Compiled {
    std::map<ValueId, ValueType> types;
    std::unique_ptr<CompiledModel> model;
};

Status compileFor(const ModelPtr& model, const std::map<ValueId, Tensor>& inputs, const VerifyOptions& options, Compiled& compiled) {
    std::map<ValueId, ValueType> types;
    for (const auto& [id, tensor] : inputs)
        types.emplace(id, tensor.type());
    if (compiled.model && compiled.types == types) return {};
    PlanRequest request;
    request.model = model;
    request.shapes.inputs = types;
    request.devices = options.devices;
    request.threads = options.threads;
    request.onlyExecutor = options.executor;
    HS_TRY(Plan plan, makePlan(request));
    HS_TRY(compiled.model, CompiledModel::compile(std::make_shared<const Plan>(std::move(plan)), nullptr, nullptr, options.cancel));
    compiled.types = std::move(types);
    return {};
}

/// Main outputs that follow from random numbers which no seed of the model fixes: their values differ from run to run.
std::vector<bool> randomOutputs(const Model& model) {
    std::vector<bool> isRandom(model.values().size(), false);
    const auto& main = model.main();
    for (const NodeId id : main.nodes) {
        const Node& node = model.node(id);
        const OpSchema* schema = OpRegistry::instance().find(node.domain, node.opType, node.opset);
        bool random = schema != nullptr && schema->randomOutput;
        for (const ValueId input : node.inputs)
            random = random || (input && isRandom[input.index()]);
        for (const ValueId output : node.outputs)
            if (output && random) isRandom[output.index()] = true;
    }
    std::vector<bool> out;
    for (const ValueId id : main.outputs)
        out.push_back(isRandom[id.index()]);
    return out;
}

Result<std::string> compareSet(const Model& model, const fs::path& set, const std::vector<Tensor>& outputs, const Tolerance& tolerance) {
    const std::vector<bool> isRandom = randomOutputs(model);
    std::error_code ec;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const fs::path path = set / fmt::format("output_{}.pb", i);
        if (!fs::exists(path, ec)) return fmt::format("{} is missing: the model has {} outputs", path.filename().string(), outputs.size());
        HS_TRY(const Tensor expected, readValueFile(path.string(), model.value(model.main().outputs[i]).type));
        const std::string why = isRandom[i] ? kindMismatch(outputs[i], expected) : mismatch(outputs[i], expected, tolerance);
        if (!why.empty()) return fmt::format("{}: output {}: {}", set.filename().string(), model.value(model.main().outputs[i]).name, why);
    }
    if (fs::exists(set / fmt::format("output_{}.pb", outputs.size()), ec))
        return fmt::format("more outputs are expected than the model has ({})", outputs.size());
    return std::string();
}

Result<CaseResult> tryCase(const Case& testCase, const VerifyOptions& options) {
    const auto sets = dataSets(testCase.folder);
    if (sets.empty()) return CaseResult{Verdict::Unsupported, "has no test_data_set_* folder: nothing to compare with"};
    HS_TRY(const Tolerance tolerance, toleranceOf(testCase.folder, options));
    HS_TRY(const ModelPtr model, importModel((fs::path(testCase.folder) / "model.onnx").string()));
    Compiled compiled;
    for (const fs::path& set : sets) {
        HS_TRY(const auto inputs, readInputs(*model, set));
        HS_CHECK(compileFor(model, inputs, options, compiled));
        RunOptions run;
        run.cancel = options.cancel;
        HS_TRY(const auto outputs, compiled.model->run(inputs, run));
        HS_TRY(std::string why, compareSet(*model, set, outputs, tolerance));
        if (!why.empty()) return CaseResult{Verdict::Fail, std::move(why)};
    }
    const auto isRandom = randomOutputs(*model);
    const bool any = std::find(isRandom.begin(), isRandom.end(), true) != isRandom.end();
    return CaseResult{Verdict::Pass, any ? "random outputs: shape, type and range compared, not the values" : ""};
}

}  // namespace

Result<std::vector<Case>> findCases(const std::vector<std::string>& paths) {
    std::vector<Case> out;
    for (const std::string& path : paths) {
        std::error_code ec;
        if (!fs::is_directory(path, ec)) return fail(ErrorCode::BadInput, path, "is no folder: name a case folder, or a model together with --against");
        const std::size_t before = out.size();
        collect(path, kMaxDepth, out);
        if (out.size() == before) return fail(ErrorCode::BadInput, path, "holds no case: a case is a folder with a model.onnx");
    }
    return out;
}

CaseResult verifyCase(const Case& testCase, const VerifyOptions& options) {
    try {
        auto result = tryCase(testCase, options);
        return result ? *result : fromError(result.error(), testCase.folder);
    } catch (const std::exception& error) {
        return {Verdict::Fail, std::string("unexpected failure: ") + error.what()};
    }
}

}  // namespace hs::cli
