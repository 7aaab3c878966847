// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <functional>
#include <nlohmann/json.hpp>

#include "core/base/result.h"

namespace hs::cli {

using Json = nlohmann::ordered_json;

/// What the command line decided to do: set by the chosen verb's callback, run by main().
struct Invocation {
    bool json = false;
    std::function<Result<int>()> action;  ///< Gives the exit status.
};

void addDevicesVerb(CLI::App& app, Invocation& invocation);
void addInfoVerb(CLI::App& app, Invocation& invocation);
void addPlanVerb(CLI::App& app, Invocation& invocation);
void addRunVerb(CLI::App& app, Invocation& invocation);
void addVerifyVerb(CLI::App& app, Invocation& invocation);
void addQueryVerb(CLI::App& app, Invocation& invocation);
void addZooVerb(CLI::App& app, Invocation& invocation);

/// Parses the arguments, does what they ask for and returns the exit status of the contract. Catches everything.
int runCommandLine(int argc, char** argv);

/// Adds a verb with its --json switch; `action` is what it does.
CLI::App* addVerb(CLI::App& app, Invocation& invocation, const std::string& name, const std::string& description, const std::string& example,
                  std::function<Result<int>()> action);

}  // namespace hs::cli
