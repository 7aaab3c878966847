// SPDX-License-Identifier: Apache-2.0
#include "core/store/query_guard.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <memory>
#include <sqlite3.h>
#include <string_view>

#include "core/base/clock.h"
#include "core/store/sqlite_util.h"

namespace hs::store {
namespace {

constexpr std::size_t kMaxResultBytes = std::size_t{64} << 20;
constexpr int kMaxCellBytes = 16 << 20;
constexpr std::size_t kMaxSqlBytes = 1 << 20;

bool pragmaAllowed(std::string_view name, bool hasArgument) {
    static constexpr std::array<std::string_view, 8> kWithArgument = {"foreign_key_list", "index_info",  "index_list", "index_xinfo",
                                                                      "integrity_check",  "quick_check", "table_info", "table_xinfo"};
    static constexpr std::array<std::string_view, 13> kWithout = {"application_id", "collation_list", "compile_options", "data_version", "database_list",
                                                                  "encoding",       "freelist_count", "function_list",   "journal_mode", "page_count",
                                                                  "page_size",      "table_list",     "user_version"};
    std::string lower(name);
    std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (std::find(kWithArgument.begin(), kWithArgument.end(), lower) != kWithArgument.end()) return true;
    return !hasArgument && std::find(kWithout.begin(), kWithout.end(), lower) != kWithout.end();
}

int authorize(void* /*unused*/, int action, const char* first, const char* second, const char* /*database*/, const char* /*trigger*/) {
    switch (action) {
        case SQLITE_SELECT:
        case SQLITE_READ:
        case SQLITE_RECURSIVE: return SQLITE_OK;
        case SQLITE_FUNCTION: {
            const std::string_view name = second == nullptr ? "" : second;
            return name == "load_extension" || name == "fts3_tokenizer" || name == "writefile" || name == "edit" ? SQLITE_DENY : SQLITE_OK;
        }
        case SQLITE_PRAGMA: return pragmaAllowed(first == nullptr ? "" : first, second != nullptr) ? SQLITE_OK : SQLITE_DENY;
        default: return SQLITE_DENY;
    }
}

struct Limits {
    std::int64_t deadlineNs = 0;
    const std::atomic<bool>* interrupted = nullptr;
};

int progress(void* context) {
    const auto* limits = static_cast<const Limits*>(context);
    return limits->interrupted->load(std::memory_order_relaxed) || steadyNs() > limits->deadlineNs ? 1 : 0;
}

/// Guards in force while it lives.
class Guard {
public:
    Guard(sqlite3* db, Limits& limits) : m_db(db), m_cellLimit(sqlite3_limit(db, SQLITE_LIMIT_LENGTH, kMaxCellBytes)) {
        sqlite3_set_authorizer(db, authorize, nullptr);
        sqlite3_progress_handler(db, 10'000, progress, &limits);
    }
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;
    ~Guard() {
        sqlite3_set_authorizer(m_db, nullptr, nullptr);
        sqlite3_progress_handler(m_db, 0, nullptr, nullptr);
        sqlite3_limit(m_db, SQLITE_LIMIT_LENGTH, m_cellLimit);
    }

private:
    sqlite3* m_db;
    int m_cellLimit;
};

using StatementPtr = std::unique_ptr<sqlite3_stmt, decltype(&sqlite3_finalize)>;

tl::unexpected<Error> queryError(sqlite3* db, const std::string& path, int rc, const Limits& limits, std::int64_t timeLimitMs) {
    switch (rc & 0xFF) {
        case SQLITE_AUTH: return fail(ErrorCode::BadRequest, "query", "a query only reads: this statement would change the session or reach outside it");
        case SQLITE_INTERRUPT:
            if (limits.interrupted->load()) return fail(ErrorCode::Cancelled, "query", "cancelled");
            return fail(ErrorCode::BadRequest, "query", "took longer than {} ms: narrow it by run, track or time, or read one of the *_stats views",
                        timeLimitMs);
        case SQLITE_CORRUPT:
        case SQLITE_NOTADB:
        case SQLITE_BUSY:
        case SQLITE_IOERR:
        case SQLITE_NOMEM: return tl::unexpected<Error>(sqliteError(path, SQLite::Exception(sqlite3_errmsg(db), rc & 0xFF)));
        default: return fail(ErrorCode::BadRequest, "query", "{}: mend the SQL (tables and views: run, node, op_stats, span …)", sqlite3_errmsg(db));
    }
}

Cell readCell(sqlite3_stmt* statement, int column, std::size_t& bytes) {
    switch (sqlite3_column_type(statement, column)) {
        case SQLITE_INTEGER: return static_cast<std::int64_t>(sqlite3_column_int64(statement, column));
        case SQLITE_FLOAT: return sqlite3_column_double(statement, column);
        case SQLITE_TEXT: {
            const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement, column));
            std::string out(text, static_cast<std::size_t>(sqlite3_column_bytes(statement, column)));
            bytes += out.size();
            return out;
        }
        case SQLITE_BLOB: {
            const auto* data = static_cast<const unsigned char*>(sqlite3_column_blob(statement, column));
            const int size = sqlite3_column_bytes(statement, column);
            std::string out = "x'";
            for (int i = 0; i < size; ++i)
                out += fmt::format("{:02x}", data[i]);
            bytes += out.size();
            return out + "'";
        }
        default: return std::monostate{};
    }
}

/// Whether anything but blanks and comments follows the first statement.
bool moreStatements(sqlite3* db, const char* tail) {
    while (tail != nullptr && *tail != '\0') {
        sqlite3_stmt* raw = nullptr;
        const char* next = nullptr;
        const int rc = sqlite3_prepare_v2(db, tail, -1, &raw, &next);
        const StatementPtr statement(raw, &sqlite3_finalize);
        if (rc != SQLITE_OK || statement != nullptr) return true;
        if (next == tail) return false;
        tail = next;
    }
    return false;
}

}  // namespace

Result<QueryResult> runQuery(sqlite3* db, const std::string& path, const std::string& sql, std::size_t rowLimit, std::int64_t timeLimitMs,
                             const std::atomic<bool>& interrupted) {
    if (sql.size() > kMaxSqlBytes || sql.find('\0') != std::string::npos)
        return fail(ErrorCode::BadRequest, "query", "the SQL is longer than {} bytes or holds a zero byte", kMaxSqlBytes);
    Limits limits{steadyNs() + timeLimitMs * 1'000'000, &interrupted};
    const Guard guard(db, limits);
    sqlite3_stmt* raw = nullptr;
    const char* tail = nullptr;
    int rc = sqlite3_prepare_v2(db, sql.c_str(), -1, &raw, &tail);
    const StatementPtr statement(raw, &sqlite3_finalize);
    if (rc != SQLITE_OK) return queryError(db, path, rc, limits, timeLimitMs);
    if (statement == nullptr) return fail(ErrorCode::BadRequest, "query", "the SQL is empty: give one SELECT statement");
    if (sqlite3_stmt_readonly(statement.get()) == 0) return queryError(db, path, SQLITE_AUTH, limits, timeLimitMs);
    if (moreStatements(db, tail)) return fail(ErrorCode::BadRequest, "query", "more than one statement: give a single SELECT");

    QueryResult result;
    const int columns = sqlite3_column_count(statement.get());
    for (int c = 0; c < columns; ++c)
        result.columns.emplace_back(sqlite3_column_name(statement.get(), c));
    std::size_t bytes = 0;
    while ((rc = sqlite3_step(statement.get())) == SQLITE_ROW) {
        if (result.rows.size() >= rowLimit || bytes > kMaxResultBytes) {
            result.truncated = true;
            return result;
        }
        auto& row = result.rows.emplace_back();
        row.reserve(static_cast<std::size_t>(columns));
        for (int c = 0; c < columns; ++c)
            row.push_back(readCell(statement.get(), c, bytes));
        bytes += row.size() * sizeof(Cell);
    }
    if (rc != SQLITE_DONE) return queryError(db, path, rc, limits, timeLimitMs);
    return result;
}

}  // namespace hs::store
