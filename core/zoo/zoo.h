// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/graph/model.h"

namespace hs {

struct ZooEntry {
    std::string name;         ///< "resnet50"
    std::string description;  ///< One line.
    std::string inputs;       ///< "input: float32[N,3,224,224]"
};
const std::vector<ZooEntry>& zooEntries();
/// Builds a standard architecture with seeded He-scaled random weights, opset 17, symbolic batch. BadRequest for an unknown name.
Result<ModelPtr> buildZooModel(std::string_view name, std::uint64_t seed = 1);

}  // namespace hs
