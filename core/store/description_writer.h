// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/store/session_writer.h"

namespace hs::store {

/// Row ids of a run in its file, by the run's own indices.
struct RunIds {
    std::int64_t run = 0;
    std::int64_t model = 0;
    std::unordered_map<std::uint32_t, std::int64_t> nodes;
    std::vector<std::int64_t> devices;
    std::vector<std::int64_t> steps;         ///< -1: no such step.
    std::vector<std::uint32_t> stepDevices;  ///< Device index by step.
    std::unordered_map<std::uint32_t, std::string> valueNames;

    std::int64_t device(std::uint32_t index) const { return index < devices.size() ? devices[index] : -1; }
    std::int64_t step(std::uint32_t index) const { return index < steps.size() ? steps[index] : -1; }
    const std::string* valueName(std::uint32_t index) const {
        const auto it = valueNames.find(index);
        return it == valueNames.end() ? nullptr : &it->second;
    }
};

/// Inserts everything that is known before the run starts. Call inside a transaction; throws SQLite::Exception.
/// A model that the file already has (same bytes, same nodes) is not stored twice.
RunIds insertDescription(SQLite::Database& db, const RunDescription& description);

}  // namespace hs::store
