// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QDockWidget>
#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>
#include <QSettings>
#include <utility>

#include "ui/models/node_table_model.h"
#include "ui/shell/central_tabs.h"
#include "ui/shell/command_palette.h"
#include "ui/shell/main_window.h"
#include "ui/shell/model_panel.h"
#include "ui/shell/run_bar.h"
#include "ui/shell/shortcuts_dialog.h"

namespace hs::ui {

void MainWindow::buildMenus() {
    const ActionSet& a = *m_actions;
    m_fileMenu = menuBar()->addMenu(QString());
    m_fileMenu->addAction(a[ActionId::Open]);
    m_recentMenu = m_fileMenu->addMenu(QString());
    m_fileMenu->addSeparator();
    for (const ActionId id : {ActionId::SaveSessionAs, ActionId::ExportTable, ActionId::SavePicture})
        m_fileMenu->addAction(a[id]);
    m_fileMenu->addSeparator();
    m_fileMenu->addAction(a[ActionId::CloseDocument]);
    m_fileMenu->addAction(a[ActionId::Quit]);

    m_runMenu = menuBar()->addMenu(QString());
    m_runMenu->addAction(a[ActionId::Run]);
    m_runMenu->addAction(a[ActionId::Stop]);

    m_viewMenu = menuBar()->addMenu(QString());
    for (const ActionId id : {ActionId::ShowGraph, ActionId::ShowTimeline, ActionId::ShowTable, ActionId::ShowQuery})
        m_viewMenu->addAction(a[id]);
    m_viewMenu->addSeparator();
    for (const ActionId id : {ActionId::Fit, ActionId::Search, ActionId::Heat, ActionId::Constants, ActionId::ClearSelection})
        m_viewMenu->addAction(a[id]);
    m_viewMenu->addSeparator();
    for (QDockWidget* dock : std::as_const(m_docks))
        m_viewMenu->addAction(dock->toggleViewAction());
    m_viewMenu->addAction(a[ActionId::ResetLayout]);
    m_viewMenu->addSeparator();
    m_themeMenu = m_viewMenu->addMenu(QString());
    for (const ActionId id : {ActionId::ThemeSystem, ActionId::ThemeLight, ActionId::ThemeDark})
        m_themeMenu->addAction(a[id]);
    m_languageMenu = m_viewMenu->addMenu(QString());
    for (const ActionId id : {ActionId::LanguageSystem, ActionId::LanguageEnglish, ActionId::LanguageChinese})
        m_languageMenu->addAction(a[id]);

    m_helpMenu = menuBar()->addMenu(QString());
    for (const ActionId id : {ActionId::CommandPalette, ActionId::Shortcuts, ActionId::About})
        m_helpMenu->addAction(a[id]);
    connect(&m_recent, &RecentFiles::changed, this, &MainWindow::fillRecentMenu);
    fillRecentMenu();
}

void MainWindow::fillRecentMenu() {
    m_recentMenu->clear();
    for (const QString& path : m_recent.files()) {
        QAction* action = m_recentMenu->addAction(QFileInfo(path).fileName());
        action->setToolTip(path);
        action->setStatusTip(path);
        connect(action, &QAction::triggered, this, [this, path] { openPath(path); });
    }
    m_recentMenu->setEnabled(!m_recentMenu->isEmpty());
}

void MainWindow::wireActions() {
    const ActionSet& a = *m_actions;
    connect(a[ActionId::CloseDocument], &QAction::triggered, &m_document, &Document::close);
    connect(a[ActionId::Quit], &QAction::triggered, this, &QWidget::close);
    connect(a[ActionId::ClearSelection], &QAction::triggered, &m_selection, &Selection::clear);
    connect(a[ActionId::Search], &QAction::triggered, this, [this] {
        if (m_tabs->focusSearch()) return;
        raiseDock(m_modelPanel);
        m_modelPanel->focusSearch();
    });
    connect(a[ActionId::CommandPalette], &QAction::triggered, this, [this] {
        QVector<QAction*> all = m_actions->all();
        for (QDockWidget* dock : std::as_const(m_docks))
            all.append(dock->toggleViewAction());
        (new CommandPalette(all, this))->show();
    });
    connect(a[ActionId::Shortcuts], &QAction::triggered, this, [this] { (new ShortcutsDialog(m_actions->all(), this))->show(); });
    connect(a[ActionId::About], &QAction::triggered, this, &MainWindow::showAbout);
    connect(a[ActionId::ResetLayout], &QAction::triggered, this, [this] { restoreState(m_firstLayout); });
    // "Show in graph": a view that is asked to reveal a node is brought to the front.
    connect(&m_selection, &Selection::revealRequested, this, [this] {
        if (m_document.model() && m_tabs->currentIndex() != 1) m_tabs->setCurrentIndex(0);
    });
}

void MainWindow::wireLook() {
    const ActionSet& a = *m_actions;
    const auto theme = [this, &a](ActionId id, Theme::Mode mode) {
        a[id]->setChecked(m_theme->mode() == mode);
        connect(a[id], &QAction::triggered, this, [this, mode] {
            m_theme->setMode(mode);
            QSettings().setValue(QStringLiteral("theme"), static_cast<int>(mode));
        });
    };
    theme(ActionId::ThemeSystem, Theme::Mode::System);
    theme(ActionId::ThemeLight, Theme::Mode::Light);
    theme(ActionId::ThemeDark, Theme::Mode::Dark);
    const auto language = [this, &a](ActionId id, const QString& code) {
        a[id]->setChecked(m_language->code() == code);
        connect(a[id], &QAction::triggered, this, [this, code] {
            m_language->set(code);
            QSettings().setValue(QStringLiteral("language"), code);
        });
    };
    language(ActionId::LanguageSystem, {});
    language(ActionId::LanguageEnglish, QStringLiteral("en"));
    language(ActionId::LanguageChinese, QStringLiteral("zh_CN"));
}

}  // namespace hs::ui
