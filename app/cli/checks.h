// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <fstream>

#include "app/cli/verb.h"

namespace hs::cli {

/// A whole number of this range, in decimal digits; its help reads "N". Says what is wrong in words that people use.
CLI::Validator wholeNumber(std::uint64_t least, std::uint64_t most);

/// A finite number that is not negative.
CLI::Validator tolerance();

/// Opens a regular file at its beginning and gives its size. `code` for what is missing, may not be read, or is a folder, a
/// pipe or a device: those would block or never end.
Result<std::uint64_t> openRegular(const std::string& path, ErrorCode code, std::ifstream& file);

}  // namespace hs::cli
