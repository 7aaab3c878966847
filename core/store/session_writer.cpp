// SPDX-License-Identifier: Apache-2.0
#include "core/store/session_writer.h"

#include "core/store/live_writer.h"
#include "core/store/session_file.h"
#include "core/store/sqlite_util.h"

namespace hs {

Result<std::unique_ptr<SessionWriter>> SessionWriter::open(const std::string& path, const RunDescription& description, Recorder& recorder,
                                                           std::uint64_t originTick, WriterOptions options) {
    HS_TRY(auto db, store::openForWriting(path, options.maxFileBytes));
    return store::guarded(path, [&]() -> Result<std::unique_ptr<SessionWriter>> {
        db->exec("BEGIN IMMEDIATE");
        store::RunIds ids = store::insertDescription(*db, description);
        auto writer = std::make_unique<store::LiveWriter>(path, std::move(db), std::move(ids), recorder, originTick, options);
        HS_CHECK(writer->start());
        return writer;
    });
}

}  // namespace hs
