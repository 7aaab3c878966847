// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/graph/model.h"

namespace hs {

/// Bounds on what a stranger's file may ask for; beyond one of them the import fails with BadInput.
struct ImportLimits {
    std::uint64_t maxNodes = 1'000'000;  ///< After function expansion.
    std::uint64_t maxValues = 16'000'000;
    int maxSubgraphDepth = 64;
    int maxFunctionDepth = 64;
    std::uint64_t maxTensorBytes = std::uint64_t{1} << 40;
    std::uint64_t maxDenseBytes = std::uint64_t{1} << 30;  ///< Of all sparse tensors together, written out in full.
};

/// Reads an ONNX file: IR 3 to 13, model-local functions expanded, subgraphs kept, external data mapped from the model's
/// own folder. Weights are moved or mapped, never copied twice. Errors (BadInput, Unsupported) name the file and the place.
/// Unknown operators are not an error here: see unknownOperators().
Result<ModelPtr> importModel(const std::string& path, const ImportLimits& limits = {});
/// The same from memory; external data is looked for in `folder` (none: refused).
Result<ModelPtr> importModelBytes(std::span<const std::byte> bytes, const std::string& name, const std::string& folder = {}, const ImportLimits& limits = {});

/// An operator that the registry has no schema for, and the nodes that use it.
struct UnknownOperator {
    std::string opType, domain;
    std::vector<std::string> nodes;
};
std::vector<UnknownOperator> unknownOperators(const Model& model);

/// A serialized TensorProto (the .pb files of test cases).
Result<Tensor> readTensorFile(const std::string& path);
/// The same for a value of any type: a SequenceProto or OptionalProto where `type` is one. Unsupported: maps, sparse tensors
/// and containers of containers beyond optional(sequence(tensor)).
Result<Tensor> readValueFile(const std::string& path, const ValueType& type);
Result<Tensor> parseTensor(std::span<const std::byte> bytes, const std::string& where);
/// Serialized TensorProto with raw_data.
std::string serializeTensor(const Tensor& tensor, const std::string& name);

/// Writes a model as ONNX. Weights over `externalThreshold` bytes in total go to `path`.data beside it.
Status exportModel(const Model& model, const std::string& path, std::uint64_t externalThreshold = std::uint64_t{1} << 30);
/// The same in memory, all weights inside.
Result<std::string> exportModelBytes(const Model& model);

}  // namespace hs
