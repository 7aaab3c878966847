// SPDX-License-Identifier: Apache-2.0
// libFuzzer target: whatever the bytes are, the importer answers with a model or an error, and a model can be examined and written.
#include <cstddef>
#include <cstdint>
#include <span>

#include "tests/fuzz/import_once.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    hs::fuzz::importOnce(std::as_bytes(std::span(data, size)));
    return 0;
}
