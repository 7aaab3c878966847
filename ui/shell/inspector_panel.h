// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/shell/inspector_text.h"

class QTextBrowser;

namespace hs::ui {

/// The right dock: everything about the selected node, the selection, or the whole.
class InspectorPanel : public QWidget {
    Q_OBJECT
public:
    InspectorPanel(Document* document, NodeTableModel* nodes, Selection* selection, Theme* theme, QWidget* parent = nullptr);
    QString plainText() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    void show();

    Selection* m_selection;
    InspectorText m_text;
    QTextBrowser* m_view;
    QString m_shown;
};

}  // namespace hs::ui
