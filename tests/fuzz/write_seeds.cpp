// SPDX-License-Identifier: Apache-2.0
// Writes the seed corpus of fuzz_import into a folder: small models that use every part of the format.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "core/import/importer.h"
#include "tests/fuzz/seeds.h"

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: fuzz_seeds FOLDER\n");
        return 2;
    }
    std::filesystem::create_directories(argv[1]);
    for (const auto& [name, bytes] : hs::fuzz::seeds()) {
        std::ofstream out(std::filesystem::path(argv[1]) / name, std::ios::binary);
        out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        if (!out) return 4;
    }
    return 0;
}
