// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/action_set.h"

#include <QActionGroup>
#include <QCoreApplication>
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

#define HS_TEXT(text) QT_TRANSLATE_NOOP("hs::ui::ActionSet", text)
constexpr std::array kSpecs = {
    Spec{ActionId::Open, HS_TEXT("&Open…"), HS_TEXT("Open an ONNX model or a recorded session"), "open", "Ctrl+O"},
    Spec{ActionId::SaveSessionAs, HS_TEXT("&Save session as…"), HS_TEXT("Keep a copy of the recorded session"), "save", "Ctrl+S"},
    Spec{ActionId::ExportTable, HS_TEXT("&Export table as CSV…"), HS_TEXT("Write the operators table with exact values"), "export", "Ctrl+E"},
    Spec{ActionId::SavePicture, HS_TEXT("Save &picture…"), HS_TEXT("Write the view in front as a PNG picture"), "picture", ""},
    Spec{ActionId::CloseDocument, HS_TEXT("&Close"), HS_TEXT("Close the model and its session"), "close", "Ctrl+W"},
    Spec{ActionId::Quit, HS_TEXT("&Quit"), HS_TEXT("Close the window"), "", "Ctrl+Q"},
    Spec{ActionId::Run, HS_TEXT("&Run"), HS_TEXT("Run the model and record a session"), "run", "Ctrl+R"},
    Spec{ActionId::Stop, HS_TEXT("&Stop"), HS_TEXT("Stop the run; what was recorded stays"), "stop", "Esc"},
    Spec{ActionId::ShowGraph, HS_TEXT("Show &graph"), HS_TEXT("The model as a graph"), "graph", "Ctrl+1"},
    Spec{ActionId::ShowTimeline, HS_TEXT("Show &timeline"), HS_TEXT("When each device did what"), "timeline", "Ctrl+2"},
    Spec{ActionId::ShowTable, HS_TEXT("Show &operators"), HS_TEXT("Every node with what was measured"), "table", "Ctrl+3"},
    Spec{ActionId::ShowQuery, HS_TEXT("Show &query"), HS_TEXT("Ask the session with SQL"), "query", "Ctrl+4"},
    Spec{ActionId::Fit, HS_TEXT("&Fit"), HS_TEXT("Show the whole in the view in front"), "fit", "F"},
    Spec{ActionId::Search, HS_TEXT("&Search nodes"), HS_TEXT("Put the cursor into the search field"), "search", "/"},
    Spec{ActionId::Heat, HS_TEXT("Colour by &time"), HS_TEXT("Paint the graph's nodes by their measured time"), "", ""},
    Spec{ActionId::Constants, HS_TEXT("Show &weights and constants"), HS_TEXT("Draw weights and constants in the graph"), "", ""},
    Spec{ActionId::ClearSelection, HS_TEXT("Select &nothing"), HS_TEXT("Clear the selection in every view"), "clear", "Ctrl+Shift+A"},
    Spec{ActionId::CommandPalette, HS_TEXT("&Command palette…"), HS_TEXT("Find any command by typing"), "command", "Ctrl+P"},
    Spec{ActionId::ThemeSystem, HS_TEXT("As the &system"), HS_TEXT("Light or dark as the system is"), "", ""},
    Spec{ActionId::ThemeLight, HS_TEXT("&Light"), HS_TEXT("Light theme"), "", ""},
    Spec{ActionId::ThemeDark, HS_TEXT("&Dark"), HS_TEXT("Dark theme"), "", ""},
    Spec{ActionId::LanguageSystem, HS_TEXT("As the s&ystem"), HS_TEXT("The system's language"), "", ""},
    Spec{ActionId::LanguageEnglish, "English", "English", "", ""},
    Spec{ActionId::LanguageChinese, "简体中文", "简体中文", "", ""},
    Spec{ActionId::ResetLayout, HS_TEXT("Reset &layout"), HS_TEXT("Put every dock back to its place"), "", ""},
    Spec{ActionId::Shortcuts, HS_TEXT("&Keyboard shortcuts"), HS_TEXT("List every shortcut"), "keyboard", "F1"},
    Spec{ActionId::About, HS_TEXT("&About Heteroscope"), HS_TEXT("Version and licences"), "info", ""},
};
#undef HS_TEXT

void makeGroup(QObject* parent, std::initializer_list<QAction*> actions) {
    auto* group = new QActionGroup(parent);
    for (QAction* action : actions) {
        action->setCheckable(true);
        group->addAction(action);
    }
}

}  // namespace

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
        const QString tip = QCoreApplication::translate("hs::ui::ActionSet", spec.tip);
        action->setStatusTip(tip);
        action->setToolTip(action->shortcut().isEmpty() ? tip : QStringLiteral("%1 (%2)").arg(tip, action->shortcut().toString(QKeySequence::NativeText)));
    }
}

}  // namespace hs::ui
