// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/log_panel.h"

#include <QEvent>
#include <QFontDatabase>
#include <QPlainTextEdit>
#include <QVBoxLayout>

#include "ui/models/theme.h"

namespace hs::ui {
namespace {

constexpr qsizetype kMostEntries = 2000;

}  // namespace

LogPanel::LogPanel(const Theme* theme, QWidget* parent) : QWidget(parent), m_theme(theme), m_view(new QPlainTextEdit(this)) {
    m_view->setReadOnly(true);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setMaximumBlockCount(kMostEntries);
    m_view->setAccessibleName(tr("Log"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(4, 4, 4, 4);
    layout->addWidget(m_view);
    connect(theme, &Theme::changed, this, &LogPanel::renderAll);
}

void LogPanel::add(Severity severity, const QString& text) {
    const Entry entry{QDateTime::currentDateTime(), severity, text};
    m_entries.append(entry);
    if (m_entries.size() > kMostEntries) m_entries.removeFirst();
    append(entry);
}

void LogPanel::add(const QString& severity, const QString& text) {
    add(severity == QLatin1String("error") ? Severity::Error : severity == QLatin1String("warning") ? Severity::Warning : Severity::Info, text);
}

void LogPanel::append(const Entry& entry) {
    const Token token = entry.severity == Severity::Error ? Token::Error : entry.severity == Severity::Warning ? Token::Warning : Token::Text;
    const QString mark = entry.severity == Severity::Error ? tr("error") : entry.severity == Severity::Warning ? tr("warning") : QString();
    const QString line = mark.isEmpty() ? entry.text : mark + QStringLiteral(": ") + entry.text;
    m_view->appendHtml(QStringLiteral("<span style='color:%1'>%2</span>&nbsp;&nbsp;<span style='color:%3'>%4</span>")
                           .arg(m_theme->color(Token::MutedText).name(), entry.at.toString(QStringLiteral("HH:mm:ss")), m_theme->color(token).name(),
                                line.toHtmlEscaped().replace(u'\n', QStringLiteral("<br>"))));
}

void LogPanel::renderAll() {
    m_view->clear();
    for (const Entry& entry : std::as_const(m_entries))
        append(entry);
}

QString LogPanel::plainText() const {
    return m_view->toPlainText();
}

void LogPanel::clear() {
    m_entries.clear();
    m_view->clear();
}

void LogPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) {
        m_view->setAccessibleName(tr("Log"));
        renderAll();
    }
    QWidget::changeEvent(event);
}

}  // namespace hs::ui
