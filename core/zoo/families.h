// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "core/base/result.h"
#include "core/graph/model.h"

namespace hs {

Result<ModelPtr> buildMlp(std::uint64_t seed);
Result<ModelPtr> buildResnet50(std::uint64_t seed);
Result<ModelPtr> buildMobilenetV2(std::uint64_t seed);
Result<ModelPtr> buildSqueezenet(std::uint64_t seed);
Result<ModelPtr> buildYoloLike(std::uint64_t seed);
Result<ModelPtr> buildLstm(std::uint64_t seed);
Result<ModelPtr> buildGru(std::uint64_t seed);

/// Sizes of a transformer.
struct TransformerSize {
    std::string name;
    std::int64_t layers, hidden, heads, vocabulary, positions;
};
Result<ModelPtr> buildBert(const TransformerSize& size, std::uint64_t seed);
Result<ModelPtr> buildGpt2(const TransformerSize& size, std::uint64_t seed);

/// Exactly `nodes` tiny nodes.
Result<ModelPtr> buildWide(const std::string& name, std::size_t nodes, std::uint64_t seed);

}  // namespace hs
