// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/graph/search_bar.h"

#include <QHBoxLayout>
#include <QKeyEvent>

namespace hs::ui {
namespace {

QToolButton* button(QWidget* parent, Qt::ArrowType arrow) {
    auto* b = new QToolButton(parent);
    b->setArrowType(arrow);
    b->setAutoRaise(true);
    b->setFocusPolicy(Qt::NoFocus);
    return b;
}

}  // namespace

SearchBar::SearchBar(QWidget* parent)
    : QWidget(parent),
      m_field(new QLineEdit(this)),
      m_count(new QLabel(this)),
      m_previous(button(this, Qt::UpArrow)),
      m_next(button(this, Qt::DownArrow)),
      m_close(button(this, Qt::NoArrow)) {
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    m_field->setClearButtonEnabled(true);
    m_field->setMinimumWidth(200);
    m_field->installEventFilter(this);
    m_close->setText(QStringLiteral("✕"));
    m_count->setMinimumWidth(fontMetrics().horizontalAdvance(QStringLiteral("00000 / 00000")));
    m_count->setAlignment(Qt::AlignCenter);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(4, 4, 4, 4);
    row->setSpacing(4);
    for (QWidget* w : std::initializer_list<QWidget*>{m_field, m_count, m_previous, m_next, m_close})
        row->addWidget(w);
    connect(m_field, &QLineEdit::textChanged, this, &SearchBar::textChanged);
    connect(m_previous, &QToolButton::clicked, this, [this] { emit step(-1); });
    connect(m_next, &QToolButton::clicked, this, [this] { emit step(1); });
    connect(m_close, &QToolButton::clicked, this, &SearchBar::closed);
    setMatches(-1, 0);
    retranslate();
}

void SearchBar::retranslate() {
    m_field->setPlaceholderText(tr("Find node by name or type"));
    m_field->setAccessibleName(tr("Find node"));
    m_previous->setToolTip(tr("Previous match (Shift+Enter)"));
    m_next->setToolTip(tr("Next match (Enter)"));
    m_close->setToolTip(tr("Close search (Esc)"));
    for (QToolButton* b : {m_previous, m_next, m_close})
        b->setAccessibleName(b->toolTip());
}

void SearchBar::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QWidget::changeEvent(event);
}

void SearchBar::setMatches(int current, int count) {
    if (m_field->text().isEmpty())
        m_count->clear();
    else if (count == 0)
        m_count->setText(tr("none"));
    else
        m_count->setText(QStringLiteral("%1 / %2").arg(current + 1).arg(count));
    m_previous->setEnabled(count > 0);
    m_next->setEnabled(count > 0);
}

void SearchBar::open() {
    show();
    raise();
    m_field->setFocus(Qt::ShortcutFocusReason);
    m_field->selectAll();
}

void SearchBar::keyPressEvent(QKeyEvent* event) {
    event->accept();  // keys typed here never reach the graph's shortcuts
}

bool SearchBar::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_field && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);  // NOLINT: the type was just checked
        if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
            emit step((key->modifiers() & Qt::ShiftModifier) != 0 ? -1 : 1);
            return true;
        }
        if (key->key() == Qt::Key_Escape) {
            emit closed();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace hs::ui
