// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/start_page.h"

#include <QEvent>
#include <QFileInfo>
#include <QFontMetrics>
#include <QGridLayout>
#include <QIcon>
#include <QLabel>
#include <QListWidget>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

#include "core/zoo/zoo.h"
#include "ui/models/icon.h"
#include "ui/models/theme.h"
#include "ui/shell/recent_files.h"

namespace hs::ui {
namespace {

constexpr int kColumnWidth = 380;

QListWidget* makeList(QWidget* parent) {
    auto* list = new QListWidget(parent);
    list->setMinimumSize(kColumnWidth, 260);
    list->setMaximumWidth(kColumnWidth + 80);
    list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list->setTextElideMode(Qt::ElideMiddle);
    list->setSpacing(1);
    return list;
}

}  // namespace

StartPage::StartPage(RecentFiles* recent, const Theme* theme, QWidget* parent)
    : QWidget(parent),
      m_recent(recent),
      m_theme(theme),
      m_title(new QLabel(this)),
      m_lead(new QLabel(this)),
      m_open(new QPushButton(this)),
      m_drop(new QLabel(this)),
      m_recentTitle(new QLabel(this)),
      m_recentList(makeList(this)),
      m_zooTitle(new QLabel(this)),
      m_zooList(makeList(this)) {
    QFont big = font();
    big.setPointSizeF(big.pointSizeF() * 1.8);
    m_title->setFont(big);
    m_lead->setWordWrap(true);
    m_lead->setMaximumWidth(2 * kColumnWidth + 100);
    m_open->setIcon(icon(QStringLiteral("open")));
    auto* logo = new QLabel(this);
    logo->setPixmap(QIcon(QStringLiteral(":/icons/heteroscope.svg")).pixmap(64, 64));
    logo->setFixedSize(64, 64);

    auto* head = new QGridLayout;
    head->setHorizontalSpacing(16);
    head->addWidget(logo, 0, 0, 2, 1, Qt::AlignTop);
    head->addWidget(m_title, 0, 1);
    head->addWidget(m_lead, 1, 1);
    head->setColumnStretch(1, 1);
    auto* begin = new QHBoxLayout;
    begin->addWidget(m_open);
    begin->addSpacing(12);
    begin->addWidget(m_drop, 1);
    auto* columns = new QGridLayout;
    columns->setHorizontalSpacing(24);
    columns->addWidget(m_recentTitle, 0, 0);
    columns->addWidget(m_zooTitle, 0, 1);
    columns->addWidget(m_recentList, 1, 0);
    columns->addWidget(m_zooList, 1, 1);
    auto* inner = new QVBoxLayout;
    inner->setSpacing(20);
    inner->addStretch(1);
    inner->addLayout(head);
    inner->addLayout(begin);
    inner->addLayout(columns, 6);
    inner->addStretch(1);
    auto* outer = new QHBoxLayout(this);
    outer->setContentsMargins(32, 24, 32, 24);
    outer->addStretch(1);
    outer->addLayout(inner, 6);
    outer->addStretch(1);

    connect(m_open, &QPushButton::clicked, this, &StartPage::openRequested);
    connect(recent, &RecentFiles::changed, this, &StartPage::fillRecent);
    const auto openItem = [this](const QListWidgetItem* item) {
        if (item->flags().testFlag(Qt::ItemIsEnabled)) emit fileRequested(item->data(Qt::UserRole).toString());
    };
    const auto openZoo = [this](const QListWidgetItem* item) {
        if (m_busy.isEmpty() && item->flags().testFlag(Qt::ItemIsEnabled)) emit zooRequested(item->data(Qt::UserRole).toString());
    };
    connect(m_recentList, &QListWidget::itemClicked, this, openItem);
    connect(m_recentList, &QListWidget::itemActivated, this, openItem);
    connect(m_zooList, &QListWidget::itemClicked, this, openZoo);
    retranslate();
}

void StartPage::retranslate() {
    m_title->setText(tr("Heteroscope"));
    m_lead->setText(tr("Open an ONNX model to see what it is, run it to see where the time and the memory went, and find out why each node ran where it ran."));
    m_open->setText(tr("Open a model or a session…"));
    m_drop->setText(tr("or drop an .onnx or .hscope file here"));
    m_recentTitle->setText(QStringLiteral("<b>%1</b>").arg(tr("Recent files")));
    m_zooTitle->setText(QStringLiteral("<b>%1</b>").arg(tr("Standard models to try, one click each")));
    m_recentList->setAccessibleName(tr("Recent files"));
    m_zooList->setAccessibleName(tr("Standard models"));
    fillRecent();
    fillZoo();
}

void StartPage::fillRecent() {
    m_recentList->clear();
    for (const QString& path : m_recent->files()) {
        const QFileInfo info(path);
        auto* item = new QListWidgetItem(icon(info.suffix() == QLatin1String("hscope") ? QStringLiteral("history") : QStringLiteral("model")),
                                         QStringLiteral("%1\n%2").arg(info.fileName(), info.absolutePath()), m_recentList);
        item->setData(Qt::UserRole, path);
        item->setToolTip(path);
    }
    if (m_recentList->count() == 0) {
        auto* item = new QListWidgetItem(tr("Files that you open will be listed here."), m_recentList);
        item->setFlags(Qt::NoItemFlags);
    }
}

void StartPage::fillZoo() {
    m_zooList->clear();
    for (const ZooEntry& entry : zooEntries()) {
        const QString name = QString::fromStdString(entry.name);
        const QString words = name == m_busy ? tr("making the model…") : QString::fromStdString(entry.description);
        auto* item = new QListWidgetItem(icon(QStringLiteral("model")), QStringLiteral("%1\n%2").arg(name, words), m_zooList);
        item->setData(Qt::UserRole, name);
        item->setToolTip(QStringLiteral("%1\n%2").arg(QString::fromStdString(entry.description), QString::fromStdString(entry.inputs)));
    }
}

void StartPage::setBusy(const QString& zooName) {
    m_busy = zooName;
    fillZoo();
}

void StartPage::setDropTarget(bool hovering) {
    m_hovering = hovering;
    update();
}

void StartPage::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    painter.fillRect(rect(), m_theme->color(Token::Background));
    if (!m_hovering) return;
    painter.setPen(QPen(m_theme->color(Token::Accent), 2, Qt::DashLine));
    painter.drawRoundedRect(rect().adjusted(8, 8, -8, -8), 8, 8);
}

void StartPage::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QWidget::changeEvent(event);
}

}  // namespace hs::ui
