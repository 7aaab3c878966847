// SPDX-License-Identifier: Apache-2.0
// Whole networks: oneDNN's results are those of the reference, and numbers that mean something.
#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>

#include "core/exec/runner.h"
#include "core/run/profiled_run.h"
#include "core/zoo/zoo.h"
#include "executors/onednn/onednn_executor.h"
#include "executors/reference/reference_executor.h"
#include "tests/unit/plan_support.h"

namespace hs {
namespace {

/// Batch 1 and a sequence of 7, whatever the model calls them.
DimBindings smallDims(const Model& model) {
    DimBindings out;
    for (const ValueId id : model.requiredInputs())
        for (const Dim& dim : model.value(id).type.shape.dims())
            if (!dim.known()) out[dim.text()] = dim.text() == "seq" ? 7 : 1;
    return out;
}

Result<std::vector<Tensor>> runOn(const ModelPtr& model, const std::map<ValueId, Tensor>& inputs, std::vector<std::shared_ptr<const Executor>> executors) {
    PlanRequest request;
    request.model = model;
    for (const auto& [id, tensor] : inputs)
        request.shapes.inputs[id] = tensor.type();
    request.devices = {test::makeDevice("cpu", std::move(executors))};
    request.threads = 2;
    HS_TRY(Plan plan, makePlan(request));
    HS_TRY(const auto compiled, CompiledModel::compile(std::make_shared<const Plan>(std::move(plan)), nullptr, nullptr));
    EXPECT_THAT(compiled->warnings(), ::testing::IsEmpty());
    return compiled->run(inputs, {});
}

void expectSane(const Tensor& tensor) {
    const auto values = tensor.data<float>();
    ASSERT_FALSE(values.empty());
    EXPECT_TRUE(std::all_of(values.begin(), values.end(), [](float x) { return std::isfinite(x); }));
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    EXPECT_TRUE(values.size() == 1 || *least < *most) << "all elements are " << *least;
}

void expectNear(const Tensor& got, const Tensor& want) {
    ASSERT_EQ(got.dims(), want.dims());
    const auto a = got.data<float>();
    const auto b = want.data<float>();
    std::size_t bad = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (!(std::abs(a[i] - b[i]) <= 1e-4F + 1e-3F * std::abs(b[i])) && ++bad == 1) ADD_FAILURE() << "element " << i << " is " << a[i] << ", want " << b[i];
    EXPECT_EQ(bad, 0U);
}

class OneDnnZoo : public ::testing::TestWithParam<const char*> {};

TEST_P(OneDnnZoo, EqualsTheReference) {
    const ModelPtr model = buildZooModel(GetParam()).value();
    const auto inputs = makeInputs(*model, smallDims(*model), {}, 1);
    ASSERT_TRUE(inputs) << inputs.error().text();
    const auto want = runOn(model, *inputs, {makeReferenceExecutor()});
    ASSERT_TRUE(want) << want.error().text();
    const auto got = runOn(model, *inputs, {makeOneDnnExecutor(), makeReferenceExecutor()});
    ASSERT_TRUE(got) << got.error().text();
    for (std::size_t i = 0; i < want->size(); ++i) {
        expectSane((*want)[i]);
        expectNear((*got)[i], (*want)[i]);
    }
}

INSTANTIATE_TEST_SUITE_P(Small, OneDnnZoo,
                         ::testing::Values("mlp", "squeezenet", "mobilenet_v2", "yolo_like", "bert_tiny", "gpt2_tiny", "lstm", "gru", "wide-1k"),
                         [](const auto& param) {
                             std::string name = param.param;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

}  // namespace
}  // namespace hs
