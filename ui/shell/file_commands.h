// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

#include "core/base/result.h"

namespace hs::ui {

class MainWindow;
class StartPage;

/// Open, save, export and the zoo: the commands that touch files.
class FileCommands : public QObject {
    Q_OBJECT
public:
    FileCommands(MainWindow* window, StartPage* start);

    /// Copies a session with what its writer has not merged into the file yet.
    static Status copySession(const QString& from, const QString& to);
    static Status writeFile(const QString& path, const QByteArray& data);

private:
    void open();
    void saveSession();
    void exportTable();
    void savePicture();
    void openZoo(const QString& name);
    void report(const Status& status, const QString& path);
    QString suggested(const QString& suffix) const;

    MainWindow* m_window;
    StartPage* m_start;
};

}  // namespace hs::ui
