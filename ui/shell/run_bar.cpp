// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/run_bar.h"

#include <QEvent>
#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QSettings>
#include <QSpinBox>
#include <QToolButton>
#include <cmath>
#include <limits>

#include "ui/models/device_catalog.h"
#include "ui/models/icon.h"
#include "ui/models/theme.h"
#include "ui/shell/action_set.h"

namespace hs::ui {

RunBar::RunBar(const ActionSet& actions, DeviceCatalog* catalog, QWidget* parent)
    : QToolBar(parent),
      m_catalog(catalog),
      m_devices(new QToolButton(this)),
      m_menu(new QMenu(this)),
      m_progress(new QProgressBar(this)),
      m_latency(new QLabel(this)),
      m_predictedNs(std::numeric_limits<double>::quiet_NaN()),
      m_medianNs(std::numeric_limits<double>::quiet_NaN()) {
    setObjectName(QStringLiteral("runBar"));
    setMovable(false);
    setIconSize(QSize(16, 16));
    setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    addAction(actions[ActionId::Open]);
    addSeparator();
    m_devices->setIcon(icon(QStringLiteral("devices")));
    m_devices->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_devices->setPopupMode(QToolButton::InstantPopup);
    m_devices->setMenu(m_menu);
    addWidget(m_devices);
    m_runs = addSpin(1, 1'000'000, 10, QStringLiteral("run/runs"));
    m_warmup = addSpin(0, 1'000'000, 2, QStringLiteral("run/warmup"));
    m_batch = addSpin(0, 65'536, 0, QStringLiteral("run/batch"));
    m_threads = addSpin(0, 1024, 0, QStringLiteral("run/threads"));
    addSeparator();
    addAction(actions[ActionId::Run]);
    addAction(actions[ActionId::Stop]);
    m_progress->setMaximumWidth(160);
    m_progress->setMinimumWidth(120);
    m_progress->setTextVisible(true);
    m_progressAction = addWidget(m_progress);
    m_progressAction->setVisible(false);
    auto* gap = new QWidget(this);
    gap->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    addWidget(gap);
    m_latency->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_latency->setTextFormat(Qt::RichText);
    m_latency->setContentsMargins(8, 0, 8, 0);
    addWidget(m_latency);
    m_chosen = QSettings().value(QStringLiteral("run/devices")).toStringList();
    connect(catalog, &DeviceCatalog::changed, this, &RunBar::fillDevices);
    retranslate();
}

QSpinBox* RunBar::addSpin(int low, int high, int value, const QString& key) {
    auto* spin = new QSpinBox(this);
    spin->setRange(low, high);
    spin->setValue(QSettings().value(key, value).toInt());
    spin->setGroupSeparatorShown(true);
    connect(spin, &QSpinBox::valueChanged, this, [key](int now) { QSettings().setValue(key, now); });
    addWidget(spin);
    return spin;
}

void RunBar::retranslate() {
    setWindowTitle(tr("Run"));
    const auto name = [](QSpinBox* spin, const QString& prefix, const QString& tip) {
        spin->setPrefix(prefix + u' ');
        spin->setToolTip(tip);
        spin->setAccessibleName(tip);
    };
    name(m_runs, tr("Runs"), tr("How many measured runs"));
    name(m_warmup, tr("Warm-up"), tr("How many runs before measuring"));
    name(m_batch, tr("Batch"), tr("Size of the symbolic batch dimension; auto leaves it to the model"));
    name(m_threads, tr("Threads"), tr("Threads of the processor; auto uses all cores"));
    // The special text stands for the whole field, prefix included.
    m_batch->setSpecialValueText(tr("Batch auto"));
    m_threads->setSpecialValueText(tr("Threads auto"));
    // Wide enough for the words and the usual numbers; the largest ones would widen every field.
    for (QSpinBox* spin : {m_runs, m_warmup, m_batch, m_threads})
        spin->setFixedWidth(fontMetrics().horizontalAdvance(std::max(spin->prefix() + QStringLiteral("00,000"), spin->specialValueText(),
                                                                     [](const QString& a, const QString& b) { return a.size() < b.size(); })) +
                            36);
    m_progress->setAccessibleName(tr("Progress"));
    m_devices->setToolTip(tr("Devices to run on"));
    m_devices->setAccessibleName(m_devices->toolTip());
    fillDevices();
    showProgress();
    setLatency(m_predictedNs, m_medianNs);
}

void RunBar::fillDevices() {
    m_menu->clear();
    QAction* automatic = m_menu->addAction(tr("Automatic: the best single device"));
    automatic->setCheckable(true);
    automatic->setChecked(m_chosen.isEmpty());
    connect(automatic, &QAction::triggered, this, [this] {
        m_chosen.clear();
        fillDevices();
    });
    m_menu->addSeparator();
    for (const DeviceCatalog::Device& device : m_catalog->devices()) {
        QAction* action = m_menu->addAction(QStringLiteral("%1 – %2").arg(device.id, device.name));
        action->setCheckable(true);
        action->setChecked(m_chosen.contains(device.id));
        connect(action, &QAction::toggled, this, [this, id = device.id](bool on) {
            m_chosen.removeAll(id);
            if (on) m_chosen.append(id);
            QMetaObject::invokeMethod(this, &RunBar::fillDevices, Qt::QueuedConnection);
        });
    }
    if (m_catalog->devices().isEmpty())
        m_menu->addAction(m_catalog->refreshing() ? tr("Looking for devices…") : tr("No device is known yet"))->setEnabled(false);
    showDevices();
}

void RunBar::showDevices() {
    m_devices->setText(m_chosen.isEmpty() ? tr("Auto device") : m_chosen.join(QStringLiteral(", ")));
    QSettings().setValue(QStringLiteral("run/devices"), m_chosen);
}

RunRequest RunBar::request() const {
    RunRequest out;
    out.devices = m_chosen;
    out.runs = m_runs->value();
    out.warmup = m_warmup->value();
    out.batch = m_batch->value();
    out.threads = m_threads->value();
    return out;
}

void RunBar::setProgress(Phase phase, qint64 done, qint64 total) {
    m_phase = phase;
    m_done = std::min(done, total);
    m_total = total;
    m_progressAction->setVisible(true);
    showProgress();
}

void RunBar::showProgress() {
    const bool counted = m_phase == Phase::Running && m_total > 0;
    m_progress->setRange(0, counted ? 1000 : 0);
    if (counted) m_progress->setValue(static_cast<int>(m_done * 1000 / m_total));
    QString what;
    switch (m_phase) {
        case Phase::Starting: what = tr("starting"); break;
        case Phase::Preparing: what = tr("preparing"); break;
        case Phase::Stopping: what = tr("stopping"); break;
        case Phase::Running: what = tr("run %1 of %2").arg(m_done).arg(m_total); break;
    }
    m_progress->setToolTip(what);
    m_progress->setFormat(what);
}

void RunBar::clearProgress() {
    m_progressAction->setVisible(false);
}

void RunBar::setLatency(double predictedNs, double medianNs) {
    m_predictedNs = predictedNs;
    m_medianNs = medianNs;
    QStringList words;
    if (predictedNs > 0) words << QStringLiteral("<i>%1</i>").arg(tr("predicted ~%1").arg(formatDuration(predictedNs)));
    if (!std::isnan(medianNs)) words << QStringLiteral("%1 <b>%2</b>").arg(tr("measured median"), formatDuration(medianNs));
    m_latency->setText(words.join(QStringLiteral(" → ")));
    m_latency->setToolTip(std::isnan(medianNs) ? QString() : exactDuration(medianNs));
}

QString RunBar::latencyText() const {
    return m_latency->text();
}

void RunBar::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QToolBar::changeEvent(event);
}

}  // namespace hs::ui
