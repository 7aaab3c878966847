// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include "core/base/reason.h"

namespace hs::ui {

/// A reason in the person's language. `fallback` is shown for codes that this version does not know.
QString reasonText(const Reason& reason, const QString& fallback = {});

/// English templates that the catalogs hold (for the test that compares them with reasonTemplates()).
QStringList translatableReasons();

}  // namespace hs::ui
