// SPDX-License-Identifier: Apache-2.0
// Private to core/import.
#pragma once

#include "core/base/result.h"
#include "core/graph/shape.h"
#include "core/import/onnx_wire.pb.h"

namespace hs {

/// A declared type. A dimension of -1 or without value is unknown. Errors (BadInput, Unsupported) have no place; the caller adds it.
Result<ValueType> readType(const wire::TypeProto& proto);

/// Writes what readType reads; the key type of a map, which ValueType does not keep, is written as int64.
void fillType(wire::TypeProto& proto, const ValueType& type);

}  // namespace hs
