// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace hs::ui {

/// The name of a recorded counter in the person's language; one that this version does not know stays as it is.
QString counterName(const QString& name);
/// A sample with the unit that fits: "221 MiB", "2.60 GHz", "79.7 %". `unit` as the session spells it.
QString formatCounter(double value, const QString& unit);

}  // namespace hs::ui
