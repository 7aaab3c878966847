// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/shortcuts_dialog.h"

#include <QAction>
#include <QDialogButtonBox>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace hs::ui {
namespace {

QString row(const QString& keys, const QString& what) {
    return QStringLiteral("<tr><td style='padding-right:24px'><b>%1</b></td><td>%2</td></tr>").arg(keys.toHtmlEscaped(), what.toHtmlEscaped());
}

}  // namespace

ShortcutsDialog::ShortcutsDialog(const QVector<QAction*>& actions, QWidget* parent) : QDialog(parent) {
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(QStringLiteral("shortcuts"));
    setWindowTitle(tr("Keyboard shortcuts"));
    QString html = QStringLiteral("<h3>%1</h3><table>").arg(tr("Window"));
    for (const QAction* action : actions)
        if (!action->shortcut().isEmpty()) html += row(action->shortcut().toString(QKeySequence::NativeText), action->statusTip());
    html += QStringLiteral("</table><h3>%1</h3><table>").arg(tr("Graph"));
    html += row(tr("Mouse wheel"), tr("Zoom at the pointer"));
    html += row(tr("Drag"), tr("Move the picture"));
    html += row(tr("Click, Ctrl+click"), tr("Select a node, add it to the selection"));
    html += QStringLiteral("</table><h3>%1</h3><table>").arg(tr("Timeline"));
    html += row(QStringLiteral("W / S"), tr("Zoom in, zoom out"));
    html += row(QStringLiteral("A / D"), tr("Earlier, later"));
    html += row(tr("Drag"), tr("Measure a stretch of time"));
    html += row(tr("Shift+drag"), tr("Move along the time axis"));
    html += row(QStringLiteral("M"), tr("Zoom to the measured stretch"));
    html += QStringLiteral("</table><h3>%1</h3><table>").arg(tr("Tables"));
    html += row(tr("Right click on the header"), tr("Choose the columns"));
    html += row(tr("Double click"), tr("Show the node in the graph"));
    html += QStringLiteral("</table>");
    auto* text = new QTextBrowser(this);
    text->setHtml(html);
    text->setFrameShape(QFrame::NoFrame);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(text);
    layout->addWidget(buttons);
    resize(560, 620);
}

}  // namespace hs::ui
