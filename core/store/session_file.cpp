// SPDX-License-Identifier: Apache-2.0
#include "core/store/session_file.h"

#include <filesystem>

#include "core/store/schema.h"
#include "core/store/sqlite_util.h"

namespace hs::store {
namespace {

constexpr int kBusyMs = 5000;

Result<std::unique_ptr<SQLite::Database>> openAndPrepare(const std::string& path, std::int64_t maxFileBytes) {
    // An absolute path, so that SQLite's special names (":memory:") stay plain file names.
    auto db = std::make_unique<SQLite::Database>(std::filesystem::absolute(path).string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, kBusyMs);
    const FileInfo info = inspect(*db);
    if (info.kind != FileKind::Empty) HS_CHECK(requireSession(path, info));
    db->exec("PRAGMA journal_mode = WAL");
    // WAL with NORMAL: commits survive the death of the process without waiting for the disk; only checkpoints wait.
    db->exec("PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 8192; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16384;");
    if (maxFileBytes > 0) {
        const std::int64_t pageSize = db->execAndGet("PRAGMA page_size").getInt64();
        db->execAndGet(fmt::format("PRAGMA max_page_count = {}", std::max<std::int64_t>(maxFileBytes / pageSize, 1)));
    }
    db->exec("BEGIN IMMEDIATE");
    if (inspect(*db).kind == FileKind::Empty) {
        db->exec(std::string(schemaSql()));
        db->exec(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {};", kApplicationId, kSchemaVersion));
    }
    db->exec(std::string(dropSpanIndexesSql()));
    db->exec("COMMIT");
    return db;
}

}  // namespace

Result<std::unique_ptr<SQLite::Database>> openForWriting(const std::string& path, std::int64_t maxFileBytes) {
    const FileKind kind = sniff(path);
    if (kind == FileKind::NotADatabase)
        return fail(ErrorCode::BadInput, path, "the file exists and is not a Heteroscope session: it is left as it is, name another one");
    return guarded(path, [&] { return openAndPrepare(path, maxFileBytes); });
}

}  // namespace hs::store
