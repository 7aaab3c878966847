// SPDX-License-Identifier: Apache-2.0
// Replays the hostile files kept in tests/fuzz/fixtures (finds of the fuzzer go there too) and mutates the fuzzer's seeds a little, without needing clang.
#include "import_support.h"
#include "tests/fuzz/import_once.h"
#include "tests/fuzz/seeds.h"

namespace hs {
namespace {

std::string fromHex(std::istream& in) {
    std::string out;
    char high = 0;
    char low = 0;
    while (in >> high >> low)
        out += static_cast<char>(std::stoi(std::string{high, low}, nullptr, 16));
    return out;
}

TEST(ImportFuzz, KeptHostileFilesAreRefused) {
    int replayed = 0;
    for (const auto& entry : std::filesystem::directory_iterator(HS_SOURCE_DIR "/tests/fuzz/fixtures")) {
        if (entry.path().extension() != ".hex") continue;
        std::ifstream file(entry.path());
        SCOPED_TRACE(entry.path().filename().string());
        EXPECT_FALSE(fuzz::importOnce(test::asBytes(fromHex(file))));
        ++replayed;
    }
    EXPECT_GT(replayed, 0);
}

TEST(ImportFuzz, SeedsAreValidModels) {
    for (const auto& [name, bytes] : fuzz::seeds())
        EXPECT_TRUE(fuzz::importOnce(test::asBytes(bytes))) << name;
}

TEST(ImportFuzz, SmallSeedsCutOrChangedAnywhereAreHandled) {
    for (const auto& [name, bytes] : fuzz::seeds()) {
        if (bytes.size() > 1000) continue;
        std::size_t accepted = 0;
        for (std::size_t at = 0; at < bytes.size(); ++at) {
            accepted += fuzz::importOnce(test::asBytes(bytes.substr(0, at))) ? 1 : 0;
            std::string changed = bytes;
            changed[at] = static_cast<char>(changed[at] ^ 0x41);
            fuzz::importOnce(test::asBytes(changed));
        }
        // Only a cut between two of the model's last fields (functions, other domains) leaves a model that makes sense.
        EXPECT_LE(accepted, 4U) << name;
    }
}

}  // namespace
}  // namespace hs
