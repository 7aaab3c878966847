// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>
#include <memory>
#include <string>

#include "core/base/result.h"

namespace hs::store {

/// Opens a session for writing: a new or empty file gets the schema, a session of this version is taken as it is.
/// BadInput, and the file untouched, when it is anything else; Io when it cannot be created.
Result<std::unique_ptr<SQLite::Database>> openForWriting(const std::string& path, std::int64_t maxFileBytes);

}  // namespace hs::store
