// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/main_window.h"

#include <QApplication>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QSettings>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "ui/devices/devices_panel.h"
#include "ui/graph/graph_view.h"
#include "ui/memory/memory_panel.h"
#include "ui/models/node_table_model.h"
#include "ui/shell/banner.h"
#include "ui/shell/central_tabs.h"
#include "ui/shell/file_commands.h"
#include "ui/shell/inspector_panel.h"
#include "ui/shell/log_panel.h"
#include "ui/shell/model_panel.h"
#include "ui/shell/run_bar.h"
#include "ui/shell/run_controller.h"
#include "ui/shell/start_page.h"
#include "ui/shell/status_line.h"

namespace hs::ui {
namespace {

QString droppedFile(const QMimeData* data) {
    for (const QUrl& url : data->urls())
        if (url.isLocalFile()) return url.toLocalFile();
    return {};
}

}  // namespace

MainWindow::MainWindow(Theme* theme, Language* language, QWidget* parent)
    : QMainWindow(parent),
      m_theme(theme),
      m_language(language),
      m_actions(new ActionSet(this)),
      m_nodes(new NodeTableModel(&m_document, theme, this)),
      m_runBar(new RunBar(*m_actions, &m_catalog, this)),
      m_banner(new Banner(theme, this)),
      m_log(new LogPanel(theme, this)),
      m_pages(new QStackedWidget(this)),
      m_startPage(new StartPage(&m_recent, theme, this)),
      m_tabs(new CentralTabs(&m_document, m_nodes, &m_selection, theme, *m_actions, this)),
      m_modelPanel(new ModelPanel(&m_document, m_nodes, &m_selection, theme, this)),
      m_inspector(new InspectorPanel(&m_document, m_nodes, &m_selection, theme, this)),
      m_memory(new MemoryPanel(&m_document, &m_selection, theme, this)),
      m_devices(new DevicesPanel(&m_catalog, &m_document, theme, this)),
      m_status(new StatusLine(&m_document, m_tabs->graph(), this)),
      m_runs(new RunController(&m_document, *m_actions, m_runBar, m_banner, m_log, this)),
      m_files(new FileCommands(this, m_startPage)) {
    setObjectName(QStringLiteral("mainWindow"));
    setWindowIcon(QIcon(QStringLiteral(":/icons/heteroscope.svg")));
    setAcceptDrops(true);
    setDockNestingEnabled(true);
    resize(1440, 900);
    addToolBar(m_runBar);
    setStatusBar(m_status);
    m_pages->addWidget(m_startPage);
    m_pages->addWidget(m_tabs);
    auto* central = new QWidget(this);
    auto* layout = new QVBoxLayout(central);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_banner);
    layout->addWidget(m_pages, 1);
    setCentralWidget(central);
    buildDocks();
    buildMenus();
    wireDocument();
    wireActions();
    wireLook();
    retranslate();
    updatePage();
    restoreLayoutState();
    m_catalog.refresh();
}

MainWindow::~MainWindow() = default;

QDockWidget* MainWindow::addDock(Qt::DockWidgetArea area, QWidget* panel, const QString& name) {
    auto* dock = new QDockWidget(this);
    dock->setObjectName(name);
    dock->setWidget(panel);
    addDockWidget(area, dock);
    m_docks.append(dock);
    return dock;
}

void MainWindow::buildDocks() {
    QDockWidget* model = addDock(Qt::LeftDockWidgetArea, m_modelPanel, QStringLiteral("modelDock"));
    QDockWidget* inspector = addDock(Qt::RightDockWidgetArea, m_inspector, QStringLiteral("inspectorDock"));
    QDockWidget* memory = addDock(Qt::BottomDockWidgetArea, m_memory, QStringLiteral("memoryDock"));
    QDockWidget* devices = addDock(Qt::BottomDockWidgetArea, m_devices, QStringLiteral("devicesDock"));
    QDockWidget* log = addDock(Qt::BottomDockWidgetArea, m_log, QStringLiteral("logDock"));
    tabifyDockWidget(memory, devices);
    tabifyDockWidget(devices, log);
    memory->raise();
    resizeDocks({model, inspector}, {430, 330}, Qt::Horizontal);
    resizeDocks({memory}, {230}, Qt::Vertical);
}

void MainWindow::wireDocument() {
    connect(&m_document, &Document::modelChanged, this, [this] {
        m_selection.clear();
        updatePage();
        updateTitle();
    });
    connect(&m_document, &Document::runChanged, this, [this] {
        updatePage();
        updateTitle();
    });
    connect(&m_document, &Document::loadingChanged, this, &MainWindow::updatePage);
    connect(&m_document, &Document::openingCancelled, this, [this] { m_log->add(LogPanel::Severity::Info, tr("Opening was cancelled")); });
    connect(&m_document, &Document::failed, this, &MainWindow::showError);
    connect(&m_document, &Document::notice, this, [this](const QString& text) {
        m_log->add(LogPanel::Severity::Warning, text);
        m_banner->showMessage(Banner::Level::Warning, text);
    });
    connect(&m_document, &Document::statsChanged, this, [this] {
        const auto stats = m_document.stats();
        if (stats->info.id != m_messagesRun) m_messagesShown = 0;
        m_messagesRun = stats->info.id;
        for (; m_messagesShown < static_cast<qsizetype>(stats->messages.size()); ++m_messagesShown) {
            const MessageRecord& message = stats->messages[static_cast<std::size_t>(m_messagesShown)];
            m_log->add(QString::fromStdString(message.severity), QString::fromStdString(message.text));
        }
    });
    connect(m_tabs, &CentralTabs::problem, this, [this](const QString& what) { m_log->add(LogPanel::Severity::Error, what); });
    connect(m_banner, &Banner::actionRequested, (*m_actions)[ActionId::Run], &QAction::trigger);
    connect(m_startPage, &StartPage::fileRequested, this, &MainWindow::openPath);
    connect(m_startPage, &StartPage::openRequested, (*m_actions)[ActionId::Open], &QAction::trigger);
}

void MainWindow::openPath(const QString& path) {
    const QFileInfo info(path);
    if (!info.isFile()) {
        showError({ErrorCode::BadInput, tr("there is no such file").toStdString(), path.toStdString()});
        return;
    }
    m_banner->hide();
    m_runs->stop();
    m_document.open(info.absoluteFilePath());
    m_recent.add(path);
    m_log->add(LogPanel::Severity::Info, tr("Opening %1").arg(info.absoluteFilePath()));
}

void MainWindow::runWhenOpen() {
    connect(&m_document, &Document::modelChanged, (*m_actions)[ActionId::Run], &QAction::trigger,
            Qt::ConnectionType(Qt::QueuedConnection | Qt::SingleShotConnection));
}

void MainWindow::showError(const Error& error) {
    const QString text = QString::fromStdString(error.text());
    m_banner->showMessage(Banner::Level::Error, text);
    m_log->add(LogPanel::Severity::Error, text);
}

void MainWindow::updatePage() {
    const bool something = m_document.model() || m_document.hasRun();
    if (something || !m_document.loading()) m_pages->setCurrentWidget(something ? static_cast<QWidget*>(m_tabs) : m_startPage);
    for (const ActionId id : {ActionId::CloseDocument, ActionId::ShowGraph, ActionId::ShowTimeline, ActionId::ShowTable, ActionId::ShowQuery, ActionId::Fit,
                              ActionId::Search, ActionId::Heat, ActionId::Constants, ActionId::ClearSelection, ActionId::ExportTable, ActionId::SavePicture})
        (*m_actions)[id]->setEnabled(something);
    (*m_actions)[ActionId::SaveSessionAs]->setEnabled(m_document.hasRun());
    // With no graph to show, the timeline is the first picture.
    if (!m_document.model() && m_document.hasRun() && !m_document.loading() && m_tabs->currentIndex() == 0) m_tabs->setCurrentIndex(1);
}

void MainWindow::updateTitle() {
    const QString name = m_document.displayName();
    setWindowTitle(name.isEmpty() ? tr("Heteroscope") : tr("%1 – Heteroscope").arg(name));
}

void MainWindow::raiseDock(QWidget* panel) {
    for (QDockWidget* dock : std::as_const(m_docks)) {
        if (dock->widget() != panel) continue;
        dock->show();
        dock->raise();
    }
}

void MainWindow::retranslate() {
    m_actions->retranslate();
    const QVector<QString> titles = {tr("Model"), tr("Inspector"), tr("Memory"), tr("Devices"), tr("Log")};
    for (qsizetype i = 0; i < m_docks.size(); ++i)
        m_docks[i]->setWindowTitle(titles[i]);
    m_fileMenu->setTitle(tr("&File"));
    m_recentMenu->setTitle(tr("Open &recent"));
    m_runMenu->setTitle(tr("&Run"));
    m_viewMenu->setTitle(tr("&View"));
    m_themeMenu->setTitle(tr("&Theme"));
    m_languageMenu->setTitle(tr("&Language"));
    m_helpMenu->setTitle(tr("&Help"));
    updateTitle();
}

void MainWindow::restoreLayoutState() {
    m_firstLayout = saveState();
    QSettings settings;
    restoreGeometry(settings.value(QStringLiteral("window/geometry")).toByteArray());
    restoreState(settings.value(QStringLiteral("window/state")).toByteArray());
}

void MainWindow::showAbout() {
    auto* box = new QMessageBox(
        QMessageBox::NoIcon, tr("About Heteroscope"),
        tr("<b>Heteroscope %1</b><br>Profile, place and tune neural networks on mixed hardware.<br><br>The window is under the GPL 3.0 or later (it uses "
           "QCustomPlot), the engine under the Apache License 2.0. Made with Qt %2.")
            .arg(QApplication::applicationVersion(), QString::fromLatin1(qVersion())),
        QMessageBox::Close, this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setIconPixmap(windowIcon().pixmap(64, 64));
    box->open();
}

void MainWindow::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QMainWindow::changeEvent(event);
}

void MainWindow::closeEvent(QCloseEvent* event) {
    QSettings settings;
    settings.setValue(QStringLiteral("window/geometry"), saveGeometry());
    settings.setValue(QStringLiteral("window/state"), saveState());
    QMainWindow::closeEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (droppedFile(event->mimeData()).isEmpty()) return;
    event->acceptProposedAction();
    m_startPage->setDropTarget(true);
}

void MainWindow::dragLeaveEvent(QDragLeaveEvent* event) {
    m_startPage->setDropTarget(false);
    QMainWindow::dragLeaveEvent(event);
}

void MainWindow::dropEvent(QDropEvent* event) {
    m_startPage->setDropTarget(false);
    const QString path = droppedFile(event->mimeData());
    if (!path.isEmpty()) openPath(path);
}

}  // namespace hs::ui
