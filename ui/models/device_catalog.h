// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPair>
#include <QString>
#include <QStringList>
#include <QVector>

#include "core/base/reason.h"

class QJsonObject;

namespace hs::ui {

/// What `hscope devices` reports. No device code runs inside the window: a driver that crashes takes the child only.
class DeviceCatalog : public QObject {
    Q_OBJECT
public:
    struct Device {
        QString id, name, plugin, kind;
        bool simulated = false;
        double memoryBytes = 0, peakGflops = 0, bandwidthGbps = 0;
        QStringList capabilities, executors;
        QVector<QPair<QString, QString>> properties;
    };
    struct Plugin {
        QString id, state, kind, version, file;
        Reason reason;
        QString reasonText;
    };
    using QObject::QObject;

    void refresh();
    bool refreshing() const { return m_refreshing; }
    const QVector<Device>& devices() const { return m_devices; }
    /// Every plugin with its state; those that are ready too where the runner lists them.
    const QVector<Plugin>& plugins() const { return m_plugins; }
    /// Why there is no answer; empty when there is one.
    QString problem() const { return m_problem; }

signals:
    void changed();

private:
    void take(const QJsonObject& answer);

    QVector<Device> m_devices;
    QVector<Plugin> m_plugins;
    QString m_problem;
    bool m_refreshing = false;
};

}  // namespace hs::ui
