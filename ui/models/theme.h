// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QObject>
#include <QString>

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
    Mode m_mode = Mode::System;
    bool m_dark = false;
    QHash<int, QColor> m_colors;
};

/// Numbers as people read them: three significant digits with the unit that fits.
QString formatDuration(double ns);       ///< "1.24 ms", "318 µs", "42 ns"
QString formatBytes(double bytes);       ///< "1.50 MiB"
QString formatCount(double count);       ///< "25.6 M", "3.80 G"
QString formatPercent(double fraction);  ///< "12.3 %"

}  // namespace hs::ui
