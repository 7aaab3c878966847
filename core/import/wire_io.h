// SPDX-License-Identifier: Apache-2.0
// Private to core/import.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/import/onnx_wire.pb.h"

namespace hs {

/// Parses a message. BadInput names `file` and says that it is not `what`; also above protobuf's 2 GiB.
Status parseWire(std::span<const std::byte> bytes, const std::string& file, std::string_view what, google::protobuf::MessageLite& message);

}  // namespace hs
