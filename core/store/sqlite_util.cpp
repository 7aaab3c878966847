// SPDX-License-Identifier: Apache-2.0
#include "core/store/sqlite_util.h"

#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sqlite3.h>

#include "core/store/schema.h"

namespace hs::store {

Error sqliteError(const std::string& path, const SQLite::Exception& exception) {
    const auto make = [&](ErrorCode code, std::string text) { return Error{code, std::move(text), path}; };
    switch (exception.getErrorCode()) {
        case SQLITE_FULL: return make(ErrorCode::Io, "no space is left for the session: free some, or choose another place with --session");
        case SQLITE_NOTADB: return make(ErrorCode::BadInput, "not a Heteroscope session (no SQLite database): name a .hscope file");
        case SQLITE_CORRUPT: return make(ErrorCode::BadInput, "the session is damaged: run it again, or rescue it with sqlite3 .recover");
        case SQLITE_CANTOPEN: return make(ErrorCode::Io, "the session cannot be opened or created: check that its folder exists and may be written");
        case SQLITE_READONLY: return make(ErrorCode::Io, "the session is read-only: check the permissions of the file and its folder");
        case SQLITE_BUSY:
        case SQLITE_LOCKED: return make(ErrorCode::Io, "the session is locked by another program: close it there, or write to another file");
        case SQLITE_NOMEM: return make(ErrorCode::OutOfMemory, "out of memory while using the session");
        default: break;
    }
    return make(ErrorCode::Io, fmt::format("the session cannot be read or written: {}", exception.what()));
}

FileInfo inspect(SQLite::Database& db) {
    const auto applicationId = db.execAndGet("PRAGMA application_id").getInt64();
    const int version = db.execAndGet("PRAGMA user_version").getInt();
    if (applicationId == kApplicationId && version >= 1) return {version > kSchemaVersion ? FileKind::NewerSession : FileKind::Session, version};
    const auto tables = db.execAndGet("SELECT COUNT(*) FROM sqlite_master").getInt64();
    return {tables == 0 && applicationId == 0 ? FileKind::Empty : FileKind::OtherDatabase, version};
}

FileKind sniff(const std::string& path) {
    std::error_code ec;
    if (!std::filesystem::exists(path, ec)) return FileKind::Absent;
    if (!std::filesystem::is_regular_file(path, ec)) return FileKind::NotADatabase;
    std::ifstream file(path, std::ios::binary);
    std::array<char, 16> head{};
    file.read(head.data(), head.size());
    if (file.gcount() == 0 && file.eof()) return FileKind::Empty;
    return file.gcount() == 16 && std::memcmp(head.data(), "SQLite format 3", 16) == 0 ? FileKind::OtherDatabase : FileKind::NotADatabase;
}

Status requireSession(const std::string& path, const FileInfo& info) {
    switch (info.kind) {
        case FileKind::Session: return {};
        case FileKind::Absent: return fail(ErrorCode::BadInput, path, "no such file: name an existing .hscope session");
        case FileKind::Empty: return fail(ErrorCode::BadInput, path, "the file is empty, no Heteroscope session: name one that a run has written");
        case FileKind::NewerSession:
            return fail(ErrorCode::BadInput, path, "the session has schema version {}, this program knows versions up to {}: open it with a newer Heteroscope",
                        info.version, kSchemaVersion);
        case FileKind::OtherDatabase: return fail(ErrorCode::BadInput, path, "an SQLite database, but not a Heteroscope session: name a .hscope file");
        case FileKind::NotADatabase: return fail(ErrorCode::BadInput, path, "not a Heteroscope session: name a .hscope file");
    }
    return {};
}

void bindOptional(SQLite::Statement& statement, int index, std::int64_t value) {
    if (value < 0)
        statement.bind(index);
    else
        statement.bind(index, value);
}

}  // namespace hs::store
