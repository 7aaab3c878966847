// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/memory/memory_panel.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QStackedLayout>
#include <QToolTip>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <qcustomplot.h>

#include "ui/models/selection.h"
#include "ui/models/theme.h"

namespace hs::ui {
namespace {

constexpr std::size_t kTensorsInTip = 12;

/// Ticks in the unit that fits, at round binary sizes.
class BytesTicker : public QCPAxisTicker {
protected:
    double getTickStep(const QCPRange& range) override { return std::max(1.0, std::exp2(std::round(std::log2(std::max(range.size(), 1.0) / 4.0)))); }
    QString getTickLabel(double tick, const QLocale& /*locale*/, QChar /*format*/, int /*precision*/) override { return formatBytes(tick); }
};

class TimeTicker : public QCPAxisTicker {
protected:
    QString getTickLabel(double tick, const QLocale& /*locale*/, QChar /*format*/, int /*precision*/) override { return formatDuration(tick); }
};

/// What the plan foresees for a device, from the run's plan_json; zero where it does not say.
struct Planned {
    double peak = 0, weights = 0;
};

Planned plannedOf(const RunInfo& run, const std::string& device) {
    const QJsonObject plan = QJsonDocument::fromJson(QByteArray::fromStdString(run.planJson)).object();
    for (const QJsonValue& entry : plan.value(QLatin1String("memory")).toArray())
        if (entry[QLatin1String("device")].toString().toStdString() == device)
            return {entry[QLatin1String("peak_bytes")].toDouble(), entry[QLatin1String("weight_bytes")].toDouble()};
    return {};
}

}  // namespace

MemoryPanel::MemoryPanel(Document* document, Selection* selection, Theme* theme, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_selection(selection),
      m_theme(theme),
      m_axis(new QComboBox(this)),
      m_summary(new QLabel(this)),
      m_empty(new QLabel(this)),
      m_plot(new QCustomPlot(this)) {
    m_axis->addItem({}, static_cast<int>(Axis::Time));
    m_axis->addItem({}, static_cast<int>(Axis::Steps));
    m_summary->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_summary->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_plot->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    m_plot->axisRect()->setRangeDrag(Qt::Horizontal);
    m_plot->axisRect()->setRangeZoom(Qt::Horizontal);
    m_plot->yAxis->setTicker(QSharedPointer<BytesTicker>::create());
    m_plot->legend->setVisible(true);
    m_plot->axisRect()->insetLayout()->setInsetAlignment(0, Qt::AlignTop | Qt::AlignRight);
    m_cursor = new QCPItemStraightLine(m_plot);
    m_cursor->setVisible(false);

    auto* head = new QHBoxLayout;
    head->addWidget(m_axis);
    head->addWidget(m_summary, 1);
    auto* body = new QWidget(this);
    m_stack = new QStackedLayout(body);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_plot);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(4, 4, 4, 4);
    layout->setSpacing(4);
    layout->addLayout(head);
    layout->addWidget(body, 1);

    connect(m_axis, &QComboBox::currentIndexChanged, this, [this] {
        m_fitted = false;
        rebuild();
    });
    connect(document, &Document::runChanged, this, [this] {
        m_fitted = false;
        rebuild();
    });
    connect(document, &Document::statsChanged, this, &MemoryPanel::rebuild);
    connect(theme, &Theme::changed, this, [this] {
        rebuild();
        restyle();
    });
    connect(m_plot, &QCustomPlot::mouseMove, this, &MemoryPanel::onHover);
    connect(m_plot, &QCustomPlot::mouseDoubleClick, this, &MemoryPanel::fit);
    connect(selection, &Selection::timeRangeChanged, this, [this] {
        if (const auto range = m_selection->timeRange(); range && axis() == Axis::Time && range->second > range->first) {
            m_plot->xAxis->setRange(static_cast<double>(range->first), static_cast<double>(range->second));
            m_plot->replot(QCustomPlot::rpQueuedReplot);
        }
    });
    retranslate();
    restyle();
    rebuild();
}

MemoryPanel::Axis MemoryPanel::axis() const {
    return static_cast<Axis>(m_axis->currentData().toInt());
}

void MemoryPanel::setAxis(Axis axis) {
    m_axis->setCurrentIndex(m_axis->findData(static_cast<int>(axis)));
}

void MemoryPanel::retranslate() {
    m_axis->setItemText(0, tr("Measured over time"));
    m_axis->setItemText(1, tr("Planned over steps"));
    m_axis->setAccessibleName(tr("What the memory plot shows"));
    m_plot->setAccessibleName(tr("Memory plot"));
}

void MemoryPanel::addSeries(const StepSeries& series, int device, const QString& name, bool planned) {
    if (series.x.empty()) return;
    QCPGraph* graph = m_plot->addGraph();
    QVector<double> x(series.x.cbegin(), series.x.cend());
    QVector<double> y(series.bytes.cbegin(), series.bytes.cend());
    if (!planned) {  // The last level holds until the end of what was recorded.
        x.append(std::max(x.last(), static_cast<double>(m_document->stats()->lastNs)));
        y.append(y.last());
    }
    graph->setData(x, y, true);
    graph->setLineStyle(QCPGraph::lsStepLeft);
    const QColor color = m_theme->deviceColor(device);
    graph->setPen(QPen(color, 1.5));
    QColor fill = color;
    fill.setAlpha(60);
    graph->setBrush(planned ? QBrush(fill, Qt::BDiagPattern) : QBrush(fill));
    graph->setName(name);
}

void MemoryPanel::addLevel(double bytes, int device, const QString& name) {
    if (bytes <= 0) return;
    QCPGraph* graph = m_plot->addGraph();
    const double last = axis() == Axis::Time ? static_cast<double>(m_document->stats()->lastNs) : static_cast<double>(m_document->run()->steps.size());
    graph->setData({0, last}, {bytes, bytes}, true);
    graph->setPen(QPen(m_theme->deviceColor(device), 1.5, Qt::DashLine));
    graph->setName(name);
}

void MemoryPanel::rebuild() {
    m_plot->clearGraphs();
    m_cursor->setVisible(false);
    const auto run = m_document->run();
    const auto stats = m_document->stats();
    QStringList words;
    for (std::size_t i = 0; i < run->devices.size(); ++i) {
        const DeviceRecord& device = run->devices[i];
        const QString name = QString::fromStdString(device.name);
        const int index = static_cast<int>(i);
        const StepSeries measured = measuredSeries(stats->memory, device.id);
        const StepSeries planned = plannedSeries(run->plannedSlots, device.id);
        const auto arena = static_cast<double>(plannedArenaBytes(run->plannedSlots, device.id));
        const Planned foreseen = plannedOf(stats->info, device.name);
        if (axis() == Axis::Time) {
            addSeries(measured, index, tr("%1 measured").arg(name), false);
            // The allocations hold weights and arena: so does the level that they are held against.
            addLevel(foreseen.peak > 0 ? foreseen.peak : arena, index, foreseen.peak > 0 ? tr("%1 planned peak").arg(name) : tr("%1 planned arena").arg(name));
        } else {
            addSeries(planned, index, tr("%1 planned, live").arg(name), true);
            addLevel(arena, index, tr("%1 planned arena").arg(name));
        }
        if (measured.peak() > 0 || arena > 0)
            words << tr("%1: measured peak %2; planned: weights ~%3, live values ~%4, arena ~%5")
                         .arg(name, formatBytes(measured.peak()), formatBytes(foreseen.weights), formatBytes(planned.peak()), formatBytes(arena));
    }
    m_summary->setText(words.join(QStringLiteral(" · ")));
    m_summary->setToolTip(words.join(u'\n'));
    m_empty->setText(!m_document->hasRun()  ? tr("Run the model to see its memory over time.")
                     : axis() == Axis::Time ? tr("This run recorded no allocations.")
                                            : tr("The plan of this run has no values of known size."));
    m_stack->setCurrentIndex(m_plot->graphCount() > 0 ? 1 : 0);
    m_plot->xAxis->setTicker(axis() == Axis::Time ? QSharedPointer<QCPAxisTicker>(new TimeTicker) : QSharedPointer<QCPAxisTicker>(new QCPAxisTicker));
    m_plot->xAxis->setLabel(axis() == Axis::Steps ? tr("Step of the plan") : QString());
    if (!m_fitted || m_document->running())
        fit();
    else
        m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void MemoryPanel::fit() {
    m_fitted = m_plot->graphCount() > 0;
    m_plot->rescaleAxes();
    // Iterations repeat each other: the stretch where memory changes is worth the room, the level after it a short tail.
    const auto& events = m_document->stats()->memory;
    if (axis() == Axis::Time && !events.empty() && !m_document->running()) {
        const auto [first, last] =
            std::minmax_element(events.begin(), events.end(), [](const MemoryRecord& a, const MemoryRecord& b) { return a.tsNs < b.tsNs; });
        const auto extent = static_cast<double>(last->tsNs - first->tsNs);
        m_plot->xAxis->setRange(static_cast<double>(first->tsNs) - 0.02 * extent, static_cast<double>(last->tsNs) + 0.1 * extent);
    }
    m_plot->yAxis->setRangeLower(0);
    m_plot->yAxis->setRangeUpper(std::max(1.0, m_plot->yAxis->range().upper * 1.25));
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

QString MemoryPanel::describe(double x) const {
    QStringList lines;
    const auto run = m_document->run();
    const auto stats = m_document->stats();
    const auto at = static_cast<std::int64_t>(std::floor(x));
    for (const DeviceRecord& device : run->devices) {
        const bool time = axis() == Axis::Time;
        const auto values = time ? liveAt(stats->memory, device.id, at, 100'000) : plannedAt(run->plannedSlots, device.id, at, 100'000);
        if (values.empty()) continue;
        double total = 0;
        for (const LiveValue& value : values)
            total += static_cast<double>(value.bytes);
        lines << tr("%1 at %2: %3 in %n value(s)", nullptr, static_cast<int>(values.size()))
                     .arg(QString::fromStdString(device.name), time ? formatDuration(x) : tr("step %1").arg(at), formatBytes(total));
        for (std::size_t i = 0; i < std::min(values.size(), kTensorsInTip); ++i)
            lines << QStringLiteral("    %1  %2").arg(formatBytes(static_cast<double>(values[i].bytes)), QString::fromStdString(values[i].name));
        if (values.size() > kTensorsInTip) lines << QStringLiteral("    …");
    }
    return lines.join(u'\n');
}

void MemoryPanel::onHover(QMouseEvent* event) {
    const double x = m_plot->xAxis->pixelToCoord(event->position().x());
    m_cursor->point1->setCoords(x, 0);
    m_cursor->point2->setCoords(x, 1);
    m_cursor->setVisible(true);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
    QToolTip::showText(event->globalPosition().toPoint(), describe(x), m_plot);
}

void MemoryPanel::restyle() {
    m_plot->setBackground(m_theme->color(Token::Surface));
    for (QCPAxis* axis : {m_plot->xAxis, m_plot->yAxis}) {
        axis->setBasePen(QPen(m_theme->color(Token::Line)));
        axis->setTickPen(QPen(m_theme->color(Token::Line)));
        axis->setSubTickPen(Qt::NoPen);
        axis->setTickLabelColor(m_theme->color(Token::MutedText));
        axis->setLabelColor(m_theme->color(Token::MutedText));
        axis->setTickLabelFont(font());
        axis->setLabelFont(font());
        axis->grid()->setPen(QPen(m_theme->color(Token::GridLine)));
        axis->grid()->setZeroLinePen(QPen(m_theme->color(Token::Line)));
    }
    m_plot->legend->setBrush(m_theme->color(Token::Surface));
    m_plot->legend->setBorderPen(QPen(m_theme->color(Token::Line)));
    m_plot->legend->setTextColor(m_theme->color(Token::Text));
    m_plot->legend->setFont(font());
    m_cursor->setPen(QPen(m_theme->color(Token::MutedText), 1, Qt::DotLine));
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void MemoryPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        rebuild();
    }
    if (event->type() == QEvent::FontChange) restyle();
    QWidget::changeEvent(event);
}

}  // namespace hs::ui
