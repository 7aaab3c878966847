// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>
#include <cstdint>
#include <vector>

#include "core/store/lod.h"

namespace hs::store {

/// Keeps the summaries of all tracks of a run and adds them to span_lod at each flush. A level whose buckets come out
/// more numerous than the spans themselves is given up: there the spans are the better answer.
class LodWriter {
public:
    LodWriter(SQLite::Database& db, std::int64_t runId);

    void add(std::size_t track, std::int64_t startNs, std::int64_t durNs, std::int64_t busyNs, SpanCategory category, std::uint32_t step);
    /// `trackIds` and `stepIds` map indices to rows of the file.
    void flush(const std::vector<std::int64_t>& trackIds, const std::vector<std::int64_t>& stepIds);

private:
    void write(std::int64_t trackId, int level, const LodTrack::Buckets& buckets, const std::vector<std::int64_t>& stepIds);
    void giveUpFinestLevel(const std::vector<std::int64_t>& trackIds);

    SQLite::Database& m_db;
    std::int64_t m_runId;
    std::vector<LodTrack> m_tracks;
    int m_base = 0;  ///< The finest level still kept.
    std::int64_t m_spans = 0;
    std::int64_t m_baseBuckets = 0;
    SQLite::Statement m_upsert;
};

}  // namespace hs::store
