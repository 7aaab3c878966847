// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMainWindow>

#include "core/base/result.h"
#include "ui/models/device_catalog.h"
#include "ui/models/document.h"
#include "ui/models/selection.h"
#include "ui/models/theme.h"
#include "ui/shell/action_set.h"
#include "ui/shell/language.h"
#include "ui/shell/recent_files.h"

class QDockWidget;
class QMenu;
class QStackedWidget;

namespace hs::ui {

class Banner;
class CentralTabs;
class DevicesPanel;
class FileCommands;
class InspectorPanel;
class LogPanel;
class MemoryPanel;
class ModelPanel;
class NodeTableModel;
class RunBar;
class RunController;
class StartPage;
class StatusLine;

/// The one window: puts the parts together and wires them; what they do is in themselves.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    MainWindow(Theme* theme, Language* language, QWidget* parent = nullptr);
    ~MainWindow() override;

    void openPath(const QString& path);
    /// Starts a run as soon as the next model is open.
    void runWhenOpen();

    Document* document() { return &m_document; }
    Selection* selection() { return &m_selection; }
    const ActionSet& actions() const { return *m_actions; }
    DeviceCatalog* catalog() { return &m_catalog; }
    CentralTabs* tabs() const { return m_tabs; }
    RunController* runs() const { return m_runs; }
    RunBar* runBar() const { return m_runBar; }
    Banner* banner() const { return m_banner; }
    LogPanel* log() const { return m_log; }
    ModelPanel* modelPanel() const { return m_modelPanel; }
    InspectorPanel* inspector() const { return m_inspector; }
    MemoryPanel* memory() const { return m_memory; }
    DevicesPanel* devices() const { return m_devices; }
    StatusLine* status() const { return m_status; }
    StartPage* startPage() const { return m_startPage; }
    NodeTableModel* nodes() const { return m_nodes; }
    void raiseDock(QWidget* panel);

protected:
    void changeEvent(QEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    QDockWidget* addDock(Qt::DockWidgetArea area, QWidget* panel, const QString& name);
    void buildDocks();
    void buildMenus();
    void fillRecentMenu();
    void wireDocument();
    void wireActions();
    void wireLook();
    void retranslate();
    void updateTitle();
    void updatePage();
    void showError(const Error& error);
    void restoreLayoutState();
    void showAbout();

    Theme* m_theme;
    Language* m_language;
    Document m_document;
    Selection m_selection;
    DeviceCatalog m_catalog;
    RecentFiles m_recent;
    ActionSet* m_actions;
    NodeTableModel* m_nodes;
    RunBar* m_runBar;
    Banner* m_banner;
    LogPanel* m_log;
    QStackedWidget* m_pages;
    StartPage* m_startPage;
    CentralTabs* m_tabs;
    ModelPanel* m_modelPanel;
    InspectorPanel* m_inspector;
    MemoryPanel* m_memory;
    DevicesPanel* m_devices;
    StatusLine* m_status;
    RunController* m_runs;
    FileCommands* m_files;
    QVector<QDockWidget*> m_docks;
    QMenu *m_fileMenu, *m_recentMenu, *m_runMenu, *m_viewMenu, *m_themeMenu, *m_languageMenu, *m_helpMenu;
    QByteArray m_firstLayout;
    qsizetype m_messagesShown = 0;
    qint64 m_messagesRun = -1;
};

}  // namespace hs::ui
