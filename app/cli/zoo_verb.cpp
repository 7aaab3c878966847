// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <limits>

#include "app/cli/checks.h"
#include "app/cli/output.h"
#include "app/cli/verb.h"
#include "core/import/importer.h"
#include "core/zoo/zoo.h"

namespace hs::cli {
namespace {

struct ZooOptions {
    std::string name, output;
    std::uint64_t seed = 1;
};

int listModels(bool json) {
    Json models = Json::array();
    std::vector<std::vector<std::string>> rows = {{"MODEL", "INPUTS", "WHAT IT IS"}};
    for (const ZooEntry& entry : zooEntries()) {
        models.push_back({{"name", entry.name}, {"description", entry.description}, {"inputs", entry.inputs}});
        rows.push_back({entry.name, entry.inputs, entry.description});
    }
    if (json) {
        printJson({{"models", models}});
    } else {
        std::cout << table(rows, {});
    }
    return 0;
}

Result<int> zoo(const ZooOptions& options, bool json) {
    if (options.name.empty()) {
        if (!options.output.empty()) return fail(ErrorCode::BadRequest, "-o", "name a model to write: `hscope zoo` lists them");
        return listModels(json);
    }
    if (options.output.empty()) return fail(ErrorCode::BadRequest, options.name, "say where to write it: -o {}.onnx", options.name);
    HS_TRY(const ModelPtr model, buildZooModel(options.name, options.seed));
    HS_CHECK(exportModel(*model, options.output));
    if (json) {
        printJson({{"models", Json::array({{{"name", options.name}, {"file", options.output}, {"nodes", model->nodes().size()}}})}});
    } else {
        std::cerr << fmt::format("wrote {} ({} nodes)\n", options.output, model->nodes().size());
    }
    return 0;
}

}  // namespace

void addZooVerb(CLI::App& app, Invocation& invocation) {
    auto options = std::make_shared<ZooOptions>();
    CLI::App* verb = addVerb(app, invocation, "zoo", "Write a standard architecture with seeded random weights as ONNX; without NAME, list them",
                             "hscope zoo resnet50 -o resnet50.onnx", [&invocation, options] { return zoo(*options, invocation.json); });
    verb->add_option("NAME", options->name, "Which one")->type_name("");
    verb->add_option("-o,--output", options->output, "File to write")->type_name("FILE");
    verb->add_option("--seed", options->seed, "Seed of the weights")
        ->capture_default_str()
        ->check(wholeNumber(0, std::numeric_limits<std::uint64_t>::max()))
        ->type_name("N");
}

}  // namespace hs::cli
