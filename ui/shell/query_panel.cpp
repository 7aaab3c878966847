// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/query_panel.h"

#include <QComboBox>
#include <QElapsedTimer>
#include <QEvent>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QVBoxLayout>
#include <array>

#include "ui/models/document.h"
#include "ui/models/icon.h"
#include "ui/models/theme.h"
#include "ui/shell/query_result_model.h"

namespace hs::ui {
namespace {

constexpr std::size_t kMostRows = 100'000;

struct Example {
    const char* title;
    const char* sql;
};
constexpr std::array kExamples = {
    Example{QT_TRANSLATE_NOOP("hs::ui::QueryPanel", "Slowest nodes"),
            "SELECT name, op_type, device, executor, calls, mean_ns, share\nFROM op_stats ORDER BY total_ns DESC LIMIT 20"},
    Example{QT_TRANSLATE_NOOP("hs::ui::QueryPanel", "Time by operator type"),
            "SELECT op_type, count(*) AS nodes, sum(total_ns) AS total_ns, sum(share) AS share\nFROM op_stats GROUP BY op_type ORDER BY total_ns DESC"},
    Example{QT_TRANSLATE_NOOP("hs::ui::QueryPanel", "How busy each device was"),
            "SELECT device, busy_ns, idle_ns, copy_ns, utilisation, peak_bytes\nFROM device_stats"},
    Example{QT_TRANSLATE_NOOP("hs::ui::QueryPanel", "Nodes that were not executed"),
            "SELECT name, op_type, outcome, fused_with\nFROM op_stats WHERE calls = 0"},
    Example{QT_TRANSLATE_NOOP("hs::ui::QueryPanel", "Time of each iteration"),
            "SELECT run_id, iteration, min(start_ns) AS start_ns, max(start_ns + dur_ns) - min(start_ns) AS wall_ns\nFROM span WHERE iteration >= 0 GROUP BY "
            "run_id, iteration"},
    Example{QT_TRANSLATE_NOOP("hs::ui::QueryPanel", "Runs of this session"), "SELECT id, label, status, started_at, message\nFROM run"},
};

}  // namespace

QueryPanel::QueryPanel(Document* document, Theme* theme, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_theme(theme),
      m_examples(new QComboBox(this)),
      m_sql(new QPlainTextEdit(this)),
      m_run(new QPushButton(this)),
      m_table(new QTableView(this)),
      m_status(new QLabel(this)),
      m_model(new QueryResultModel(this)) {
    m_pool.setMaxThreadCount(1);
    for (const Example& example : kExamples)
        m_examples->addItem({}, QString::fromLatin1(example.sql));
    m_sql->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_sql->setMaximumHeight(fontMetrics().height() * 7);
    m_sql->setPlainText(QString::fromLatin1(kExamples[0].sql));
    m_sql->setTabChangesFocus(true);
    m_sql->installEventFilter(this);
    m_run->setIcon(icon(QStringLiteral("run")));
    auto* proxy = new QSortFilterProxyModel(this);
    proxy->setSourceModel(m_model);
    proxy->setSortRole(Qt::EditRole);
    m_table->setModel(proxy);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(-1, Qt::AscendingOrder);
    m_table->setAlternatingRowColors(true);
    m_table->setShowGrid(false);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_status->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_status->setWordWrap(true);

    auto* head = new QHBoxLayout;
    head->addWidget(m_examples, 1);
    head->addWidget(m_run);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(4, 4, 4, 4);
    layout->setSpacing(4);
    layout->addLayout(head);
    layout->addWidget(m_sql);
    layout->addWidget(m_table, 1);
    layout->addWidget(m_status);
    connect(m_examples, &QComboBox::activated, this, [this](int index) {
        m_sql->setPlainText(m_examples->itemData(index).toString());
        runQuery();
    });
    connect(m_run, &QPushButton::clicked, this, &QueryPanel::runQuery);
    connect(theme, &Theme::changed, this, &QueryPanel::showStatus);
    retranslate();
}

QueryPanel::~QueryPanel() {
    m_pool.waitForDone();
}

void QueryPanel::retranslate() {
    for (int i = 0; i < static_cast<int>(kExamples.size()); ++i)
        m_examples->setItemText(i, tr(kExamples[static_cast<std::size_t>(i)].title));
    m_examples->setToolTip(tr("Examples to start from"));
    m_examples->setAccessibleName(m_examples->toolTip());
    m_run->setText(tr("Ask"));
    m_run->setToolTip(tr("Run the query (Ctrl+Enter)"));
    m_sql->setAccessibleName(tr("SQL"));
    m_table->setAccessibleName(tr("Answer"));
    showStatus();
}

void QueryPanel::showStatus() {
    QString words;
    switch (m_state) {
        case State::Idle:
            words =
                tr("Reads the session only; it cannot be changed from here. Tables: run, node, step, span, counter, memory_event; views: op_stats, "
                   "device_stats, transfer_stats.");
            break;
        case State::NoSession: words = tr("There is no session yet: run the model, or open a .hscope file."); break;
        case State::Asking: words = tr("Asking…"); break;
        case State::Failed: words = m_error; break;
        case State::Answered:
            words = tr("%n row(s) in %1", nullptr, m_model->rowCount()).arg(formatDuration(static_cast<double>(m_tookNs)));
            if (m_model->truncated()) words += QStringLiteral(" · ") + tr("more rows exist: narrow the query");
            break;
    }
    m_status->setText(words);
    QPalette palette;
    if (m_state == State::Failed) palette.setColor(QPalette::WindowText, m_theme->color(Token::Error));
    m_status->setPalette(palette);
}

void QueryPanel::setState(State state) {
    m_state = state;
    showStatus();
}

void QueryPanel::setSql(const QString& sql) {
    m_sql->setPlainText(sql);
}

QString QueryPanel::status() const {
    return m_status->text();
}

void QueryPanel::runQuery() {
    const QString path = m_document->sessionPath();
    const int ticket = ++m_ticket;
    if (path.isEmpty()) {
        setState(State::NoSession);
        return;
    }
    setState(State::Asking);
    m_pool.start([this, ticket, path = path.toStdString(), sql = m_sql->toPlainText().toStdString()] {
        QElapsedTimer timer;
        timer.start();
        auto reader = SessionReader::open(path);
        Result<QueryResult> result = reader ? (*reader)->query(sql, kMostRows) : Result<QueryResult>(tl::unexpected(reader.error()));
        const qint64 took = timer.nsecsElapsed();
        // The destructor waits for this thread, so that `this` outlives the call; the queue drops it after.
        QMetaObject::invokeMethod(
            this, [this, ticket, result = std::move(result), took]() mutable { take(ticket, std::move(result), took); }, Qt::QueuedConnection);
    });
}

void QueryPanel::take(int ticket, Result<QueryResult> result, qint64 tookNs) {
    if (ticket != m_ticket) return;
    if (!result) {
        m_error = QString::fromStdString(result.error().text());
        setState(State::Failed);
        return;
    }
    m_tookNs = tookNs;
    m_model->setResult(std::move(*result));
    setState(State::Answered);
    m_table->resizeColumnsToContents();
}

bool QueryPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_sql && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->modifiers().testFlag(Qt::ControlModifier) && (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter)) {
            runQuery();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void QueryPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QWidget::changeEvent(event);
}

}  // namespace hs::ui
