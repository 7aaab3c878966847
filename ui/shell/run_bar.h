// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QToolBar>

#include "ui/shell/runner_process.h"

class QLabel;
class QMenu;
class QProgressBar;
class QSpinBox;
class QToolButton;

namespace hs::ui {

class ActionSet;
class DeviceCatalog;

/// The toolbar: open, target devices, how often and how large, run and stop, progress, and what was measured.
class RunBar : public QToolBar {
    Q_OBJECT
public:
    RunBar(const ActionSet& actions, DeviceCatalog* catalog, QWidget* parent = nullptr);
    /// Devices and counts as chosen now; model and session are the caller's.
    RunRequest request() const;
    enum class Phase { Starting, Preparing, Running, Stopping };
    /// `done` of `total` measured runs; they count in Phase::Running only.
    void setProgress(Phase phase, qint64 done = 0, qint64 total = 0);
    void clearProgress();
    /// Estimated and measured time of one inference in ns; NaN: unknown.
    void setLatency(double predictedNs, double medianNs);
    QString latencyText() const;
    QSpinBox* runs() const { return m_runs; }

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();
    void fillDevices();
    void showDevices();
    void showProgress();
    QSpinBox* addSpin(int low, int high, int value, const QString& key);

    DeviceCatalog* m_catalog;
    QToolButton* m_devices;
    QMenu* m_menu;
    QStringList m_chosen;  ///< Empty: automatic.
    QSpinBox* m_runs;
    QSpinBox* m_warmup;
    QSpinBox* m_batch;
    QSpinBox* m_threads;
    QProgressBar* m_progress;
    QAction* m_progressAction = nullptr;
    Phase m_phase = Phase::Starting;
    qint64 m_done = 0, m_total = 0;
    QLabel* m_latency;
    double m_predictedNs;
    double m_medianNs;
};

}  // namespace hs::ui
