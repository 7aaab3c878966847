// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QPixmap>
#include <QString>

namespace hs::ui {

class Theme;

/// One of resources/icons, drawn in the palette's text colour of the moment: follows a change of theme by itself.
QIcon icon(const QString& name);

/// A square of the device's colour with its letter, `size` logical pixels; identifies a device without colour too.
QPixmap deviceBadgePixmap(const Theme& theme, const QString& device, int deviceIndex, int size, qreal pixelRatio);

/// The same as an icon that a selection doesn't tint.
QIcon deviceBadgeIcon(const Theme& theme, const QString& device, int deviceIndex, int size, qreal pixelRatio);

}  // namespace hs::ui
