// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace hs::store {

inline constexpr std::int64_t kApplicationId = 0x48534350;  ///< "HSCP", in the file's header.
inline constexpr int kSchemaVersion = 1;

/// Every table, index and view of a session, as one SQL script for an empty database.
std::string_view schemaSql();

/// Indexes over recorded spans. They slow writing down, so a run drops them at its start and builds them at its end.
std::string_view dropSpanIndexesSql();
std::string_view createSpanIndexesSql();

}  // namespace hs::store
