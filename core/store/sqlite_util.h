// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "core/base/result.h"

namespace hs::store {

/// Words an SQLite failure about `path` with what to do about it. NOTADB and CORRUPT become BadInput, the rest Io.
Error sqliteError(const std::string& path, const SQLite::Exception& exception);

/// Runs `f` (which returns a Result) and turns what SQLite throws into an error about `path`.
template <class F>
auto guarded(const std::string& path, F&& f) -> std::invoke_result_t<F> {
    try {
        return std::forward<F>(f)();
    } catch (const SQLite::Exception& e) {
        return tl::unexpected<Error>(sqliteError(path, e));
    }
}

/// What the header of a file says it is.
enum class FileKind { Absent, Empty, Session, NewerSession, OtherDatabase, NotADatabase };
struct FileInfo {
    FileKind kind = FileKind::Absent;
    int version = 0;  ///< user_version of a session.
};
/// Looks at a database's application_id and user_version. BadInput when it cannot be read at all.
FileInfo inspect(SQLite::Database& db);
/// Absent, Empty, NotADatabase or OtherDatabase (some SQLite file, session or not) by the first bytes of the file.
FileKind sniff(const std::string& path);

/// BadInput that says why `path` is no session this program can use; no error when it is one.
Status requireSession(const std::string& path, const FileInfo& info);

/// An integer, or NULL for negative values that stand for "none".
void bindOptional(SQLite::Statement& statement, int index, std::int64_t value);

/// Runs a bound statement once and makes it ready for the next row.
inline void runOnce(SQLite::Statement& statement) {
    statement.exec();
    statement.reset();
}

}  // namespace hs::store
