// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/action_set.h"

#include <QActionGroup>
#include <QCoreApplication>
#include <QRegularExpression>
#include <QWidget>
#include <array>

#include "ui/models/icon.h"

namespace hs::ui {
namespace {

struct Spec {
    ActionId id;
    const char* text;
    const char* tip;
    const char* icon;      ///< "" for none.
    const char* shortcut;  ///< Portable text, "" for none.
};

constexpr std::array kSpecs = {
    Spec{ActionId::Open, QT_TRANSLATE_NOOP("hs::ui::ActionSet", "&Open…"), QT_TRANSLATE_NOOP("hs::ui::ActionSet", "Open an ONNX model or a recorded session"),
         "open", "Ctrl+O"},
    Spec{ActionId::SaveSessionAs, QT_TRANSLATE_NOOP("hs::ui::ActionSet", "&Save session as…"),
         QT_TRANSLATE_NOOP("hs::ui::ActionSet", "Keep a copy of the recorded session"), "save", "Ctrl+S"},
    Spec{ActionId::ExportTable, QT_TRANSLATE_NOOP("hs::ui::ActionSet", "&Export table as CSV…"),
         QT_TRANSLATE_NOOP("hs::ui::ActionSet", "Write the operators table with exact values"), "export", "Ctrl+E"},
    Spec{ActionId::SavePicture, QT_TRANSLATE_NOOP("hs::ui::ActionSet", "Save &picture…"),
         QT_TRANSLATE_NOOP("hs::ui::ActionSet", "Write the view in front as a PNG picture"), "picture", ""},
    Spec{ActionId::CloseDocument, QT_TRANSLATE_NOOP("hs::ui::ActionSet", "&Close"), QT_TRANSLATE_NOOP("hs::ui::ActionSet", "Close the model and its session"),
         "close", "Ctrl+W"},
    Spec{ActionId::Quit, QT_TRANSLATE_NOOP("hs::ui::ActionSet", "&Quit"), QT_TRANSLATE_NOOP("hs::ui::ActionSet", "Close the window"), "", "Ctrl+Q"},
    Spec{ActionId::Run, QT_TRANSLATE_NOOP("hs::ui::ActionSet", "&Run"), QT_TRANSLATE_NOOP("hs::ui::ActionSet", "Run the model and record a session"), "run",
         "Ctrl+R"},
    Spec{ActionId::Stop, QT_TRANSLATE_NOOP("hs::ui::ActionSet", "&Stop"), QT_TRANSLATE_NOOP("hs::ui::ActionSet", "Stop the run; what was recorded stays"),
         "stop", "Esc"},
    Spec{ActionId::ShowGraph, QT_TRANSLATE_NOOP("hs::ui::ActionSet", "Show &graph"), QT_TRANSLATE_NOOP("hs::ui::ActionSet", "The model as a graph"), "graph",
         "Ctrl+1"},
    Spec{ActionId::ShowTimeline, QT_TRANSLATE_NOOP("hs::ui::ActionSet", "Show &timeline"), QT_TRANSLATE_NOOP("hs::ui::ActionSet", "When each device did what"),
         "timeline", "Ctrl+2"},
    Spec{ActionId::ShowTable, QT_TRANSLATE_NOOP("hs::ui::ActionSet", "Show &operators"),
         QT_TRANSLATE_NOOP("hs::ui::ActionSet", "Every node with what was measured"), "table", "Ctrl+3"},
    Spec{ActionId::ShowQuery, QT_TRANSLATE_NOOP("hs::ui::ActionSet", "Show &query"), QT_TRANSLATE_NOOP("hs::ui::ActionSet", "Ask the session with SQL"),
         "query", "Ctrl+4"},
    Spec{ActionId::Fit, QT_TRANSLATE_NOOP("hs::ui::ActionSet", "&Fit"), QT_TRANSLATE_NOOP("hs::ui::ActionSet", "Show the whole in the view in front"), "fit",
         "F"},
    Spec{ActionId::Search, QT_TRANSLATE_NOOP("hs::ui::ActionSet", "&Search nodes"),
         QT_TRANSLATE_NOOP("hs::ui::ActionSet", "Put the cursor into the search field"), "search", "/"},
    Spec{ActionId::Heat, QT_TRANSLATE_NOOP("hs::ui::ActionSet", "Colour by &time"),
         QT_TRANSLATE_NOOP("hs::ui::ActionSet", "Paint the graph's nodes by their measured time"), "", ""},
    Spec{ActionId::Constants, QT_TRANSLATE_NOOP("hs::ui::ActionSet", "Show &weights and constants"),
         QT_TRANSLATE_NOOP("hs::ui::ActionSet", "Draw weights and constants in the graph"), "", ""},
    Spec{ActionId::ClearSelection, QT_TRANSLATE_NOOP("hs::ui::ActionSet", "Select &nothing"),
         QT_TRANSLATE_NOOP("hs::ui::ActionSet", "Clear the selection in every view"), "clear", "Ctrl+Shift+A"},
    Spec{ActionId::CommandPalette, QT_TRANSLATE_NOOP("hs::ui::ActionSet", "&Command palette…"),
         QT_TRANSLATE_NOOP("hs::ui::ActionSet", "Find any command by typing"), "command", "Ctrl+P"},
    Spec{ActionId::ThemeSystem, QT_TRANSLATE_NOOP("hs::ui::ActionSet", "As the &system"),
         QT_TRANSLATE_NOOP("hs::ui::ActionSet", "Light or dark as the system is"), "", ""},
    Spec{ActionId::ThemeLight, QT_TRANSLATE_NOOP("hs::ui::ActionSet", "&Light"), QT_TRANSLATE_NOOP("hs::ui::ActionSet", "Light theme"), "", ""},
    Spec{ActionId::ThemeDark, QT_TRANSLATE_NOOP("hs::ui::ActionSet", "&Dark"), QT_TRANSLATE_NOOP("hs::ui::ActionSet", "Dark theme"), "", ""},
    Spec{ActionId::LanguageSystem, QT_TRANSLATE_NOOP("hs::ui::ActionSet", "As the s&ystem"), QT_TRANSLATE_NOOP("hs::ui::ActionSet", "The system's language"),
         "", ""},
    Spec{ActionId::LanguageEnglish, "English", "English", "", ""},
    Spec{ActionId::LanguageChinese, "简体中文", "简体中文", "", ""},
    Spec{ActionId::ResetLayout, QT_TRANSLATE_NOOP("hs::ui::ActionSet", "Reset &layout"),
         QT_TRANSLATE_NOOP("hs::ui::ActionSet", "Put every dock back to its place"), "", ""},
    Spec{ActionId::Shortcuts, QT_TRANSLATE_NOOP("hs::ui::ActionSet", "&Keyboard shortcuts"), QT_TRANSLATE_NOOP("hs::ui::ActionSet", "List every shortcut"),
         "keyboard", "F1"},
    Spec{ActionId::About, QT_TRANSLATE_NOOP("hs::ui::ActionSet", "&About Heteroscope"), QT_TRANSLATE_NOOP("hs::ui::ActionSet", "Version and licences"), "info",
         ""},
};

void makeGroup(QObject* parent, std::initializer_list<QAction*> actions) {
    auto* group = new QActionGroup(parent);
    for (QAction* action : actions) {
        action->setCheckable(true);
        group->addAction(action);
    }
}

}  // namespace

QString plainActionText(const QAction& action) {
    static const QRegularExpression kChineseMnemonic(QStringLiteral("\\(&\\w\\)"));
    return action.text().remove(kChineseMnemonic).remove(u'&');
}

ActionSet::ActionSet(QWidget* window) : QObject(window) {
    for (const Spec& spec : kSpecs) {
        Q_ASSERT(static_cast<int>(spec.id) == m_actions.size());
        auto* action = new QAction(this);
        if (*spec.icon != '\0') action->setIcon(icon(QString::fromLatin1(spec.icon)));
        if (*spec.shortcut != '\0') action->setShortcut(QKeySequence::fromString(QString::fromLatin1(spec.shortcut), QKeySequence::PortableText));
        m_actions.append(action);
        window->addAction(action);
    }
    (*this)[ActionId::Heat]->setCheckable(true);
    (*this)[ActionId::Constants]->setCheckable(true);
    makeGroup(this, {(*this)[ActionId::ThemeSystem], (*this)[ActionId::ThemeLight], (*this)[ActionId::ThemeDark]});
    makeGroup(this, {(*this)[ActionId::LanguageSystem], (*this)[ActionId::LanguageEnglish], (*this)[ActionId::LanguageChinese]});
    retranslate();
}

void ActionSet::retranslate() {
    for (const Spec& spec : kSpecs) {
        QAction* action = (*this)[spec.id];
        action->setText(QCoreApplication::translate("hs::ui::ActionSet", spec.text));
        action->setIconText(plainActionText(*action).remove(u'…'));
        const QString tip = QCoreApplication::translate("hs::ui::ActionSet", spec.tip);
        action->setStatusTip(tip);
        action->setToolTip(action->shortcut().isEmpty() ? tip : QStringLiteral("%1 (%2)").arg(tip, action->shortcut().toString(QKeySequence::NativeText)));
    }
}

}  // namespace hs::ui
