// SPDX-License-Identifier: Apache-2.0
#include "core/store/lod_writer.h"

#include "core/store/sqlite_util.h"

namespace hs::store {
namespace {

constexpr std::int64_t kFreeBuckets = 4096;  ///< So many buckets are cheap enough to keep whatever the number of spans.

// A bucket may be written in parts (a flush can fall into it, a long step ends after its inner ones): sums add up, and the
// top step is the one with the larger part.
constexpr const char* kUpsert =
    "INSERT INTO span_lod VALUES(?,?,?,?,?,?,?,?,?) ON CONFLICT DO UPDATE SET spans = spans + excluded.spans, busy_ns = busy_ns + excluded.busy_ns,"
    " top_step_id = CASE WHEN excluded.top_step_ns > top_step_ns THEN excluded.top_step_id ELSE top_step_id END,"
    " top_step_ns = MAX(top_step_ns, excluded.top_step_ns),"
    " top_category = CASE WHEN excluded.top_category_ns > top_category_ns THEN excluded.top_category ELSE top_category END,"
    " top_category_ns = MAX(top_category_ns, excluded.top_category_ns)";

}  // namespace

LodWriter::LodWriter(SQLite::Database& db, std::int64_t runId) : m_db(db), m_runId(runId), m_upsert(db, kUpsert) {
    SQLite::Statement level(db, "INSERT INTO lod_level VALUES(?,?,?)");
    for (int i = 0; i < kLodLevels; ++i) {
        level.bind(1, m_runId);
        level.bind(2, i);
        level.bind(3, lodWidthNs(i));
        runOnce(level);
    }
}

void LodWriter::add(std::size_t track, std::int64_t startNs, std::int64_t durNs, std::int64_t busyNs, SpanCategory category, std::uint32_t step) {
    if (track >= m_tracks.size()) m_tracks.resize(track + 1);
    m_tracks[track].add(m_base, startNs, durNs, busyNs, category, step);
    ++m_spans;
}

void LodWriter::flush(const std::vector<std::int64_t>& trackIds, const std::vector<std::int64_t>& stepIds) {
    for (std::size_t t = 0; t < m_tracks.size(); ++t) {
        if (m_tracks[t].empty()) continue;
        const auto levels = m_tracks[t].take(m_base);
        m_baseBuckets += static_cast<std::int64_t>(levels[static_cast<std::size_t>(m_base)].size());
        for (int level = m_base; level < kLodLevels; ++level)
            write(trackIds[t], level, levels[static_cast<std::size_t>(level)], stepIds);
    }
    if (m_base + 1 < kLodLevels && m_baseBuckets > 2 * m_spans + kFreeBuckets) giveUpFinestLevel(trackIds);
}

void LodWriter::write(std::int64_t trackId, int level, const LodTrack::Buckets& buckets, const std::vector<std::int64_t>& stepIds) {
    for (const auto& [bucket, sums] : buckets) {
        const auto [step, stepNs] = sums.topStep();
        const auto [category, categoryNs] = sums.topCategory();
        m_upsert.bind(1, trackId);
        m_upsert.bind(2, level);
        m_upsert.bind(3, bucket);
        m_upsert.bind(4, sums.spans);
        m_upsert.bind(5, sums.busyNs);
        bindOptional(m_upsert, 6, step < stepIds.size() ? stepIds[step] : -1);
        m_upsert.bind(7, stepNs);
        m_upsert.bind(8, category);
        m_upsert.bind(9, categoryNs);
        runOnce(m_upsert);
    }
}

void LodWriter::giveUpFinestLevel(const std::vector<std::int64_t>& trackIds) {
    SQLite::Statement level(m_db, "DELETE FROM lod_level WHERE run_id = ? AND level = ?");
    level.bind(1, m_runId);
    level.bind(2, m_base);
    level.exec();
    SQLite::Statement buckets(m_db, "DELETE FROM span_lod WHERE track_id = ? AND level = ?");
    SQLite::Statement count(m_db, "SELECT COUNT(*) FROM span_lod WHERE track_id = ? AND level = ?");
    std::int64_t kept = 0;
    for (std::size_t t = 0; t < m_tracks.size(); ++t) {
        buckets.bind(1, trackIds[t]);
        buckets.bind(2, m_base);
        runOnce(buckets);
        count.bind(1, trackIds[t]);
        count.bind(2, m_base + 1);
        if (count.executeStep()) kept += count.getColumn(0).getInt64();
        count.reset();
    }
    ++m_base;
    m_baseBuckets = kept;
}

}  // namespace hs::store
