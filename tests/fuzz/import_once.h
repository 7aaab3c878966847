// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdlib>
#include <span>

#include "core/graph/op_registry.h"
#include "core/import/importer.h"

namespace hs::fuzz {

/// Limits under which an input of a few kilobytes takes milliseconds.
inline ImportLimits smallLimits() {
    ImportLimits out;
    out.maxNodes = 20'000;
    out.maxValues = 100'000;
    out.maxTensorBytes = std::uint64_t{1} << 26;
    out.maxDenseBytes = std::uint64_t{1} << 24;
    return out;
}

/// Imports the bytes; infers, writes and reads again what was accepted. Aborts where a written model is not readable.
/// Returns whether the bytes were accepted.
inline bool importOnce(std::span<const std::byte> bytes) {
    const auto model = importModelBytes(bytes, "fuzz", {}, smallLimits());
    if (!model) return false;
    InferOptions options;
    options.lenient = true;
    (void)inferTypes(**model, options);
    (void)unknownOperators(**model);
    const auto written = exportModelBytes(**model);
    if (!written) return true;  // functions of an opset that the model does not import
    const auto again = importModelBytes(std::as_bytes(std::span(written->data(), written->size())), "again", {}, smallLimits());
    if (!again || (*again)->nodes().size() != (*model)->nodes().size()) std::abort();
    return true;
}

}  // namespace hs::fuzz
