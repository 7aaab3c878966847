// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/host/catalog.h"
#include "core/plan/plan.h"

namespace hs::cli {

/// The devices of a run. No names: the best real device that is ready, and the CPU for what it cannot run. Names: those
/// devices, and the reference executor on the CPU for the rest. BadRequest names an unknown device and lists the known ones.
Result<std::vector<PlanDevice>> chooseDevices(const Catalog& catalog, const std::vector<std::string>& names);

/// Is this the id of an executor of some device here?
bool isExecutor(const Catalog& catalog, const std::string& id);

/// "a,b" and repeated options, as one list. An empty name stays in it: whoever looks it up says that it is none.
std::vector<std::string> splitNames(const std::vector<std::string>& given);

/// Most threads that may be asked for.
constexpr int kMaxThreads = 4096;

/// Cores that a run uses when nothing is said.
int defaultThreads();

/// Reads a config file, if one is named. `text` gets its contents.
Result<Edits> readConfigFile(const std::string& path, std::string& text);

/// Says which enabled pattern rules match no node of the model: mostly a slip, but a config may serve several models.
void warnOfIdleRules(const PlanRequest& request, const std::string& path);

/// Puts the file's name in front of an error of makePlan that only knows the config's line.
Error withConfigFile(Error error, const std::string& path);

}  // namespace hs::cli
