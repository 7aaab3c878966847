// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "executors/cpu/cpu_facts.h"
#include "executors/cpu/cpu_measure.h"

namespace hs::cpu {

/// What must be the same for a measurement to be valid still: processor, cores, microcode, kernel.
std::string rateKey(const CpuFacts& facts);

/// The rates kept in `folder` under this key. None when there is no such file, it is corrupt, or its numbers make no sense.
std::optional<CpuRates> loadRates(const std::string& folder, const std::string& key);

/// Keeps the rates; the file appears whole or not at all. A folder that cannot be written is only logged: the rates are
/// measured again next time.
void storeRates(const std::string& folder, const std::string& key, const CpuRates& rates);

}  // namespace hs::cpu
