// SPDX-License-Identifier: Apache-2.0
#include "core/store/live_writer.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <nlohmann/json.hpp>

#include "core/store/process_mark.h"
#include "core/store/schema.h"
#include "core/store/sqlite_util.h"
#include "core/trace/thread_priority.h"

namespace hs::store {
namespace {

constexpr std::size_t kQueueEvents = std::size_t{1} << 20;  // 40 MiB when it fills up: only what finds it full is dropped
constexpr double kBacklogEvents = 200'000;                  // about half a second of writing: at half of it, fewer iterations are kept
constexpr std::size_t kChunkRows = 4096;                    // some 5 ms of writing between two looks at the rings
constexpr std::int64_t kMinWaitNs = 1'000'000;
constexpr std::int64_t kMaxWaitNs = 50'000'000;
constexpr std::int64_t kStatsEveryNs = 500'000'000;

}  // namespace

LiveWriter::LiveWriter(std::string path, std::unique_ptr<SQLite::Database> db, RunIds ids, Recorder& recorder, std::uint64_t originTick, WriterOptions options)
    : m_path(std::move(path)),
      m_db(std::move(db)),
      m_ids(std::move(ids)),
      m_recorder(recorder),
      m_options(options),
      m_policy(recorder, options.detailBudget, options.expectedSpans),
      m_sink(std::make_unique<RecordSink>(*m_db, recorder, m_ids, originTick)) {
    m_queue.reserve(kQueueEvents / 8);
}

Status LiveWriter::start() {
    HS_CHECK(guarded(m_path, [&]() -> Status {
        m_db->exec("COMMIT");
        return {};
    }));
    m_inTransaction = false;
    m_thread = std::thread([this] { loop(); });
    return {};
}

LiveWriter::~LiveWriter() {
    if (m_thread.joinable() || !m_finished) static_cast<void>(finish("failed", "the run ended without a result", ""));
}

void LiveWriter::message(std::string severity, std::string text) {
    const std::lock_guard lock(m_mutex);
    m_messages.push_back({ticks(), std::move(severity), std::move(text)});
}

Status LiveWriter::status() const {
    const std::lock_guard lock(m_mutex);
    if (m_error != nullptr) return tl::unexpected<Error>(*m_error);
    return {};
}

void LiveWriter::setKernels(std::vector<std::pair<std::uint32_t, std::string>> kernels) {
    const std::lock_guard lock(m_mutex);
    m_kernels.insert(m_kernels.end(), std::make_move_iterator(kernels.begin()), std::make_move_iterator(kernels.end()));
}

template <class F>
void LiveWriter::attempt(F&& work) {
    if (m_failed.load(std::memory_order_relaxed)) return;
    try {
        work();
    } catch (const SQLite::Exception& e) {
        fail(sqliteError(m_path, e));
    } catch (const std::exception& e) {  // bad_alloc: the run must not die of its recording
        fail(Error{ErrorCode::OutOfMemory, e.what(), m_path});
    }
}

void LiveWriter::fail(Error error) {
    {
        const std::lock_guard lock(m_mutex);
        if (m_error == nullptr) m_error = std::make_unique<Error>(std::move(error));
    }
    m_failed.store(true, std::memory_order_relaxed);
    m_policy.giveUp();
    if (!m_inTransaction) return;
    try {
        m_db->exec("ROLLBACK");
    } catch (const SQLite::Exception&) {  // SQLite has rolled back by itself
    }
    m_inTransaction = false;
}

void LiveWriter::loop() {
    lowerThreadPriority();
    m_lastCommitNs = m_lastStatsNs = steadyNs();
    for (;;) {
        const double pressure = drainRings();
        const double backlog = static_cast<double>(m_queue.size() - m_queueHead) / kBacklogEvents;
        m_policy.onPressure(std::max(pressure, backlog), steadyNs());
        attempt([&] {
            insertChunk(kChunkRows);
            if (commitDue()) commit(false);
        });
        m_cpuNs = threadCpuNs();
        if (m_queueHead == m_queue.size()) wait(pressure);
        const std::lock_guard lock(m_mutex);
        if (m_stop) return;
    }
}

double LiveWriter::drainRings() {
    double fullest = 0;
    const bool failed = m_failed.load(std::memory_order_relaxed);
    if (failed) discard();
    if (m_queueHead == m_queue.size() || m_queueHead > kQueueEvents / 4) {
        m_queue.erase(m_queue.begin(), m_queue.begin() + static_cast<std::ptrdiff_t>(m_queueHead));
        m_queueHead = 0;
    }
    for (ThreadRecorder* thread : m_recorder.threads()) {
        auto& ring = thread->ring();
        const std::size_t count = ring.drain([&](const SpanEvent& event) {
            if (failed || event.iteration == kDiscarded) return;
            if (m_queue.size() < kQueueEvents) {
                m_queue.push_back(event);
                return;
            }
            ++m_overflow;
            attempt([&] {
                begin();
                m_sink->span(event, false);
            });
        });
        fullest = std::max(fullest, static_cast<double>(count) / static_cast<double>(ring.capacity()));
    }
    return fullest;
}

void LiveWriter::discard() {
    m_queueHead = m_queue.size();
    static_cast<void>(m_recorder.takeMemory());
    static_cast<void>(m_recorder.takeCounters());
    const std::lock_guard lock(m_mutex);
    m_messages.clear();
    m_kernels.clear();
}

void LiveWriter::wait(double pressure) {
    // Aim at rings that are a quarter full when they are looked at; never longer than 50 ms.
    const double wanted = pressure > 0 ? static_cast<double>(m_waitNs) * 0.25 / pressure : static_cast<double>(kMaxWaitNs);
    const auto grown = static_cast<double>(m_waitNs) * 1.5;
    m_waitNs = static_cast<std::int64_t>(std::clamp(std::min(wanted, grown), static_cast<double>(kMinWaitNs), static_cast<double>(kMaxWaitNs)));
    std::unique_lock lock(m_mutex);
    m_wake.wait_for(lock, std::chrono::nanoseconds(m_waitNs), [this] { return m_stop; });
}

bool LiveWriter::commitDue() const {
    return steadyNs() - m_lastCommitNs >= m_options.flushEveryMs * 1'000'000;
}

void LiveWriter::begin() {
    if (m_inTransaction) return;
    m_db->exec("BEGIN IMMEDIATE");
    m_inTransaction = true;
}

void LiveWriter::insertChunk(std::size_t limit) {
    const std::size_t end = std::min(m_queue.size(), m_queueHead + limit);
    if (m_queueHead == end) return;
    begin();
    for (; m_queueHead < end; ++m_queueHead) {
        const SpanEvent& event = m_queue[m_queueHead];
        const bool isThinned = m_policy.thinsOut(event, m_sink->rows());
        const bool keep = !isThinned && m_sink->rows() < m_policy.hardLimit();
        m_overflow += keep || isThinned ? 0 : 1;
        m_sink->span(event, keep);
    }
    m_policy.onRows(m_sink->rows());
}

void LiveWriter::commit(bool last) {
    begin();
    m_sink->takeSlowEvents();
    const std::int64_t now = steadyNs();
    // Never more than a tenth of the time for statistics, whatever the number of steps.
    if (last || now - m_lastStatsNs >= std::max(kStatsEveryNs, 10 * m_statsCostNs)) {
        m_sink->flushStats(last, [this] { drainRings(); });
        m_lastStatsNs = steadyNs();
        m_statsCostNs = m_lastStatsNs - now;
    }
    m_sink->flushSummaries();
    writeKernels();
    writeRecording(last);
    writeMessages();
    m_db->exec("COMMIT");
    m_inTransaction = false;
    m_lastCommitNs = steadyNs();
}

void LiveWriter::writeMessages() {
    std::vector<Message> messages;
    {
        const std::lock_guard lock(m_mutex);
        messages.swap(m_messages);
    }
    SQLite::Statement insert(*m_db, "INSERT INTO message VALUES(?,?,?,?)");
    for (const Message& m : messages) {
        insert.bind(1, m_ids.run);
        insert.bind(2, m_sink->toRunNs(m.tick));
        insert.bind(3, m.severity);
        insert.bind(4, m.text);
        runOnce(insert);
    }
}

void LiveWriter::writeKernels() {
    std::vector<std::pair<std::uint32_t, std::string>> kernels;
    {
        const std::lock_guard lock(m_mutex);
        kernels.swap(m_kernels);
    }
    if (kernels.empty()) return;
    SQLite::Statement update(*m_db, "UPDATE step SET kernel = ? WHERE id = ?");
    for (const auto& [step, kernel] : kernels) {
        update.bind(1, kernel);
        update.bind(2, m_ids.step(step));
        runOnce(update);
    }
}

void LiveWriter::writeRecording(bool last) {
    const std::uint64_t lost = dropped();
    const std::uint32_t every = m_recorder.detailEvery();
    if (every > m_everyTold) {
        message("info", fmt::format("only every {}th iteration is kept in detail from here on; statistics stay exact", every));
        m_everyTold = every;
    }
    if (lost > 0 && (m_droppedTold == 0 || (last && lost != m_droppedTold))) {
        message("warning", fmt::format("{} spans came faster than they could be written and are missing from the timeline{}; statistics stay exact", lost,
                                       last ? "" : " so far"));
        m_droppedTold = lost;
    }
    const nlohmann::ordered_json json = {{"mode", every == 1 && lost == 0 ? "full" : "sampled"},
                                         {"detail_every", every},
                                         {"spans", m_sink->rows()},
                                         {"dropped", lost},
                                         {"iterations", m_sink->iterations()},
                                         {"detailed_iterations", m_sink->detailedIterations()},
                                         {"writer_cpu_ms", m_cpuNs / 1'000'000}};
    std::string text = json.dump();
    if (text == m_recordingWritten) return;
    SQLite::Statement update(*m_db, "UPDATE run SET recording_json = ? WHERE id = ?");
    update.bind(1, text);
    update.bind(2, m_ids.run);
    update.exec();
    m_recordingWritten = std::move(text);
}

void LiveWriter::writeOutcome(const std::string& status, const std::string& message, const std::string& resultJson) {
    SQLite::Statement update(*m_db, "UPDATE run SET status = ?, message = ?, result_json = ?, finished_at = ? WHERE id = ?");
    update.bind(1, status);
    update.bind(2, message);
    update.bind(3, resultJson);
    update.bind(4, utcNow());
    update.bind(5, m_ids.run);
    update.exec();
}

Status LiveWriter::finish(const std::string& status, const std::string& message, const std::string& resultJson) {
    if (m_finished) return hs::fail(ErrorCode::Internal, m_path, "the run has already been finished");
    if (status != "finished" && status != "failed" && status != "cancelled")
        return hs::fail(ErrorCode::Internal, m_path, "a run cannot end with status '{}'", status);
    m_finished = true;
    {
        const std::lock_guard lock(m_mutex);
        m_stop = true;
    }
    m_wake.notify_all();
    if (m_thread.joinable()) m_thread.join();

    while (drainRings() > 0 || m_queueHead < m_queue.size()) {
        attempt([&] { insertChunk(m_queue.size()); });
        if (m_failed.load()) break;
    }
    attempt([&] { commit(true); });
    const Status recorded = this->status();
    // Even after a failed write the outcome is worth a try: it needs next to no space.
    const Status outcome = guarded(m_path, [&]() -> Status {
        if (m_options.maxFileBytes > 0) m_db->execAndGet("PRAGMA max_page_count = 1073741823");
        writeOutcome(status, recorded ? message : message + (message.empty() ? "" : "; ") + "recording stopped: " + recorded.error().message, resultJson);
        if (recorded) m_db->exec(std::string(createSpanIndexesSql()));
        m_db->exec("PRAGMA optimize");
        m_db->setBusyTimeout(200);  // a reader in the middle of a long query keeps the -wal file: not worth waiting for
        m_db->execAndGet("PRAGMA wal_checkpoint(TRUNCATE)");
        return {};
    });
    m_sink.reset();
    m_db.reset();
    return recorded ? outcome : recorded;
}

}  // namespace hs::store
