// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/devices/devices_panel.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QScrollArea>
#include <QSplitter>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include "ui/devices/catalog_model.h"
#include "ui/devices/counter_strip.h"
#include "ui/models/icon.h"
#include "ui/models/theme.h"

namespace hs::ui {

DevicesPanel::DevicesPanel(DeviceCatalog* catalog, Document* document, Theme* theme, QWidget* parent)
    : QWidget(parent),
      m_catalog(catalog),
      m_document(document),
      m_theme(theme),
      m_model(new CatalogModel(catalog, theme, this)),
      m_tree(new QTreeView(this)),
      m_title(new QLabel(this)),
      m_utilisation(new QLabel(this)),
      m_empty(new QLabel(this)),
      m_refresh(new QToolButton(this)) {
    m_tree->setModel(m_model);
    m_tree->setUniformRowHeights(true);
    m_tree->setAlternatingRowColors(true);
    m_tree->setFrameShape(QFrame::NoFrame);
    m_tree->header()->setStretchLastSection(true);
    m_refresh->setIcon(icon(QStringLiteral("refresh")));
    m_refresh->setAutoRaise(true);
    m_utilisation->setWordWrap(true);
    m_empty->setWordWrap(true);
    m_empty->setAlignment(Qt::AlignCenter);

    auto* strips = new QWidget(this);
    m_strips = new QVBoxLayout(strips);
    m_strips->setContentsMargins(0, 0, 0, 0);
    m_strips->setSpacing(2);
    m_strips->addStretch(1);
    auto* scroll = new QScrollArea(this);
    scroll->setWidget(strips);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);

    auto* right = new QWidget(this);
    auto* head = new QHBoxLayout;
    head->addWidget(m_title);
    head->addWidget(m_utilisation, 1);
    head->addWidget(m_refresh);
    auto* rightLayout = new QVBoxLayout(right);
    rightLayout->setContentsMargins(4, 0, 0, 0);
    rightLayout->addLayout(head);
    rightLayout->addWidget(m_empty, 1);
    rightLayout->addWidget(scroll, 3);

    auto* splitter = new QSplitter(this);
    splitter->addWidget(m_tree);
    splitter->addWidget(right);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(4, 4, 4, 4);
    layout->addWidget(splitter);

    connect(m_refresh, &QToolButton::clicked, catalog, &DeviceCatalog::refresh);
    connect(catalog, &DeviceCatalog::changed, this, &DevicesPanel::showCatalog);
    connect(document, &Document::runChanged, this, &DevicesPanel::showCounters);
    connect(document, &Document::statsChanged, this, &DevicesPanel::showCounters);
    connect(theme, &Theme::changed, this, [this] { m_tree->viewport()->update(); });
    retranslate();
    showCatalog();
    showCounters();
}

void DevicesPanel::retranslate() {
    m_title->setText(QStringLiteral("<b>%1</b>").arg(tr("Counters of the run")));
    m_refresh->setToolTip(tr("Look for devices again"));
    m_refresh->setAccessibleName(m_refresh->toolTip());
    m_tree->setAccessibleName(tr("Devices and plugins"));
}

void DevicesPanel::showCatalog() {
    m_refresh->setEnabled(!m_catalog->refreshing());
    for (int row = 0; row < m_model->rowCount(); ++row)
        if (m_model->isDevice(m_model->index(row, 0))) m_tree->setExpanded(m_model->index(row, 0), row == 0);
    m_tree->resizeColumnToContents(CatalogModel::Name);
    m_tree->resizeColumnToContents(CatalogModel::State);
}

void DevicesPanel::showCounters() {
    const auto stats = m_document->stats();
    const auto run = m_document->run();
    QStringList words;
    for (const DeviceStat& device : stats->devices)
        words << tr("%1: %2 busy").arg(QString::fromStdString(device.device), formatPercent(device.utilisation));
    m_utilisation->setText(words.join(QStringLiteral(" · ")));
    const auto count = static_cast<qsizetype>(stats->counters.size());
    while (m_shown.size() > count)
        delete m_shown.takeLast();
    while (m_shown.size() < count) {
        m_shown.append(new CounterStrip(m_theme, this));
        m_strips->insertWidget(static_cast<int>(m_shown.size()) - 1, m_shown.last());
    }
    for (qsizetype i = 0; i < count; ++i) {
        const RunStats::CounterSeries& series = stats->counters[static_cast<std::size_t>(i)];
        int deviceIndex = -1;
        for (std::size_t d = 0; d < run->devices.size(); ++d)
            if (series.track.deviceId == run->devices[d].id) deviceIndex = static_cast<int>(d);
        m_shown[i]->setSeries(series, deviceIndex, stats->firstNs, stats->lastNs);
    }
    m_empty->setText(m_document->hasRun() ? tr("This run recorded no counters.") : tr("Run a model to see utilisation, clocks and memory here."));
    m_empty->setVisible(count == 0);
}

void DevicesPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        m_model->rebuild();
        showCatalog();
        showCounters();
    }
    QWidget::changeEvent(event);
}

}  // namespace hs::ui
