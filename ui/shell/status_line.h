// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStatusBar>
#include <QTimer>

#include "ui/models/document.h"

class QLabel;
class QProgressBar;
class QToolButton;

namespace hs::ui {

class GraphView;

/// The line below everything: what the window is busy with (with a Cancel), else what is open and how it was recorded.
class StatusLine : public QStatusBar {
    Q_OBJECT
public:
    StatusLine(Document* document, GraphView* graph, QWidget* parent = nullptr);
    QString text() const;
    QToolButton* cancelButton() const { return m_cancel; }

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    void cancel();
    QString busyText() const;
    QString idleText() const;

    Document* m_document;
    GraphView* m_graph;
    QLabel* m_text;
    QProgressBar* m_bar;
    QToolButton* m_cancel;
    QTimer m_patience;  ///< What is done in a moment needs no progress.
    LoadStage m_stage = LoadStage::Reading;
    QString m_file;
    bool m_layingOut = false, m_layoutCancelled = false;
};

}  // namespace hs::ui
