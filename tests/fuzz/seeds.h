// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace hs::fuzz {

/// Names and bytes of small valid models: plain, with subgraphs, functions, sparse and typed data, all attribute types.
std::vector<std::pair<std::string, std::string>> seeds();

}  // namespace hs::fuzz
