// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/command_palette.h"

#include <QAction>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QVBoxLayout>

#include "ui/shell/action_set.h"

namespace hs::ui {
namespace {

/// Every letter of the word in its order: "opn" finds "Open".
bool fuzzyMatch(const QString& text, const QString& word) {
    qsizetype at = 0;
    for (const QChar c : word) {
        if (c.isSpace()) continue;
        at = text.indexOf(c, at, Qt::CaseInsensitive);
        if (at < 0) return false;
        ++at;
    }
    return true;
}

}  // namespace

CommandPalette::CommandPalette(const QVector<QAction*>& actions, QWidget* parent)
    : QDialog(parent, Qt::Popup | Qt::FramelessWindowHint), m_input(new QLineEdit(this)), m_list(new QListWidget(this)) {
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(QStringLiteral("commandPalette"));
    for (QAction* action : actions)
        m_actions.append(action);
    m_input->setPlaceholderText(tr("Type a command"));
    m_input->setAccessibleName(m_input->placeholderText());
    m_input->installEventFilter(this);
    m_list->setUniformItemSizes(true);
    m_list->setAccessibleName(tr("Commands"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->addWidget(m_input);
    layout->addWidget(m_list);
    connect(m_input, &QLineEdit::textChanged, this, &CommandPalette::filter);
    connect(m_input, &QLineEdit::returnPressed, this, &CommandPalette::runCurrent);
    connect(m_list, &QListWidget::itemClicked, this, &CommandPalette::runCurrent);
    resize(520, 380);
    if (parent != nullptr) move(parent->mapToGlobal(QPoint((parent->width() - width()) / 2, 64)));
    filter({});
    m_input->setFocus();
}

void CommandPalette::filter(const QString& text) {
    m_list->clear();
    for (const auto& action : m_actions) {
        if (!action || !action->isEnabled() || !action->isVisible() || plainActionText(*action).isEmpty() || !fuzzyMatch(plainActionText(*action), text))
            continue;
        auto* item = new QListWidgetItem(m_list);
        item->setIcon(action->icon());
        item->setData(Qt::UserRole, QVariant::fromValue(static_cast<QObject*>(action.data())));
        item->setData(Qt::AccessibleTextRole, plainActionText(*action));
        const QString tip = action->statusTip() == plainActionText(*action) ? QString() : action->statusTip();
        const QString keys = action->shortcut().toString(QKeySequence::NativeText);
        item->setText(keys.isEmpty() ? plainActionText(*action) : QStringLiteral("%1    [%2]").arg(plainActionText(*action), keys));
        item->setToolTip(tip);
    }
    m_list->setCurrentRow(0);
}

void CommandPalette::runCurrent() {
    const QListWidgetItem* item = m_list->currentItem();
    QPointer<QAction> action = item != nullptr ? qobject_cast<QAction*>(item->data(Qt::UserRole).value<QObject*>()) : nullptr;
    close();
    if (action) action->trigger();
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_input && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        const int step = key == Qt::Key_Down ? 1 : key == Qt::Key_Up ? -1 : 0;
        if (step != 0 && m_list->count() > 0) {
            m_list->setCurrentRow((m_list->currentRow() + step + m_list->count()) % m_list->count());
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

}  // namespace hs::ui
