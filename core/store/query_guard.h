// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

#include "core/base/result.h"
#include "core/store/session_reader.h"

struct sqlite3;

namespace hs::store {

/// Runs one statement that a person wrote. Nothing but reading is let through: the statement must be read-only by
/// SQLite's own judgement, and an authorizer admits only SELECT, functions (not load_extension) and harmless pragmas.
Result<QueryResult> runQuery(sqlite3* db, const std::string& path, const std::string& sql, std::size_t rowLimit, std::int64_t timeLimitMs,
                             const std::atomic<bool>& interrupted);

}  // namespace hs::store
