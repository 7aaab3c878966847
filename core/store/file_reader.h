// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>
#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "core/store/session_reader.h"
#include "core/store/sqlite_util.h"

namespace hs::store {

/// SessionReader on a read-only connection.
class FileReader final : public SessionReader {
public:
    FileReader(std::string path, std::unique_ptr<SQLite::Database> db) : m_path(std::move(path)), m_db(std::move(db)) {}

    std::int64_t dataVersion() override;
    Result<std::vector<RunInfo>> runs() override;
    Result<ModelRecord> model(std::int64_t modelId) override;
    Result<std::vector<NodeRecord>> nodes(std::int64_t runId) override;
    Result<std::vector<DeviceRecord>> devices(std::int64_t runId) override;
    Result<std::vector<StepRecord>> steps(std::int64_t runId) override;
    Result<std::vector<TrackRecord>> tracks(std::int64_t runId) override;
    Result<std::vector<SpanRecord>> spans(std::int64_t runId, std::int64_t fromNs, std::int64_t toNs, std::size_t limit) override;
    Result<std::vector<LodBucket>> summary(std::int64_t runId, std::int64_t fromNs, std::int64_t toNs, int minBuckets) override;
    Result<std::vector<OpStat>> opStats(std::int64_t runId) override;
    Result<std::vector<DeviceStat>> deviceStats(std::int64_t runId) override;
    Result<std::vector<CounterPoint>> counters(std::int64_t trackId, std::int64_t fromNs, std::int64_t toNs, std::size_t limit) override;
    Result<std::vector<MemoryRecord>> memory(std::int64_t runId) override;
    Result<std::vector<PlannedSlotRecord>> plannedSlots(std::int64_t runId) override;
    Result<std::vector<MessageRecord>> messages(std::int64_t runId) override;
    Result<std::pair<std::int64_t, std::int64_t>> extent(std::int64_t runId) override;
    Result<QueryResult> query(const std::string& sql, std::size_t rowLimit, std::int64_t timeLimitMs) override;
    void interrupt() override;

private:
    /// All rows of `sql` with `args` bound in order, each turned into a T by `make(statement)`.
    template <class T, class Make, class... Args>
    Result<std::vector<T>> collect(const char* sql, Make&& make, const Args&... args) {
        return guarded(m_path, [&]() -> Result<std::vector<T>> {
            SQLite::Statement statement(*m_db, sql);
            int index = 0;
            (statement.bind(++index, args), ...);
            std::vector<T> out;
            while (statement.executeStep())
                out.push_back(make(statement));
            return out;
        });
    }
    /// Width of the coarsest stored level with at least `minBuckets` in the window, and its number; {-1, 0}: none.
    Result<std::pair<int, std::int64_t>> chooseLevel(std::int64_t runId, std::int64_t windowNs, int minBuckets);
    Status addLongSpans(std::int64_t runId, std::int64_t fromNs, std::int64_t toNs, std::int64_t widthNs, std::vector<LodBucket>& buckets);

    std::string m_path;
    std::unique_ptr<SQLite::Database> m_db;
    std::atomic<bool> m_interrupted{false};
};

}  // namespace hs::store
