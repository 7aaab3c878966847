// SPDX-License-Identifier: Apache-2.0
#include "core/store/record_sink.h"

#include <algorithm>

#include "core/store/sqlite_util.h"

namespace hs::store {
namespace {

constexpr std::int64_t kBlockRows = 4096;
constexpr std::uint32_t kStepsAtOnce = 1024;

void orNull(SQLite::Statement& statement, int index, std::int64_t value, bool present) {
    if (present)
        statement.bind(index, value);
    else
        statement.bind(index);
}

}  // namespace

RecordSink::RecordSink(SQLite::Database& db, Recorder& recorder, const RunIds& ids, std::uint64_t originTick)
    : m_db(db),
      m_recorder(recorder),
      m_ids(ids),
      m_originTick(originTick),
      m_clock(TickClock::instance()),
      m_devices(ids.devices.size()),
      m_callsWritten(ids.steps.size()),
      m_busyNs(ids.devices.size()),
      m_samples(ids.steps.size()),
      m_lod(db, ids.run),
      m_insertSpan(db,
                   "INSERT INTO span_row(run_id, track_id, iteration, start_ns, dur_ns, category, name_id, step_id, bytes)"
                   " VALUES(?,?,?,?,?,?,?,?,?)"),
      m_insertBlock(db, "INSERT INTO span_block VALUES(?,?,?,?,?)"),
      m_insertTrack(db, "INSERT INTO track(run_id, device_id, kind, name, unit, peer_device_id) VALUES(?,?,?,?,?,?)"),
      m_updateTrack(db, "UPDATE track SET first_ns = ?, last_ns = ? WHERE id = ?"),
      m_insertMemory(db, "INSERT INTO memory_event VALUES(?,?,?,?,?,?,?)"),
      m_insertCounter(db, "INSERT INTO counter VALUES(?,?,?)"),
      m_upsertStat(db, "INSERT OR REPLACE INTO step_stat VALUES(?,?,?,?,?,?,?,?)"),
      m_upsertDevice(db, "INSERT OR REPLACE INTO device_usage VALUES(?,?,?,?,?,?)"),
      m_upsertTransfer(db, "INSERT OR REPLACE INTO transfer VALUES(?,?,?,?,?)") {
    m_insertSpan.bind(1, ids.run);
}

std::int64_t RecordSink::toRunNs(std::uint64_t tick) const {
    return tick > m_originTick ? m_clock.durationNs(tick - m_originTick) : 0;
}

void RecordSink::syncTracks() {
    const std::vector<TrackInfo> all = m_recorder.tracks();
    for (std::size_t i = m_tracks.size(); i < all.size(); ++i) {
        const TrackInfo& info = all[i];
        m_insertTrack.bind(1, m_ids.run);
        bindOptional(m_insertTrack, 2, m_ids.device(info.device));
        m_insertTrack.bind(3, std::string(trackKindName(info.kind)));
        m_insertTrack.bind(4, info.name);
        m_insertTrack.bind(5, info.unit);
        bindOptional(m_insertTrack, 6, m_ids.device(info.peer));
        runOnce(m_insertTrack);
        m_tracks.emplace_back();
        m_tracks.back().info = info;
        m_tracks.back().id = m_db.getLastInsertRowid();
    }
}

RecordSink::Track& RecordSink::track(std::uint16_t index) {
    if (index >= m_tracks.size()) syncTracks();
    // An event on a track that nobody registered is a programmer's error; give it a row rather than lose it.
    while (index >= m_tracks.size()) {
        m_recorder.addTrack(TrackKind::Thread, "unregistered", kHostDevice);
        syncTracks();
    }
    return m_tracks[index];
}

std::int64_t RecordSink::nameId(std::uint32_t name) {
    if (name == kNoName) return -1;
    if (name >= m_names.size()) m_names = m_recorder.names();
    if (name >= m_names.size()) return -1;
    m_nameIds.resize(m_names.size(), 0);
    if (m_names[name] == kIterationSpanName) m_iterationName = name;
    if (m_nameIds[name] == 0) {
        SQLite::Statement insert(m_db, "INSERT OR IGNORE INTO span_name(name) VALUES(?)");
        insert.bind(1, m_names[name]);
        insert.exec();
        SQLite::Statement select(m_db, "SELECT id FROM span_name WHERE name = ?");
        select.bind(1, m_names[name]);
        if (select.executeStep()) m_nameIds[name] = select.getColumn(0).getInt64();
    }
    return m_nameIds[name];
}

void RecordSink::span(const SpanEvent& event, bool keepRow) {
    Track& t = track(event.track);
    const std::int64_t start = toRunNs(event.startTick);
    const std::int64_t dur = std::max<std::int64_t>(toRunNs(event.endTick) - start, 0);
    const bool encloses = (event.flags & kSpanEncloses) != 0;
    const std::int64_t own = encloses ? std::max<std::int64_t>(dur - m_clock.durationNs(event.bytes), 0) : dur;

    if (t.firstNs < 0 || start < t.firstNs) t.firstNs = start;
    t.lastNs = std::max(t.lastNs, start + dur);
    t.changed = true;
    if (keepRow) insertSpanRow(event, t, start, dur);
    noteIteration(event, t, start, dur);
    if (event.iteration >= 0 && event.step != kNoStep) m_samples.add(event.step, own);
    if (event.category == SpanCategory::Copy) {
        ++t.copies;
        t.copyBytes += encloses ? 0 : static_cast<std::int64_t>(event.bytes);
        t.copyNs += dur;
        if (event.iteration >= 0) t.measuredCopyNs += dur;
    }
    // Waiting is not being busy, and API spans (whole iterations among them) lie around the work itself.
    if (event.category != SpanCategory::Wait && event.category != SpanCategory::Api) m_lod.add(event.track, start, dur, own, event.category, event.step);
}

void RecordSink::noteIteration(const SpanEvent& event, Track& t, std::int64_t startNs, std::int64_t durNs) {
    if (event.iteration < 0) return;
    m_lastIteration = std::max<std::int64_t>(m_lastIteration, event.iteration);
    if (event.step == kNoStep) {
        if (event.name != kNoName && event.name != m_iterationName && m_iterationName == kNoName) nameId(event.name);
        if (event.name != kNoName && event.name == m_iterationName) m_iterationNs += durNs;
        return;
    }
    if (m_firstStepNs < 0 || startNs < m_firstStepNs) m_firstStepNs = startNs;
    m_lastStepNs = std::max(m_lastStepNs, startNs + durNs);
    if (event.iteration > t.lastDetailed) {
        t.lastDetailed = event.iteration;
        m_detailedIterations = std::max(m_detailedIterations, ++t.detailedIterations);
    }
}

void RecordSink::insertSpanRow(const SpanEvent& event, const Track& t, std::int64_t startNs, std::int64_t durNs) {
    const std::int64_t step = event.step == kNoStep ? -1 : m_ids.step(event.step);
    const bool hasBytes = event.bytes != 0 && (event.flags & kSpanEncloses) == 0;
    m_insertSpan.bind(2, t.id);
    orNull(m_insertSpan, 3, event.iteration, event.iteration >= 0);
    m_insertSpan.bind(4, startNs);
    m_insertSpan.bind(5, durNs);
    m_insertSpan.bind(6, static_cast<int>(event.category));
    bindOptional(m_insertSpan, 7, nameId(event.name));
    bindOptional(m_insertSpan, 8, step);
    orNull(m_insertSpan, 9, static_cast<std::int64_t>(event.bytes), hasBytes);
    runOnce(m_insertSpan);
    ++m_rows;
    growBlock(m_db.getLastInsertRowid(), startNs, startNs + durNs);
}

void RecordSink::growBlock(std::int64_t id, std::int64_t startNs, std::int64_t endNs) {
    if (m_block.firstId >= 0 && (id != m_block.lastId + 1 || m_block.lastId - m_block.firstId + 1 >= kBlockRows)) writeBlock();
    if (m_block.firstId < 0) m_block = {id, id, startNs, endNs};
    m_block.lastId = id;
    m_block.minNs = std::min(m_block.minNs, startNs);
    m_block.maxNs = std::max(m_block.maxNs, endNs);
}

void RecordSink::writeBlock() {
    if (m_block.firstId < 0) return;
    m_insertBlock.bind(1, m_ids.run);
    m_insertBlock.bind(2, m_block.firstId);
    m_insertBlock.bind(3, m_block.lastId);
    m_insertBlock.bind(4, m_block.minNs);
    m_insertBlock.bind(5, m_block.maxNs);
    runOnce(m_insertBlock);
    m_block = {};
}

bool RecordSink::takeSlowEvents() {
    const std::size_t before = m_tracks.size();
    syncTracks();
    const std::vector<MemoryEvent> memory = m_recorder.takeMemory();
    for (const MemoryEvent& event : memory)
        insertMemory(event);
    const std::vector<CounterEvent> counters = m_recorder.takeCounters();
    for (const CounterEvent& event : counters) {
        m_insertCounter.bind(1, track(event.track).id);
        m_insertCounter.bind(2, toRunNs(event.tick));
        m_insertCounter.bind(3, event.value);
        runOnce(m_insertCounter);
    }
    return !memory.empty() || !counters.empty() || m_tracks.size() != before;
}

void RecordSink::insertMemory(const MemoryEvent& event) {
    const bool alloc = event.kind == MemoryKind::Alloc;
    const auto bytes = static_cast<std::int64_t>(event.bytes);
    if (event.device < m_devices.size()) {
        DeviceSums& d = m_devices[event.device];
        d.currentBytes += alloc ? bytes : -bytes;
        d.peakBytes = std::max(d.peakBytes, d.currentBytes);
    }
    const std::string* name = m_ids.valueName(event.value);
    m_insertMemory.bind(1, m_ids.run);
    bindOptional(m_insertMemory, 2, m_ids.device(event.device));
    m_insertMemory.bind(3, toRunNs(event.tick));
    m_insertMemory.bind(4, alloc ? "alloc" : "free");
    m_insertMemory.bind(5, bytes);
    m_insertMemory.bind(6, event.buffer);
    if (name != nullptr)
        m_insertMemory.bind(7, *name);
    else
        m_insertMemory.bind(7);
    runOnce(m_insertMemory);
}

void RecordSink::flushSummaries() {
    writeBlock();
    std::vector<std::int64_t> trackIds;
    for (Track& t : m_tracks) {
        trackIds.push_back(t.id);
        if (!t.changed) continue;
        m_updateTrack.bind(1, t.firstNs);
        m_updateTrack.bind(2, t.lastNs);
        m_updateTrack.bind(3, t.id);
        runOnce(m_updateTrack);
        t.changed = false;
    }
    m_lod.flush(trackIds, m_ids.steps);
}

void RecordSink::flushStats(bool all, const std::function<void()>& between) {
    flushStepStats(all, between);
    flushDevices();
}

void RecordSink::flushStepStats(bool all, const std::function<void()>& between) {
    std::fill(m_busyNs.begin(), m_busyNs.end(), 0);
    const std::vector<ThreadRecorder*> threads = m_recorder.threads();
    for (std::uint32_t step = 0; step < m_ids.steps.size(); ++step) {
        if (step % kStepsAtOnce == kStepsAtOnce - 1) between();
        StepStat sum;
        for (const ThreadRecorder* thread : threads) {
            const StepStat s = thread->stat(step);
            sum.calls += s.calls;
            sum.total += s.total;
            sum.min = std::min(sum.min, s.min);
            sum.max = std::max(sum.max, s.max);
        }
        const std::uint32_t device = m_ids.stepDevices[step];
        if (device < m_busyNs.size()) m_busyNs[device] += m_clock.durationNs(sum.total);
        if (m_ids.steps[step] < 0 || (sum.calls == m_callsWritten[step] && !(all && sum.calls > 0))) continue;
        m_callsWritten[step] = sum.calls;
        const bool none = sum.calls == 0;  // after warm-up the statistics start anew
        m_upsertStat.bind(1, m_ids.steps[step]);
        m_upsertStat.bind(2, m_ids.run);
        m_upsertStat.bind(3, static_cast<std::int64_t>(sum.calls));
        m_upsertStat.bind(4, m_clock.durationNs(sum.total));
        m_upsertStat.bind(5, none ? std::int64_t{0} : m_clock.durationNs(sum.min));
        m_upsertStat.bind(6, m_clock.durationNs(sum.max));
        for (const auto& [index, p] : {std::pair{7, 0.5}, std::pair{8, 0.95}}) {
            if (m_samples.empty(step))
                m_upsertStat.bind(index);
            else
                m_upsertStat.bind(index, m_samples.percentile(step, p));
        }
        runOnce(m_upsertStat);
    }
}

std::int64_t RecordSink::extentNs() const {
    if (m_iterationNs > 0) return m_iterationNs;
    return m_firstStepNs < 0 ? 0 : m_lastStepNs - m_firstStepNs;
}

void RecordSink::flushDevices() {
    std::vector<std::int64_t> copyNs(m_devices.size());
    for (const Track& t : m_tracks) {
        if (t.copies == 0) continue;
        for (const std::uint16_t side : {t.info.device, t.info.peer})
            if (side < copyNs.size()) copyNs[side] += t.measuredCopyNs;
        m_upsertTransfer.bind(1, t.id);
        m_upsertTransfer.bind(2, m_ids.run);
        m_upsertTransfer.bind(3, t.copies);
        m_upsertTransfer.bind(4, t.copyBytes);
        m_upsertTransfer.bind(5, t.copyNs);
        runOnce(m_upsertTransfer);
    }
    for (std::size_t d = 0; d < m_devices.size(); ++d) {
        m_upsertDevice.bind(1, m_ids.devices[d]);
        m_upsertDevice.bind(2, m_ids.run);
        m_upsertDevice.bind(3, extentNs());
        m_upsertDevice.bind(4, m_busyNs[d]);
        m_upsertDevice.bind(5, copyNs[d]);
        m_upsertDevice.bind(6, m_devices[d].peakBytes);
        runOnce(m_upsertDevice);
    }
}

}  // namespace hs::store
