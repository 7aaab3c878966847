// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/banner.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

#include "ui/models/icon.h"
#include "ui/models/theme.h"

namespace hs::ui {
namespace {

constexpr qsizetype kMostText = 1000;

}  // namespace

Banner::Banner(const Theme* theme, QWidget* parent)
    : QFrame(parent), m_theme(theme), m_icon(new QLabel(this)), m_text(new QLabel(this)), m_action(new QPushButton(this)), m_close(new QToolButton(this)) {
    setObjectName(QStringLiteral("banner"));
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    QSizePolicy narrow(QSizePolicy::Ignored, QSizePolicy::Preferred);  // A long path must not widen the window.
    narrow.setHeightForWidth(true);
    m_text->setSizePolicy(narrow);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_close->setIcon(icon(QStringLiteral("close")));
    m_close->setAutoRaise(true);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 4, 4, 4);
    layout->addWidget(m_icon);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_action);
    layout->addWidget(m_close);
    connect(m_close, &QToolButton::clicked, this, &QWidget::hide);
    connect(theme, &Theme::changed, this, &Banner::showIcon);
    connect(m_action, &QPushButton::clicked, this, &Banner::actionRequested);
    retranslate();
    hide();
}

void Banner::retranslate() {
    m_close->setToolTip(tr("Close this message"));
    m_close->setAccessibleName(m_close->toolTip());
    if (!m_words) return;
    const QString text = m_words();
    m_text->setText(text.size() > kMostText ? text.left(kMostText) + u'…' : text);
    m_text->setToolTip(text.size() > kMostText ? tr("The whole message is in the log") : QString());
    const QString action = m_actionWords();
    m_action->setText(action);
    m_action->setVisible(!action.isEmpty());
}

void Banner::showMessage(Level level, const QString& text, const QString& action) {
    showMessage(
        level, [text] { return text; }, [action] { return action; });
}

void Banner::showMessage(Level level, std::function<QString()> text, std::function<QString()> action) {
    m_level = level;
    m_words = std::move(text);
    m_actionWords = std::move(action);
    retranslate();
    showIcon();
    show();
    update();
}

void Banner::showIcon() {
    const QString name = m_level == Level::Info ? QStringLiteral("info") : m_level == Level::Warning ? QStringLiteral("warning") : QStringLiteral("error");
    m_icon->setPixmap(icon(name).pixmap(16, 16));
}

QString Banner::text() const {
    return m_text->text();
}

void Banner::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    painter.fillRect(rect(), m_theme->color(Token::Surface));
    const Token token = m_level == Level::Info ? Token::Accent : m_level == Level::Warning ? Token::Warning : Token::Error;
    painter.fillRect(QRect(0, 0, 4, height()), m_theme->color(token));
    painter.fillRect(QRect(0, height() - 1, width(), 1), m_theme->color(Token::Line));
}

void Banner::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QFrame::changeEvent(event);
}

}  // namespace hs::ui
