// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/graph/model.h"

namespace hs::ui {

/// The value of an attribute on one line, long lists shortened.
QString attributeText(const Model& model, const AttributeValue& value);

}  // namespace hs::ui
