// SPDX-License-Identifier: Apache-2.0
// Inference against recorded outputs: a shape that inference claims must be the one that a conforming engine gives.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <iostream>

#include "core/graph/op_registry.h"
#include "core/import/importer.h"

namespace hs {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> casesUnder(const std::string& folder) {
    std::vector<fs::path> out;
    std::error_code error;
    for (fs::recursive_directory_iterator it(fs::path(HS_SHARED_DIR) / folder, error), end; !error && it != end; it.increment(error))
        if (it->path().extension() == ".onnx") out.push_back(it->path());
    std::sort(out.begin(), out.end());
    return out;
}

struct Tally {
    int cases = 0, notImported = 0, fullyStatic = 0, outputs = 0, staticOutputs = 0, tracked = 0;
};

bool isTensor(const Model& model, ValueId id) {
    return model.value(id).type.kind == TypeKind::Tensor && model.value(id).type.dtype != DType::String;
}

/// Gives the recorded inputs' types and the small integers among them; false when one cannot be read as a tensor.
bool readInputs(const Model& model, const fs::path& data, InferOptions& options) {
    const auto inputs = model.requiredInputs();
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const fs::path file = data / ("input_" + std::to_string(i) + ".pb");
        if (!isTensor(model, inputs[i]) || !fs::exists(file)) continue;
        const auto tensor = readTensorFile(file.string());
        if (!tensor) return false;
        options.inputs[inputs[i]] = tensor->type();
        if (isInteger(tensor->dtype()) || tensor->dtype() == DType::Bool || tensor->dtype() == DType::F32) options.inputTensors[inputs[i]] = *tensor;
    }
    return true;
}

/// Elements that inference claims to know must be the recorded ones.
void compareElements(const InferredValue& inferred, const Tensor& expected, const std::string& what, Tally& tally) {
    if (inferred.data) {
        const auto values = toInt64s(expected);
        ASSERT_EQ(inferred.data->size(), values.size()) << what;
        for (std::size_t i = 0; i < values.size(); ++i)
            EXPECT_TRUE(!(*inferred.data)[i].known() || (*inferred.data)[i].value() == values[i]) << what << " element " << i;
        ++tally.tracked;
    }
    if (inferred.floats && expected.dtype() == DType::F32) {
        const auto values = expected.data<float>();
        ASSERT_EQ(inferred.floats->size(), values.size()) << what;
        for (std::size_t i = 0; i < values.size(); ++i)
            EXPECT_TRUE((std::isnan(values[i]) && std::isnan((*inferred.floats)[i])) || values[i] == static_cast<float>((*inferred.floats)[i]) ||
                        std::fabs(values[i] - (*inferred.floats)[i]) <= 1e-3 * std::fabs(values[i]) + 1e-7)
                << what << " element " << i << ": " << (*inferred.floats)[i] << " for " << values[i];
        ++tally.tracked;
    }
}

void compareOutputs(const Model& model, const TypeTable& types, const fs::path& data, const std::string& name, Tally& tally) {
    bool isStatic = true;
    const auto& outputs = model.main().outputs;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const fs::path file = data / ("output_" + std::to_string(i) + ".pb");
        if (!isTensor(model, outputs[i]) || !fs::exists(file)) continue;
        const auto expected = readTensorFile(file.string());
        if (!expected) continue;
        const ValueType& inferred = types.type(outputs[i]);
        ++tally.outputs;
        const std::string what = name + " output " + std::to_string(i) + ": inferred " + inferred.text() + ", recorded " + expected->type().text();
        EXPECT_EQ(inferred.dtype, expected->dtype()) << what;
        compareElements(types.at(outputs[i]), *expected, what, tally);
        if (inferred.shape.isStatic())
            ++tally.staticOutputs;
        else
            isStatic = false;
        if (!inferred.shape.ranked()) continue;
        ASSERT_EQ(inferred.shape.rank(), expected->rank()) << what;
        for (std::size_t d = 0; d < expected->rank(); ++d)
            EXPECT_TRUE(!inferred.shape[d].known() || inferred.shape[d].value() == expected->dims()[d]) << what;
    }
    if (isStatic) ++tally.fullyStatic;
    if (!isStatic && std::getenv("HS_CORPUS_VERBOSE") != nullptr) std::cout << "not static: " << name << "\n";
}

void checkCase(const fs::path& path, bool withValues, Tally& tally) {
    const std::string name = fs::relative(path, HS_SHARED_DIR).parent_path().string();
    const auto model = importModel(path.string());
    if (!model) {
        ++tally.notImported;
        return;
    }
    const fs::path data = path.parent_path() / "test_data_set_0";
    if (!fs::exists(data)) return;
    InferOptions options;
    options.trustDeclared = false;  // The files declare most output shapes; here the shape functions are the subject.
    if (!readInputs(**model, data, options)) return;
    if (!withValues) options.inputTensors.clear();
    ++tally.cases;
    const auto types = inferTypes(**model, options);
    ASSERT_TRUE(types) << name << ": " << types.error().text();
    compareOutputs(**model, *types, data, name, tally);
    for (const Node& node : (*model)->nodes())
        EXPECT_GE(nodeCost(**model, node, *types).flops, 0) << name;
}

void checkAll(const std::string& folder, bool withValues) {
    const auto paths = casesUnder(folder);
    if (paths.empty()) GTEST_SKIP() << "no models under " << folder;
    Tally tally;
    for (const auto& path : paths)
        checkCase(path, withValues, tally);
    std::cout << folder << (withValues ? " (input values known): " : ": ") << tally.cases << " cases, " << tally.fullyStatic << " fully static; outputs "
              << tally.staticOutputs << " of " << tally.outputs << " static, elements of " << tally.tracked << " known; " << tally.notImported
              << " models not imported\n";
    EXPECT_EQ(tally.notImported, 0);
}

TEST(InferCorpus, ConformanceByTypes) {
    checkAll("conformance", false);
}

TEST(InferCorpus, ConformanceByValues) {
    checkAll("conformance", true);
}

TEST(InferCorpus, RealModels) {
    checkAll("models/npm", false);
}

TEST(InferCorpus, RuntimeTestModels) {
    const auto paths = casesUnder("models/ort-testdata");
    if (paths.empty()) GTEST_SKIP() << "no models";
    for (const auto& path : paths) {
        const auto model = importModel(path.string());
        if (!model) continue;  // The importer's own tests say which it must refuse.
        const auto types = inferTypes(**model);
        if (!types) std::cout << fs::relative(path, HS_SHARED_DIR).string() << ": " << types.error().text() << "\n";
        InferOptions lenient;
        lenient.lenient = true;
        EXPECT_TRUE(inferTypes(**model, lenient)) << path;
    }
}

}  // namespace
}  // namespace hs
