// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QHash>
#include <QObject>
#include <QString>
#include <QVector>

namespace hs::ui {

/// Colours by role, from the token tables in resources/themes (light.json, dark.json). No view has a literal colour.
enum class Token { Background, Surface, Text, MutedText, Line, Accent, AccentText, Warning, Error, NodeFill, NodeBorder, Edge, EdgeSelected, Track, GridLine };

/// The colours and number formats of the window. One instance, owned by the application.
class Theme : public QObject {
    Q_OBJECT
public:
    enum class Mode { System, Light, Dark };
    explicit Theme(QObject* parent = nullptr);

    void setMode(Mode mode);  ///< Also sets the application's palette.
    Mode mode() const { return m_mode; }
    bool dark() const { return m_dark; }
    QColor color(Token token) const;
    /// Okabe-Ito colour of the index-th device in order of appearance; negative: host and unplaced (grey).
    QColor deviceColor(int deviceIndex) const;
    /// One letter that identifies the device's kind without colour ("C", "O", "G", "V").
    static QChar deviceBadge(const QString& deviceName);
    /// Perceptual one-hue ramp, 0 … 1.
    QColor heat(double fraction) const;
    /// A stable colour for a span of this category and operator type on the timeline.
    QColor opTypeColor(const QString& opType) const;

signals:
    void changed();

private:
    bool load(const QString& resource);
    void applyPalette() const;

    bool m_systemDark = false;
    Mode m_mode = Mode::System;
    bool m_dark = false;
    QHash<int, QColor> m_colors;
    QVector<QColor> m_devices, m_heat, m_opTypes;
    QColor m_host;
};

/// Numbers as people read them: three significant digits with the unit that fits; the decimal sign follows the locale.
QString formatDuration(double ns);       ///< "1.24 ms", "318 µs", "42 ns"
QString formatBytes(double bytes);       ///< "1.50 MiB"
QString formatCount(double count);       ///< "25.6 M", "3.80 G"
QString formatPercent(double fraction);  ///< "12.3 %"
/// Every digit, grouped, for tooltips: "1,240,318 ns", "1,572,864 B".
QString exactDuration(double ns);
QString exactBytes(double bytes);

}  // namespace hs::ui
