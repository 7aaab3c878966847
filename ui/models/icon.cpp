// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/icon.h"

#include <QFile>
#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPalette>
#include <QPixmapCache>
#include <QSvgRenderer>

#include "ui/models/theme.h"

namespace hs::ui {
namespace {

/// Recolours a monochrome SVG at the time of painting.
class SvgIconEngine : public QIconEngine {
public:
    explicit SvgIconEngine(QString name) : m_name(std::move(name)) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State /*state*/) override {
        QByteArray svg = source();
        svg.replace("#000", color(mode).name().toLatin1());
        QSvgRenderer renderer(svg);
        const int side = std::min(rect.width(), rect.height());
        painter->setRenderHint(QPainter::Antialiasing);
        renderer.render(painter, QRectF(rect.x() + (rect.width() - side) / 2.0, rect.y() + (rect.height() - side) / 2.0, side, side));
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        const QString key = QStringLiteral("hs-icon/%1/%2/%3x%4").arg(m_name, color(mode).name()).arg(size.width()).arg(size.height());
        QPixmap out;
        if (QPixmapCache::find(key, &out)) return out;
        out = QPixmap(size);
        out.fill(Qt::transparent);
        QPainter painter(&out);
        paint(&painter, QRect(QPoint(), size), mode, state);
        painter.end();
        QPixmapCache::insert(key, out);
        return out;
    }

    QIconEngine* clone() const override { return new SvgIconEngine(m_name); }
    QString key() const override { return QStringLiteral("hs-svg"); }

private:
    QByteArray source() const {
        QFile file(QStringLiteral(":/icons/%1.svg").arg(m_name));
        if (file.open(QIODevice::ReadOnly)) return file.readAll();
        qWarning("icon %s is missing from the program", qPrintable(m_name));
        return {};
    }
    static QColor color(QIcon::Mode mode) {
        const QPalette palette = QGuiApplication::palette();
        if (mode == QIcon::Disabled) return palette.color(QPalette::Disabled, QPalette::ButtonText);
        return palette.color(mode == QIcon::Selected ? QPalette::HighlightedText : QPalette::ButtonText);
    }

    QString m_name;
};

}  // namespace

QIcon icon(const QString& name) {
    return QIcon(new SvgIconEngine(name));
}

QPixmap deviceBadgePixmap(const Theme& theme, const QString& device, int deviceIndex, int size, qreal pixelRatio) {
    const QColor fill = theme.deviceColor(deviceIndex);
    const QString key = QStringLiteral("hs-badge/%1/%2/%3/%4").arg(fill.name(), QString(Theme::deviceBadge(device))).arg(size).arg(pixelRatio);
    QPixmap out;
    if (QPixmapCache::find(key, &out)) return out;
    out = QPixmap(QSize(size, size) * pixelRatio);
    out.setDevicePixelRatio(pixelRatio);
    out.fill(Qt::transparent);
    QPainter painter(&out);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(fill);
    painter.setPen(Qt::NoPen);
    painter.drawRoundedRect(QRectF(0, 0, size, size), size * 0.2, size * 0.2);
    QFont font = QGuiApplication::font();
    font.setPixelSize(std::max(7, size * 3 / 4));
    font.setBold(true);
    painter.setFont(font);
    painter.setPen(fill.lightness() > 130 ? Qt::black : Qt::white);
    painter.drawText(QRectF(0, 0, size, size), Qt::AlignCenter, Theme::deviceBadge(device));
    painter.end();
    QPixmapCache::insert(key, out);
    return out;
}

QIcon deviceBadgeIcon(const Theme& theme, const QString& device, int deviceIndex, int size, qreal pixelRatio) {
    const QPixmap badge = deviceBadgePixmap(theme, device, deviceIndex, size, pixelRatio);
    QIcon out(badge);
    out.addPixmap(badge, QIcon::Selected);
    return out;
}

}  // namespace hs::ui
