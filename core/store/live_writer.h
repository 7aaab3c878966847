// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "core/store/detail_policy.h"
#include "core/store/record_sink.h"
#include "core/store/session_writer.h"

namespace hs::store {

/// The writer of one run: a thread that moves events from the recorder's rings to a queue of its own, inserts them in
/// chunks and commits. Rings are emptied between chunks, so that a slow disk fills the queue and not the rings.
class LiveWriter final : public SessionWriter {
public:
    /// Takes a database with an open transaction that holds the run's description.
    LiveWriter(std::string path, std::unique_ptr<SQLite::Database> db, RunIds ids, Recorder& recorder, std::uint64_t originTick, WriterOptions options);
    ~LiveWriter() override;
    /// Commits the description and starts the thread.
    Status start();

    std::int64_t runId() const override { return m_ids.run; }
    void message(std::string severity, std::string text) override;
    Status status() const override;
    void setKernels(std::vector<std::pair<std::uint32_t, std::string>> kernels) override;
    Status finish(const std::string& status, const std::string& message, const std::string& resultJson) override;

private:
    struct Message {
        std::uint64_t tick = 0;
        std::string severity, text;
    };

    void loop();
    /// Empties the rings into the queue; the fullness of the fullest one before that, in [0, 1].
    double drainRings();
    void wait(double pressure);
    /// After a failed write: nothing may pile up in memory.
    void discard();
    bool commitDue() const;
    /// Runs `work` unless an earlier write failed; remembers the first failure.
    template <class F>
    void attempt(F&& work);
    void fail(Error error);

    void insertChunk(std::size_t limit);
    void begin();
    void commit(bool last);
    void writeMessages();
    void writeKernels();
    void writeRecording(bool last);
    void writeOutcome(const std::string& status, const std::string& message, const std::string& resultJson);
    std::uint64_t dropped() const { return m_recorder.dropped() + m_overflow; }

    const std::string m_path;
    std::unique_ptr<SQLite::Database> m_db;
    const RunIds m_ids;
    Recorder& m_recorder;
    const WriterOptions m_options;
    DetailPolicy m_policy;
    std::unique_ptr<RecordSink> m_sink;

    // Writer's thread (and finish(), after it has ended):
    std::vector<SpanEvent> m_queue;
    std::size_t m_queueHead = 0;
    std::uint64_t m_overflow = 0;  ///< Events that found the queue full: summarised, but without a row.
    bool m_inTransaction = true;
    std::int64_t m_lastCommitNs = 0, m_lastStatsNs = 0, m_statsCostNs = 0;
    std::int64_t m_waitNs = 2'000'000;
    std::int64_t m_cpuNs = 0;  ///< Processor time of the writer's thread so far.
    std::string m_recordingWritten;
    std::uint64_t m_droppedTold = 0;
    std::uint32_t m_everyTold = 1;

    // Shared:
    mutable std::mutex m_mutex;
    std::condition_variable m_wake;
    bool m_stop = false;
    std::vector<Message> m_messages;
    std::vector<std::pair<std::uint32_t, std::string>> m_kernels;
    std::unique_ptr<Error> m_error;
    std::atomic<bool> m_failed{false};
    bool m_finished = false;
    std::thread m_thread;
};

}  // namespace hs::store
