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
    void setProgress(double fraction, const QString& what);  ///< Negative: busy without a known end.
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
    QLabel* m_latency;
    double m_predictedNs;
    double m_medianNs;
};

}  // namespace hs::ui
