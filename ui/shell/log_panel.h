// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QVector>
#include <QWidget>

class QPlainTextEdit;

namespace hs::ui {

class Theme;

/// What happened, newest last; bounded. Everything that a banner said stands here too.
class LogPanel : public QWidget {
    Q_OBJECT
public:
    enum class Severity { Info, Warning, Error };
    explicit LogPanel(const Theme* theme, QWidget* parent = nullptr);
    void add(Severity severity, const QString& text);
    void add(const QString& severity, const QString& text);  ///< "info", "warning", "error" as sessions spell it.
    QString plainText() const;

public slots:
    void clear();

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Entry {
        QDateTime at;
        Severity severity;
        QString text;
    };
    void append(const Entry& entry);
    void renderAll();

    const Theme* m_theme;
    QPlainTextEdit* m_view;
    QVector<Entry> m_entries;
};

}  // namespace hs::ui
