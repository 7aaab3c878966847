// SPDX-License-Identifier: Apache-2.0
// The part of FileReader that answers for windows of time.
#include <algorithm>
#include <map>

#include "core/store/file_reader.h"
#include "core/store/lod.h"

namespace hs::store {
namespace {

std::string categoryName(std::int64_t category) {
    const auto known = std::clamp<std::int64_t>(category, 0, static_cast<std::int64_t>(SpanCategory::Load));
    return std::string(spanCategoryName(static_cast<SpanCategory>(known)));
}

std::int64_t orElse(const SQLite::Column& column, std::int64_t fallback) {
    return column.isNull() ? fallback : column.getInt64();
}

std::int64_t asLimit(std::size_t limit) {
    return static_cast<std::int64_t>(std::min<std::size_t>(limit, std::size_t{1} << 40));
}

}  // namespace

Result<std::vector<TrackRecord>> FileReader::tracks(std::int64_t runId) {
    const auto make = [](SQLite::Statement& s) {
        TrackRecord t;
        t.id = s.getColumn(0).getInt64();
        if (!s.getColumn(1).isNull()) t.deviceId = s.getColumn(1).getInt64();
        t.kind = s.getColumn(2).getString();
        t.name = s.getColumn(3).getString();
        t.unit = s.getColumn(4).getString();
        t.firstNs = s.getColumn(5).getInt64();
        t.lastNs = s.getColumn(6).getInt64();
        return t;
    };
    return collect<TrackRecord>("SELECT id, device_id, kind, name, unit, first_ns, last_ns FROM track WHERE run_id = ? ORDER BY id", make, runId);
}

Result<std::vector<SpanRecord>> FileReader::spans(std::int64_t runId, std::int64_t fromNs, std::int64_t toNs, std::size_t limit) {
    const auto make = [](SQLite::Statement& s) {
        SpanRecord r;
        r.id = s.getColumn(0).getInt64();
        r.trackId = s.getColumn(1).getInt64();
        r.iteration = static_cast<std::int32_t>(orElse(s.getColumn(2), -1));
        r.startNs = s.getColumn(3).getInt64();
        r.durNs = s.getColumn(4).getInt64();
        r.category = categoryName(s.getColumn(5).getInt64());
        r.name = s.getColumn(6).getString();
        r.stepId = orElse(s.getColumn(7), -1);
        r.correlationId = s.getColumn(8).getInt64();
        r.bytes = s.getColumn(9).getInt64();
        return r;
    };
    // The block map narrows the rows down by id; CROSS JOIN keeps SQLite from starting at the rows.
    return collect<SpanRecord>(
        "SELECT s.id, s.track_id, s.iteration, s.start_ns, s.dur_ns, s.category, COALESCE(n.name, p.label, ''), s.step_id, s.correlation_id, s.bytes"
        " FROM span_block b CROSS JOIN span_row s ON s.id BETWEEN b.first_id AND b.last_id"
        " LEFT JOIN span_name n ON n.id = s.name_id LEFT JOIN step p ON p.id = s.step_id"
        " WHERE b.run_id = ?1 AND b.min_ns < ?3 AND b.max_ns >= ?2 AND +s.run_id = ?1 AND +s.start_ns < ?3"
        " AND (s.start_ns + s.dur_ns > ?2 OR s.start_ns = ?2) ORDER BY s.start_ns, s.dur_ns DESC LIMIT ?4",
        make, runId, fromNs, toNs, asLimit(limit));
}

Result<std::pair<int, std::int64_t>> FileReader::chooseLevel(std::int64_t runId, std::int64_t windowNs, int minBuckets) {
    const auto make = [](SQLite::Statement& s) { return std::pair(s.getColumn(0).getInt(), s.getColumn(1).getInt64()); };
    HS_TRY(const auto levels,
           (collect<std::pair<int, std::int64_t>>("SELECT level, width_ns FROM lod_level WHERE run_id = ? ORDER BY level DESC", make, runId)));
    for (const auto& level : levels)
        if (windowNs / level.second >= std::max(minBuckets, 1)) return level;
    return std::pair(-1, std::int64_t{0});
}

Result<std::vector<LodBucket>> FileReader::summary(std::int64_t runId, std::int64_t fromNs, std::int64_t toNs, int minBuckets) {
    HS_TRY(const auto chosen, chooseLevel(runId, toNs - fromNs, minBuckets));
    const auto [level, width] = chosen;
    if (level < 0) return std::vector<LodBucket>{};
    const auto make = [width = width](SQLite::Statement& s) {
        LodBucket b;
        b.trackId = s.getColumn(0).getInt64();
        b.startNs = s.getColumn(1).getInt64() * width;
        b.widthNs = width;
        b.spans = s.getColumn(2).getInt64();
        b.busyNs = std::min(s.getColumn(3).getInt64(), width);
        b.topStepId = orElse(s.getColumn(4), -1);
        b.topCategory = categoryName(s.getColumn(5).getInt64());
        return b;
    };
    HS_TRY(auto buckets, collect<LodBucket>("SELECT l.track_id, l.bucket, l.spans, l.busy_ns, l.top_step_id, l.top_category"
                                            " FROM track t CROSS JOIN span_lod l ON l.track_id = t.id AND l.level = ?2 AND l.bucket BETWEEN ?3 AND ?4"
                                            " WHERE t.run_id = ?1 ORDER BY l.track_id, l.bucket",
                                            make, runId, level, std::max<std::int64_t>(fromNs, 0) / width, (toNs - 1) / width));
    HS_CHECK(addLongSpans(runId, fromNs, toNs, width, buckets));
    return buckets;
}

Status FileReader::addLongSpans(std::int64_t runId, std::int64_t fromNs, std::int64_t toNs, std::int64_t widthNs, std::vector<LodBucket>& buckets) {
    const auto make = [](SQLite::Statement& s) {
        SpanRecord r;
        r.trackId = s.getColumn(0).getInt64();
        r.startNs = s.getColumn(1).getInt64();
        r.durNs = s.getColumn(2).getInt64();
        r.category = categoryName(s.getColumn(3).getInt64());
        r.stepId = orElse(s.getColumn(4), -1);
        return r;
    };
    // The literal bound is the one of the partial index span_long. 4 and 5: waits and API spans do not count as busy.
    HS_TRY(const auto spans, collect<SpanRecord>("SELECT track_id, start_ns, dur_ns, category, step_id FROM span_row"
                                                 " WHERE run_id = ?1 AND dur_ns >= 67108864 AND dur_ns > ?4 AND start_ns < ?3 AND start_ns + dur_ns > ?2"
                                                 " AND category NOT IN (4, 5)",
                                                 make, runId, fromNs, toNs, kLodMaxBuckets * widthNs));
    if (spans.empty()) return {};
    std::map<std::pair<std::int64_t, std::int64_t>, LodBucket> merged;
    for (const LodBucket& b : buckets)
        merged[{b.trackId, b.startNs}] = b;
    for (const SpanRecord& s : spans) {
        const std::int64_t begin = std::max(s.startNs, std::max<std::int64_t>(fromNs, 0)) / widthNs * widthNs;
        const std::int64_t end = std::min(s.startNs + s.durNs, toNs);
        for (std::int64_t at = begin; at < end; at += widthNs) {
            LodBucket& b = merged[{s.trackId, at}];
            const std::int64_t inside = std::min(at + widthNs, s.startNs + s.durNs) - std::max(at, s.startNs);
            if (inside > b.busyNs) {
                b.topStepId = s.stepId;
                b.topCategory = s.category;
            }
            b = {s.trackId, at, widthNs, std::min(widthNs, b.busyNs + inside), b.spans + 1, b.topStepId, b.topCategory};
        }
    }
    buckets.clear();
    for (auto& [key, bucket] : merged)
        buckets.push_back(std::move(bucket));
    return {};
}

Result<std::vector<CounterPoint>> FileReader::counters(std::int64_t trackId, std::int64_t fromNs, std::int64_t toNs, std::size_t limit) {
    const auto make = [](SQLite::Statement& s) { return CounterPoint{s.getColumn(0).getInt64(), s.getColumn(1).getInt64(), s.getColumn(2).getDouble()}; };
    return collect<CounterPoint>("SELECT track_id, ts_ns, value FROM counter WHERE track_id = ? AND ts_ns >= ? AND ts_ns < ? ORDER BY ts_ns LIMIT ?", make,
                                 trackId, fromNs, toNs, asLimit(limit));
}

Result<std::pair<std::int64_t, std::int64_t>> FileReader::extent(std::int64_t runId) {
    const auto make = [](SQLite::Statement& s) { return std::pair(s.getColumn(0).getInt64(), s.getColumn(1).getInt64()); };
    HS_TRY(const auto rows,
           (collect<std::pair<std::int64_t, std::int64_t>>(
               "SELECT COALESCE(MIN(a), 0), COALESCE(MAX(b), 0) FROM (SELECT first_ns AS a, last_ns AS b FROM track WHERE run_id = ?1"
               " UNION ALL SELECT (SELECT MIN(ts_ns) FROM counter WHERE track_id = t.id), (SELECT MAX(ts_ns) FROM counter WHERE track_id = t.id)"
               " FROM track t WHERE t.run_id = ?1 AND t.kind IN ('counter', 'memory'))",
               make, runId)));
    return rows.front();
}

}  // namespace hs::store
