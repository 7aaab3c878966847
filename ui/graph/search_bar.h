// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <QWidget>

namespace hs::ui {

/// The graph's search field: text, "3 of 17", previous, next, close. Knows nothing of graphs.
class SearchBar : public QWidget {
    Q_OBJECT
public:
    explicit SearchBar(QWidget* parent);
    QString text() const { return m_field->text(); }
    void setText(const QString& text) { m_field->setText(text); }
    void setMatches(int current, int count);  ///< current from 0; negative: none of them.
    void open();

signals:
    void textChanged(const QString& text);
    void step(int direction);  ///< +1 next, -1 previous.
    void closed();

protected:
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void retranslate();
    QLineEdit* m_field;
    QLabel* m_count;
    QToolButton *m_previous, *m_next, *m_close;
};

}  // namespace hs::ui
