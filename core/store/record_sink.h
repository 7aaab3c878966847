// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/base/clock.h"
#include "core/store/description_writer.h"
#include "core/store/lod_writer.h"
#include "core/store/step_stats.h"
#include "core/trace/recorder.h"

namespace hs::store {

/// Turns recorded events into rows of one run and keeps the sums that are written with them. Used by the writer's thread
/// only, inside its transactions; throws SQLite::Exception.
class RecordSink {
public:
    RecordSink(SQLite::Database& db, Recorder& recorder, const RunIds& ids, std::uint64_t originTick);

    /// Adds a span to the summaries and, with `keepRow`, to span_row.
    void span(const SpanEvent& event, bool keepRow);
    /// Writes new tracks, memory and counter events. True when there were any.
    bool takeSlowEvents();
    /// Writes what has come together since the last call: level-of-detail buckets, the block map, extents of tracks.
    void flushSummaries();
    /// Writes the statistics of the steps that ran since the last call (`all`: of every step), and of the devices.
    /// `between` is called every few milliseconds meanwhile: the rings must not fill up.
    void flushStats(bool all, const std::function<void()>& between);

    std::int64_t toRunNs(std::uint64_t tick) const;
    std::uint64_t rows() const { return m_rows; }
    /// Iterations of the measured loop with step spans kept, and the number begun as far as spans tell.
    std::int64_t detailedIterations() const { return m_detailedIterations; }
    std::int64_t iterations() const { return m_lastIteration + 1; }

private:
    struct Track {
        TrackInfo info;
        std::int64_t id = 0;
        std::int64_t firstNs = -1, lastNs = -1;
        bool changed = false;
        std::int64_t copies = 0, copyBytes = 0, copyNs = 0;
        std::int64_t measuredCopyNs = 0;
        std::int32_t lastDetailed = -1;
        std::int64_t detailedIterations = 0;
    };
    struct DeviceSums {
        std::int64_t currentBytes = 0, peakBytes = 0;
    };
    struct Block {
        std::int64_t firstId = -1, lastId = -1, minNs = 0, maxNs = 0;
    };

    Track& track(std::uint16_t index);
    void syncTracks();
    std::int64_t nameId(std::uint32_t name);
    void insertSpanRow(const SpanEvent& event, const Track& track, std::int64_t startNs, std::int64_t durNs);
    void noteIteration(const SpanEvent& event, Track& track, std::int64_t startNs, std::int64_t durNs);
    void growBlock(std::int64_t id, std::int64_t startNs, std::int64_t endNs);
    void writeBlock();
    void insertMemory(const MemoryEvent& event);
    void flushStepStats(bool all, const std::function<void()>& between);
    void flushDevices();
    std::int64_t extentNs() const;

    SQLite::Database& m_db;
    Recorder& m_recorder;
    const RunIds& m_ids;
    std::uint64_t m_originTick;
    const TickClock& m_clock;

    std::vector<Track> m_tracks;
    std::vector<std::string> m_names;
    std::vector<std::int64_t> m_nameIds;  // 0: not yet in the file
    std::vector<DeviceSums> m_devices;
    std::vector<std::uint64_t> m_callsWritten;  // by step: what the file says
    std::vector<std::int64_t> m_busyNs;         // by device
    DurationSamples m_samples;
    LodWriter m_lod;
    Block m_block;
    std::uint64_t m_rows = 0;
    std::int64_t m_detailedIterations = 0;
    std::int64_t m_lastIteration = -1;
    std::uint32_t m_iterationName = kNoName;
    std::int64_t m_iterationNs = 0;                      // sum of the iteration spans
    std::int64_t m_firstStepNs = -1, m_lastStepNs = -1;  // of measured iterations, where no iteration spans were recorded

    SQLite::Statement m_insertSpan, m_insertBlock, m_insertTrack, m_updateTrack, m_insertMemory, m_insertCounter, m_upsertStat, m_upsertDevice,
        m_upsertTransfer;
};

}  // namespace hs::store
