// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QObject>
#include <QVector>

namespace hs::ui {

enum class ActionId {
    Open,
    SaveSessionAs,
    ExportTable,
    SavePicture,
    CloseDocument,
    Quit,
    Run,
    Stop,
    ShowGraph,
    ShowTimeline,
    ShowTable,
    ShowQuery,
    Fit,
    Search,
    Heat,
    Constants,
    ClearSelection,
    CommandPalette,
    ThemeSystem,
    ThemeLight,
    ThemeDark,
    LanguageSystem,
    LanguageEnglish,
    LanguageChinese,
    ResetLayout,
    Shortcuts,
    About,
};

/// The words of an action without its mnemonic, "&Open…" as well as "打开(&O)…".
QString plainActionText(const QAction& action);

/// Every command of the window: one QAction each, with words, icon and shortcut from one table. Menus, toolbar, command
/// palette and the shortcuts page are made from it.
class ActionSet : public QObject {
    Q_OBJECT
public:
    explicit ActionSet(QWidget* window);
    QAction* operator[](ActionId id) const { return m_actions[static_cast<int>(id)]; }
    const QVector<QAction*>& all() const { return m_actions; }
    /// Words of the current language.
    void retranslate();

private:
    QVector<QAction*> m_actions;
};

}  // namespace hs::ui
