// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <functional>

class QLabel;
class QPushButton;
class QToolButton;

namespace hs::ui {

class Theme;

/// A line above the views that says what happened and what to do. Never blocks; stays until it is closed or replaced.
class Banner : public QFrame {
    Q_OBJECT
public:
    enum class Level { Info, Warning, Error };
    explicit Banner(const Theme* theme, QWidget* parent = nullptr);
    /// `action` (may be empty) becomes a button that emits actionRequested().
    void showMessage(Level level, const QString& text, const QString& action = {});
    /// The same with words that follow a change of language.
    void showMessage(Level level, std::function<QString()> text, std::function<QString()> action);
    QString text() const;

signals:
    void actionRequested();

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void retranslate();
    void showIcon();

    const Theme* m_theme;
    Level m_level = Level::Info;
    std::function<QString()> m_words, m_actionWords;
    QLabel* m_icon;
    QLabel* m_text;
    QPushButton* m_action;
    QToolButton* m_close;
};

}  // namespace hs::ui
