// SPDX-License-Identifier: Apache-2.0
#include "core/store/session_reader.h"

#include <filesystem>

#include "core/store/file_reader.h"
#include "core/store/sqlite_util.h"

namespace hs {
namespace {

constexpr int kBusyMs = 5000;

/// "file:" URI of a path, with the characters that mean something in a URI escaped.
std::string fileUri(const std::string& path, const char* query) {
    std::string out = "file:";
    for (const char c : path) {
        if (c == '%' || c == '?' || c == '#')
            out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
        else
            out += c;
    }
    return out + query;
}

Result<std::unique_ptr<SessionReader>> check(const std::string& path, std::unique_ptr<SQLite::Database> db) {
    HS_CHECK(store::requireSession(path, store::inspect(*db)));
    return std::make_unique<store::FileReader>(path, std::move(db));
}

/// Where the folder may not be written, SQLite cannot share a file in WAL mode: take it as one that nobody changes.
Result<std::unique_ptr<SessionReader>> openImmutable(const std::string& path, const std::string& absolute) {
    std::error_code ec;
    const auto walBytes = std::filesystem::file_size(absolute + "-wal", ec);
    if (!ec && walBytes > 0)
        return fail(ErrorCode::Io, path, "part of the session is still in {}-wal and its folder cannot be written: copy both files to a folder of your own",
                    path);
    return store::guarded(path, [&] {
        return check(path, std::make_unique<SQLite::Database>(fileUri(absolute, "?immutable=1"), SQLite::OPEN_READONLY | SQLite::OPEN_URI, kBusyMs));
    });
}

}  // namespace

Result<std::unique_ptr<SessionReader>> SessionReader::open(const std::string& path) {
    const store::FileKind kind = store::sniff(path);
    if (kind != store::FileKind::OtherDatabase) return store::requireSession(path, {kind, 0}).map([] { return std::unique_ptr<SessionReader>(); });
    const std::string absolute = std::filesystem::absolute(path).string();
    try {
        return check(path, std::make_unique<SQLite::Database>(absolute, SQLite::OPEN_READONLY, kBusyMs));
    } catch (const SQLite::Exception& e) {
        constexpr int kCantOpen = 14;
        constexpr int kReadOnly = 8;
        if (e.getErrorCode() == kCantOpen || e.getErrorCode() == kReadOnly) return openImmutable(path, absolute);
        return tl::unexpected<Error>(store::sqliteError(path, e));
    }
}

}  // namespace hs
