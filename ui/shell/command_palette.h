// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QPointer>
#include <QVector>

class QAction;
class QLineEdit;
class QListWidget;

namespace hs::ui {

/// Finds a command by typing and runs it with Enter. Shows what can be done now, with its shortcut.
class CommandPalette : public QDialog {
    Q_OBJECT
public:
    CommandPalette(const QVector<QAction*>& actions, QWidget* parent);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void filter(const QString& text);
    void runCurrent();

    QVector<QPointer<QAction>> m_actions;
    QLineEdit* m_input;
    QListWidget* m_list;
};

}  // namespace hs::ui
