// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QObject>
#include <QString>
#include <QThread>
#include <QTimer>
#include <QVector>
#include <atomic>
#include <memory>
#include <vector>

#include "core/base/reason.h"
#include "core/base/result.h"
#include "core/graph/model.h"
#include "core/graph/op_registry.h"
#include "core/store/session_reader.h"

namespace hs::ui {

/// Where a node runs in the current run, and why. By NodeId index.
struct NodePlacement {
    QString device;        ///< Empty: folded, eliminated or unknown.
    int deviceIndex = -1;  ///< Order of appearance among the run's devices; the colour everywhere.
    QString executor, requestedDevice, outcome;
    Reason reason;
    QString reasonText;  ///< English wording as stored, for codes that this version does not know.
};

/// What is fixed about a run from its start. Immutable, shared between views and threads.
struct RunSnapshot {
    qint64 runId = -1;
    std::vector<NodeRecord> nodes;      ///< By NodeId index; `id` 0 where the session has none.
    QVector<NodePlacement> placement;   ///< By NodeId index.
    std::vector<DeviceRecord> devices;  ///< Order of appearance.
    std::vector<StepRecord> steps;
    std::vector<PlannedSlotRecord> plannedSlots;
    QHash<qint64, quint32> nodeIndexByRow;  ///< Row id of a node to its NodeId index.
};

/// What grows while a run goes on. Immutable; a newer one replaces it.
struct RunStats {
    RunInfo info;
    std::vector<OpStat> ops;  ///< By NodeId index; `calls` 0 where nothing was measured.
    std::vector<DeviceStat> devices;
    std::vector<TrackRecord> tracks;
    std::vector<MemoryRecord> memory;
    std::vector<MessageRecord> messages;
    struct CounterSeries {
        TrackRecord track;
        std::vector<CounterPoint> points;
    };
    std::vector<CounterSeries> counters;
    qint64 firstNs = 0, lastNs = 0;
};

class DocumentWorker;

/// What opening a file is busy with.
enum class LoadStage { Reading, InferringShapes };

/// The open model and session of a window. Imports, infers and reads on a thread of its own; everything handed out is an
/// immutable snapshot. All public functions are for the UI thread and return at once.
class Document : public QObject {
    Q_OBJECT
public:
    explicit Document(QObject* parent = nullptr);
    ~Document() override;

    /// Opens an ONNX model, or a session (told by content). A session brings its model along where the file still is.
    void open(const QString& path);
    /// Shows a session of the open model, also one that is only now being written: waits for the file to appear and
    /// follows the newest run in it until selectRun().
    void attachSession(const QString& path);
    void selectRun(qint64 runId);
    /// Reads what was committed since the last time; `runnerEnded` also ends the waiting for a file or a run to appear.
    void refresh(bool runnerEnded = false);
    void close();
    /// Gives up on an open() that is under way: what it brings later is dropped. Nothing is open afterwards but what was shown already.
    void cancelOpening();

    ModelPtr model() const { return m_model; }
    std::shared_ptr<const TypeTable> types() const { return m_types; }
    QString modelPath() const { return m_modelPath; }
    QString sessionPath() const { return m_sessionPath; }
    QString displayName() const;
    double importMs() const { return m_importMs; }

    const std::vector<RunInfo>& runs() const { return *m_runs; }
    qint64 currentRun() const { return m_run->runId; }
    /// Never null; empty without a run.
    std::shared_ptr<const RunSnapshot> run() const { return m_run; }
    std::shared_ptr<const RunStats> stats() const { return m_stats; }
    bool hasRun() const { return m_run->runId >= 0; }
    bool loading() const { return m_loading; }
    bool running() const { return m_stats->info.status == "running"; }
    /// Mean time per call of every node in ns; NaN where nothing was measured. Empty without a run.
    QVector<double> nodeTimes() const;

signals:
    void modelChanged();    ///< model() and types() are another one, or gone.
    void sessionChanged();  ///< sessionPath() is another one.
    void runsChanged();     ///< The list of runs grew or a status changed.
    void runChanged();      ///< run() is another one (and stats() with it).
    void stepsChanged();    ///< The same run, of which more is known now: the kernels that its steps got.
    void statsChanged();    ///< stats() has more in it.
    void loadingChanged();
    void loadingProgress(hs::ui::LoadStage stage, const QString& file);
    void openingCancelled();
    void failed(const hs::Error& error);
    void notice(const QString& text);  ///< Worth a line in the log: model file gone, changed …

private:
    friend class DocumentWorker;
    struct ModelResult {
        QString path;
        ModelPtr model;
        std::shared_ptr<const TypeTable> types;
        double importMs = 0;
    };
    struct SessionResult {
        QString path;
        std::shared_ptr<const std::vector<RunInfo>> runs;
        std::shared_ptr<const RunSnapshot> run;  ///< Null: unchanged.
        std::shared_ptr<const RunStats> stats;   ///< Null: unchanged.
        bool live = false;                       ///< Worth polling on.
        qint64 tookMs = 0;
    };
    void takeModel(int ticket, const ModelResult& result);
    void takeSession(int ticket, const SessionResult& result);
    void takeError(int ticket, const Error& error);
    void setLoading(bool loading);
    void resetRun();
    void schedulePoll(qint64 tookMs);

    QThread m_thread;
    DocumentWorker* m_worker = nullptr;
    QTimer m_poll;
    bool m_waiting = false;      ///< For a runner to write.
    bool m_runnerEnded = false;  ///< A run that still says "running" was interrupted.
    int m_idlePolls = 0;
    bool m_follow = false;          ///< Show the newest run.
    std::atomic<int> m_ticket = 0;  ///< Answers to older requests are dropped. The worker looks at it to skip them.
    bool m_loading = false;
    QString m_modelPath, m_sessionPath;
    ModelPtr m_model;
    std::shared_ptr<const TypeTable> m_types;
    double m_importMs = 0;
    std::shared_ptr<const std::vector<RunInfo>> m_runs;
    std::shared_ptr<const RunSnapshot> m_run;
    std::shared_ptr<const RunStats> m_stats;
};

}  // namespace hs::ui

Q_DECLARE_METATYPE(hs::Error)
