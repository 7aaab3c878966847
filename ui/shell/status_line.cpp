// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/status_line.h"

#include <QEvent>
#include <QLabel>
#include <QProgressBar>
#include <QToolButton>

#include "ui/graph/graph_view.h"
#include "ui/models/icon.h"
#include "ui/models/run_facts.h"
#include "ui/models/run_list_model.h"

namespace hs::ui {
namespace {

constexpr int kPatienceMs = 150;

}  // namespace

StatusLine::StatusLine(Document* document, GraphView* graph, QWidget* parent)
    : QStatusBar(parent), m_document(document), m_graph(graph), m_text(new QLabel(this)), m_bar(new QProgressBar(this)), m_cancel(new QToolButton(this)) {
    setSizeGripEnabled(false);
    m_text->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setContentsMargins(8, 0, 8, 0);
    m_text->setForegroundRole(QPalette::PlaceholderText);
    m_bar->setRange(0, 0);
    m_bar->setFixedSize(120, fontMetrics().height() - 2);
    m_bar->setTextVisible(false);
    m_cancel->setIcon(icon(QStringLiteral("close")));
    m_cancel->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_cancel->setIconSize(QSize(12, 12));
    m_cancel->setAutoRaise(true);
    addWidget(m_text, 1);
    addPermanentWidget(m_bar);
    addPermanentWidget(m_cancel);
    m_patience.setSingleShot(true);
    m_patience.setInterval(kPatienceMs);
    connect(&m_patience, &QTimer::timeout, this, &StatusLine::refresh);
    connect(m_cancel, &QToolButton::clicked, this, &StatusLine::cancel);
    connect(document, &Document::loadingProgress, this, [this](LoadStage stage, const QString& file) {
        m_stage = stage;
        m_file = file;
        refresh();
    });
    connect(document, &Document::loadingChanged, this, [this] {
        if (m_document->loading()) m_patience.start();
        refresh();
    });
    for (const auto signal : {&Document::modelChanged, &Document::runChanged, &Document::statsChanged})
        connect(document, signal, this, &StatusLine::refresh);
    connect(graph, &GraphView::layoutStarted, this, [this] {
        m_layingOut = true;
        m_layoutCancelled = false;
        m_patience.start();
        refresh();
    });
    connect(graph, &GraphView::layoutFinished, this, [this] {
        m_layingOut = false;
        refresh();
    });
    connect(graph, &GraphView::layoutCancelled, this, [this] {
        m_layingOut = false;
        m_layoutCancelled = m_document->model() != nullptr;
        refresh();
    });
    refresh();
}

void StatusLine::cancel() {
    if (m_document->loading())
        m_document->cancelOpening();
    else
        m_graph->cancelLayout();
}

QString StatusLine::text() const {
    return m_text->text();
}

QString StatusLine::busyText() const {
    if (!m_document->loading()) return tr("Laying out the graph…");
    return m_stage == LoadStage::Reading ? tr("Reading %1…").arg(m_file) : tr("Inferring shapes of %1…").arg(m_file);
}

QString StatusLine::idleText() const {
    QStringList words;
    if (const ModelPtr model = m_document->model()) {
        words << tr("%n node(s)", nullptr, static_cast<int>(model->nodes().size()));
        if (m_layoutCancelled) words << tr("layout cancelled: F starts it again");
    }
    if (m_document->hasRun()) {
        const RunInfo& run = m_document->stats()->info;
        words << tr("run %1: %2").arg(run.id).arg(runStatusText(QString::fromStdString(run.status)));
        if (const QString recorded = recordingText(run); !recorded.isEmpty()) words << tr("recorded: %1").arg(recorded);
        if (const QString overhead = overheadText(run); !overhead.isEmpty()) words << tr("cost of profiling: %1").arg(overhead);
    }
    return words.join(QStringLiteral("  ·  "));
}

void StatusLine::refresh() {
    const bool busy = (m_document->loading() || m_layingOut) && !m_patience.isActive();
    m_bar->setVisible(busy);
    m_cancel->setVisible(busy);
    m_cancel->setText(tr("Cancel"));
    m_cancel->setToolTip(m_document->loading() ? tr("Do not open this file") : tr("Keep the layout as it is"));
    m_bar->setAccessibleName(tr("Progress"));
    m_text->setText(busy ? busyText() : idleText());
    m_text->setToolTip(m_text->text());
}

void StatusLine::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) refresh();
    QStatusBar::changeEvent(event);
}

}  // namespace hs::ui
