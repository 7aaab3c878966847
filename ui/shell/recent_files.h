// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>

namespace hs::ui {

/// The files that were opened last, newest first; kept in the settings. Files that are gone are left out.
class RecentFiles : public QObject {
    Q_OBJECT
public:
    explicit RecentFiles(QObject* parent = nullptr);
    QStringList files() const;
    void add(const QString& path);
    void clear();

signals:
    void changed();

private:
    QStringList m_files;
};

}  // namespace hs::ui
