// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QVector>

class QAction;

namespace hs::ui {

/// Every shortcut of the window and of its views. Does not block the window.
class ShortcutsDialog : public QDialog {
    Q_OBJECT
public:
    ShortcutsDialog(const QVector<QAction*>& actions, QWidget* parent);
};

}  // namespace hs::ui
