// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <exception>
#include <iostream>
#include <new>

#include "app/cli/output.h"
#include "app/cli/verb.h"
#include "core/base/log.h"

namespace hs::cli {
namespace {

constexpr int kBadRequest = 2;

int reportParseError(const CLI::App& app, const CLI::ParseError& error, bool json) {
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {  // --help, --version
        app.exit(error, std::cout, std::cerr);
        const Status written = flushOutput();
        return written ? 0 : reportError(written.error(), false);
    }
    std::string verb;
    for (const CLI::App* sub : app.get_subcommands())
        verb = " " + sub->get_name();
    return reportError({ErrorCode::BadRequest, std::string(error.what()) + " (see hscope" + verb + " --help)", ""}, json);
}

int guarded(const Invocation& invocation) {
    try {
        auto status = invocation.action();
        if (const Status written = flushOutput(); status && !written) return reportError(written.error(), false);
        return status ? *status : reportError(status.error(), invocation.json);
    } catch (const std::bad_alloc&) {
        return reportError({ErrorCode::OutOfMemory, "out of memory: use a smaller batch or model", ""}, invocation.json);
    } catch (const std::exception& error) {
        return reportError({ErrorCode::Internal, std::string("unexpected failure, please report it: ") + error.what(), ""}, invocation.json);
    }
}

}  // namespace

CLI::App* addVerb(CLI::App& app, Invocation& invocation, const std::string& name, const std::string& description, const std::string& example,
                  std::function<Result<int>()> action) {
    CLI::App* verb = app.add_subcommand(name, description);
    verb->add_flag("--json", invocation.json, "Print one JSON document on standard output");
    verb->footer("Example:\n  " + example);
    verb->callback([&invocation, action = std::move(action)] { invocation.action = action; });
    return verb;
}

int runCommandLine(int argc, char** argv) {
    setUpLogging(false);
    CLI::App app("Heteroscope: load, run, profile and place neural networks on mixed hardware", "hscope");
    app.footer("Example:\n  hscope zoo resnet50 -o resnet50.onnx && hscope run resnet50.onnx --session resnet50.hscope");
    app.set_version_flag("--version", std::string("hscope ") + HS_VERSION);
    app.require_subcommand(1);
    app.get_formatter()->label("SUBCOMMAND", "VERB");
    app.get_formatter()->label("Subcommands", "Verbs");
    app.get_formatter()->label("REQUIRED", "(required)");
    Invocation invocation;
    // Looked for by hand, because a request that cannot be parsed is answered in JSON too.
    invocation.json = std::any_of(argv, argv + argc, [](const char* arg) { return std::string_view(arg) == "--json"; });
    addDevicesVerb(app, invocation);
    addInfoVerb(app, invocation);
    addPlanVerb(app, invocation);
    addRunVerb(app, invocation);
    addVerifyVerb(app, invocation);
    addQueryVerb(app, invocation);
    addZooVerb(app, invocation);
    if (argc < 2) {
        std::cerr << app.help();
        return kBadRequest;
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return reportParseError(app, error, invocation.json);
    }
    return invocation.action ? guarded(invocation) : kBadRequest;
}

}  // namespace hs::cli
