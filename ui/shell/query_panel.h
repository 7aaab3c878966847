// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QThreadPool>
#include <QWidget>

#include "core/base/result.h"
#include "core/store/session_reader.h"

class QComboBox;
class QLabel;
class QPlainTextEdit;
class QPushButton;
class QTableView;

namespace hs::ui {

class Document;
class QueryResultModel;
class Theme;

/// Read-only SQL over the open session, with examples to start from. Queries run off the UI thread.
class QueryPanel : public QWidget {
    Q_OBJECT
public:
    QueryPanel(Document* document, Theme* theme, QWidget* parent = nullptr);
    ~QueryPanel() override;
    void setSql(const QString& sql);
    QString status() const;
    QueryResultModel* results() const { return m_model; }

public slots:
    void runQuery();

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void retranslate();
    enum class State { Idle, NoSession, Asking, Answered, Failed };
    void setState(State state);
    void showStatus();
    void take(int ticket, Result<QueryResult> result, qint64 tookNs);

    Document* m_document;
    Theme* m_theme;
    QComboBox* m_examples;
    QPlainTextEdit* m_sql;
    QPushButton* m_run;
    QTableView* m_table;
    QLabel* m_status;
    QueryResultModel* m_model;
    QThreadPool m_pool;
    int m_ticket = 0;
    State m_state = State::Idle;
    QString m_error;
    qint64 m_tookNs = 0;
};

}  // namespace hs::ui
