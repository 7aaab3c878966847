// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/file_commands.h"

#include <QBuffer>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QSaveFile>
#include <QSettings>

#include "ui/models/runner_tool.h"
#include "ui/shell/banner.h"
#include "ui/shell/central_tabs.h"
#include "ui/shell/log_panel.h"
#include "ui/shell/main_window.h"
#include "ui/shell/operator_table.h"
#include "ui/shell/start_page.h"

namespace hs::ui {
namespace {

const QString kFolderKey = QStringLiteral("folder");

}  // namespace

FileCommands::FileCommands(MainWindow* window, StartPage* start) : QObject(window), m_window(window), m_start(start) {
    const ActionSet& a = window->actions();
    connect(a[ActionId::Open], &QAction::triggered, this, &FileCommands::open);
    connect(a[ActionId::SaveSessionAs], &QAction::triggered, this, &FileCommands::saveSession);
    connect(a[ActionId::ExportTable], &QAction::triggered, this, &FileCommands::exportTable);
    connect(a[ActionId::SavePicture], &QAction::triggered, this, &FileCommands::savePicture);
    connect(start, &StartPage::zooRequested, this, &FileCommands::openZoo);
}

void FileCommands::open() {
    auto* dialog = new QFileDialog(m_window, tr("Open a model or a session"), QSettings().value(kFolderKey).toString());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setNameFilters({tr("Models and sessions (*.onnx *.hscope)"), tr("ONNX models (*.onnx)"), tr("Sessions (*.hscope)"), tr("All files (*)")});
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        QSettings().setValue(kFolderKey, QFileInfo(path).absolutePath());
        m_window->openPath(path);
    });
    dialog->open();
}

QString FileCommands::suggested(const QString& suffix) const {
    return QDir(QSettings().value(kFolderKey).toString()).filePath(QFileInfo(m_window->document()->displayName()).completeBaseName() + suffix);
}

Status FileCommands::copySession(const QString& from, const QString& to) {
    if (QFileInfo(from).absoluteFilePath() == QFileInfo(to).absoluteFilePath()) return {};
    // Committed rows may still stand in the write-ahead log beside the file; they belong to the copy. Its index is made anew.
    for (const QString& part : {QString(), QStringLiteral("-wal")}) {
        if (QFile::exists(to + part) && !QFile::remove(to + part)) return fail(ErrorCode::Io, to.toStdString(), "cannot be replaced");
        QFile source(from + part);
        if (!source.exists() || (!part.isEmpty() && source.size() == 0)) continue;
        if (!source.copy(to + part)) return fail(ErrorCode::Io, to.toStdString(), "{}", source.errorString().toStdString());
    }
    return {};
}

Status FileCommands::writeFile(const QString& path, const QByteArray& data) {
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(data) != data.size() || !file.commit())
        return fail(ErrorCode::Io, path.toStdString(), "{}: choose another place", file.errorString().toStdString());
    return {};
}

void FileCommands::report(const Status& status, const QString& path) {
    const QString text = status ? tr("Wrote %1").arg(path) : QString::fromStdString(status.error().text());
    m_window->log()->add(status ? LogPanel::Severity::Info : LogPanel::Severity::Error, text);
    m_window->banner()->showMessage(status ? Banner::Level::Info : Banner::Level::Error, text);
}

void FileCommands::saveSession() {
    const QString path = QFileDialog::getSaveFileName(m_window, tr("Save session as"), suggested(QStringLiteral(".hscope")), tr("Sessions (*.hscope)"));
    if (!path.isEmpty()) report(copySession(m_window->document()->sessionPath(), path), path);
}

void FileCommands::exportTable() {
    const QString path = QFileDialog::getSaveFileName(m_window, tr("Export table as CSV"), suggested(QStringLiteral(".csv")), tr("Tables (*.csv)"));
    if (!path.isEmpty()) report(writeFile(path, m_window->tabs()->table()->toCsv().toUtf8()), path);
}

void FileCommands::savePicture() {
    const QString path = QFileDialog::getSaveFileName(m_window, tr("Save picture"), suggested(QStringLiteral(".png")), tr("Pictures (*.png)"));
    if (path.isEmpty()) return;
    QByteArray png;
    QBuffer buffer(&png);
    m_window->tabs()->currentWidget()->grab().save(&buffer, "PNG");
    report(writeFile(path, png), path);
}

void FileCommands::openZoo(const QString& name) {
    const QString path = dataFolder(QStringLiteral("zoo")) + u'/' + name + QStringLiteral(".onnx");
    if (QFileInfo::exists(path)) {
        m_window->openPath(path);
        return;
    }
    m_start->setBusy(name);
    const QString partial = path + QStringLiteral(".part");
    auto* call = new RunnerCall(this);
    connect(call, &RunnerCall::done, this, [this, path, partial] {
        m_start->setBusy({});
        QFile::rename(partial, path);
        m_window->openPath(path);
    });
    connect(call, &RunnerCall::failed, this, [this, name, partial](const QString& message) {
        m_start->setBusy({});
        QFile::remove(partial);
        m_window->banner()->showMessage(Banner::Level::Error, tr("The model %1 could not be made: %2").arg(name, message));
        m_window->log()->add(LogPanel::Severity::Error, message);
    });
    call->start({QStringLiteral("zoo"), name, QStringLiteral("-o"), partial});
}

}  // namespace hs::ui
