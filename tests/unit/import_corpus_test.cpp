// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "import_support.h"

namespace hs {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> modelsUnder(const std::string& folder) {
    std::vector<fs::path> out;
    std::error_code error;
    for (fs::recursive_directory_iterator it(fs::path(HS_SHARED_DIR) / folder, error), end; !error && it != end; it.increment(error))
        if (it->path().extension() == ".onnx") out.push_back(it->path());
    std::sort(out.begin(), out.end());
    return out;
}

/// Those of category `invalid` that the file alone already condemns; the others fail later, at an operator or at the run.
const std::set<std::string> kRefusedAtLoad = {"icm-31000000518082", "model_with_external_initializer_come_from_user", "test_arbitrary_external_file",
                                              "test_evil_weights"};

void importAll(const std::string& folder, bool write) {
    const auto models = modelsUnder(folder);
    if (models.empty()) GTEST_SKIP() << "no models under " << folder;
    for (const auto& path : models) {
        const auto model = importModel(path.string());
        const bool refuse = kRefusedAtLoad.contains(path.parent_path().filename().string());
        EXPECT_EQ(model.has_value(), !refuse) << path << (model ? "" : model.error().text());
        if (!model || !write) continue;
        const auto bytes = exportModelBytes(**model);
        ASSERT_TRUE(bytes.has_value()) << path << bytes.error().text();
        const auto again = importModelBytes(test::asBytes(*bytes), path.string());
        ASSERT_TRUE(again.has_value()) << path << again.error().text();
        EXPECT_EQ((*again)->nodes().size(), (*model)->nodes().size()) << path;
        EXPECT_EQ((*again)->graphs().size(), (*model)->graphs().size()) << path;
        EXPECT_EQ((*again)->main().inputs.size(), (*model)->main().inputs.size()) << path;
    }
}

TEST(ImportCorpus, RuntimeTestModels) {
    importAll("models/ort-testdata", true);
}

TEST(ImportCorpus, RealModels) {
    importAll("models/npm", true);
}

TEST(ImportCorpus, ConformanceModels) {
    importAll("conformance", true);
}

}  // namespace
}  // namespace hs
