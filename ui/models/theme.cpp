// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/theme.h"

#include <QFile>
#include <QGuiApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPalette>
#include <QtDebug>
#include <algorithm>
#include <array>
#include <cmath>

namespace hs::ui {
namespace {

struct TokenName {
    Token token;
    const char* key;
};
constexpr std::array kTokens = {TokenName{Token::Background, "background"},
                                TokenName{Token::Surface, "surface"},
                                TokenName{Token::Text, "text"},
                                TokenName{Token::MutedText, "mutedText"},
                                TokenName{Token::Line, "line"},
                                TokenName{Token::Accent, "accent"},
                                TokenName{Token::AccentText, "accentText"},
                                TokenName{Token::Warning, "warning"},
                                TokenName{Token::Error, "error"},
                                TokenName{Token::NodeFill, "nodeFill"},
                                TokenName{Token::NodeBorder, "nodeBorder"},
                                TokenName{Token::Edge, "edge"},
                                TokenName{Token::EdgeSelected, "edgeSelected"},
                                TokenName{Token::Track, "track"},
                                TokenName{Token::GridLine, "gridLine"}};

QVector<QColor> colorList(const QJsonValue& value) {
    QVector<QColor> out;
    for (const QJsonValue& entry : value.toArray())
        out.append(QColor(entry.toString()));
    return out;
}

QColor mix(const QColor& a, const QColor& b, double t) {
    const auto lerp = [t](int x, int y) { return static_cast<int>(std::lround(x + (y - x) * t)); };
    return {lerp(a.red(), b.red()), lerp(a.green(), b.green()), lerp(a.blue(), b.blue())};
}

}  // namespace

Theme::Theme(QObject* parent) : QObject(parent) {
    if (qGuiApp != nullptr) {
        const QPalette system = QGuiApplication::palette();
        m_systemDark = system.color(QPalette::WindowText).lightness() > system.color(QPalette::Window).lightness();
    }
    m_dark = m_systemDark;
    load(m_dark ? QStringLiteral(":/themes/dark.json") : QStringLiteral(":/themes/light.json"));
}

bool Theme::load(const QString& resource) {
    QFile file(resource);
    if (!file.open(QIODevice::ReadOnly)) {
        qWarning("theme table %s is missing from the program", qPrintable(resource));
        return false;
    }
    const QJsonObject table = QJsonDocument::fromJson(file.readAll()).object();
    m_colors.clear();
    for (const TokenName& entry : kTokens)
        m_colors.insert(static_cast<int>(entry.token), QColor(table.value(QLatin1String(entry.key)).toString()));
    m_devices = colorList(table.value(QLatin1String("devices")));
    m_heat = colorList(table.value(QLatin1String("heat")));
    m_opTypes = colorList(table.value(QLatin1String("opTypes")));
    m_host = QColor(table.value(QLatin1String("host")).toString());
    return true;
}

void Theme::setMode(Mode mode) {
    m_mode = mode;
    m_dark = mode == Mode::Dark || (mode == Mode::System && m_systemDark);
    load(m_dark ? QStringLiteral(":/themes/dark.json") : QStringLiteral(":/themes/light.json"));
    applyPalette();
    emit changed();
}

void Theme::applyPalette() const {
    if (qGuiApp == nullptr) return;
    QPalette p;
    p.setColor(QPalette::Window, color(Token::Background));
    p.setColor(QPalette::WindowText, color(Token::Text));
    p.setColor(QPalette::Base, color(Token::Surface));
    p.setColor(QPalette::AlternateBase, color(Token::Track));
    p.setColor(QPalette::ToolTipBase, color(Token::Surface));
    p.setColor(QPalette::ToolTipText, color(Token::Text));
    p.setColor(QPalette::Text, color(Token::Text));
    p.setColor(QPalette::PlaceholderText, color(Token::MutedText));
    p.setColor(QPalette::Button, color(Token::Background));
    p.setColor(QPalette::ButtonText, color(Token::Text));
    p.setColor(QPalette::BrightText, color(Token::Error));
    p.setColor(QPalette::Link, color(Token::Accent));
    p.setColor(QPalette::Highlight, color(Token::Accent));
    p.setColor(QPalette::HighlightedText, color(Token::AccentText));
    p.setColor(QPalette::Light, color(Token::Surface));
    p.setColor(QPalette::Midlight, color(Token::Line));
    p.setColor(QPalette::Mid, color(Token::Line));
    p.setColor(QPalette::Dark, color(Token::NodeBorder));
    p.setColor(QPalette::Shadow, color(Token::Line));
    const QColor faded = mix(color(Token::Text), color(Token::Background), 0.55);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        p.setColor(QPalette::Disabled, role, faded);
    QGuiApplication::setPalette(p);
}

QColor Theme::color(Token token) const {
    return m_colors.value(static_cast<int>(token));
}

QColor Theme::deviceColor(int deviceIndex) const {
    return deviceIndex < 0 || m_devices.isEmpty() ? m_host : m_devices[deviceIndex % m_devices.size()];
}

QChar Theme::deviceBadge(const QString& deviceName) {
    if (deviceName.isEmpty()) return u'–';
    if (deviceName.startsWith(QLatin1String("cuda")) || deviceName.startsWith(QLatin1String("gpu"))) return u'G';
    return deviceName[0].toUpper();
}

QColor Theme::heat(double fraction) const {
    if (m_heat.size() < 2) return m_host;
    const double at = std::clamp(std::isfinite(fraction) ? fraction : 0.0, 0.0, 1.0) * static_cast<double>(m_heat.size() - 1);
    const auto low = std::min(static_cast<qsizetype>(at), m_heat.size() - 2);
    return mix(m_heat[low], m_heat[low + 1], at - static_cast<double>(low));
}

QColor Theme::opTypeColor(const QString& opType) const {
    if (m_opTypes.isEmpty()) return m_host;
    // FNV-1a: the same colour in every process, which qHash does not promise.
    quint32 hash = 2166136261U;
    for (const QChar c : opType)
        hash = (hash ^ c.unicode()) * 16777619U;
    return m_opTypes[static_cast<qsizetype>(hash % static_cast<quint32>(m_opTypes.size()))];
}

}  // namespace hs::ui
