// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <gtest/gtest.h>

#include "core/run/profiled_run.h"
#include "core/store/session_reader.h"
#include "executors/reference/reference_executor.h"
#include "tests/unit/plan_support.h"

namespace hs {
namespace {

using test::floats;
using test::makeDevice;
using test::ModelMaker;

class ProfileModel : public ::testing::Test {
protected:
    void SetUp() override { std::filesystem::remove(m_session); }

    ProfileRequest request() {
        ModelMaker maker;
        maker.input("x", floats({Dim(std::string("N")), 8}));
        maker.constant("w", Tensor::of<float>({8, 4}, std::vector<float>(32, 0.5F)));
        maker.node("MatMul", {"x", "w"}, {"p"}, {}, GraphId(0), "product");
        maker.node("Relu", {"p"}, {"y"}, {}, GraphId(0), "bend");
        maker.output("y");
        ProfileRequest out;
        out.model = maker.build();
        out.plan.devices = {makeDevice("cpu", {makeReferenceExecutor()})};
        out.plan.shapes.dims = {{"N", 3}};
        out.sessionPath = m_session;
        out.runs = 5;
        return out;
    }

    std::int64_t count(const std::string& sql) {
        const auto reader = SessionReader::open(m_session);
        EXPECT_TRUE(reader) << (reader ? "" : reader.error().text());
        const auto result = (*reader)->query(sql, 10);
        EXPECT_TRUE(result) << (result ? "" : result.error().text());
        return std::get<std::int64_t>(result->rows.at(0).at(0));
    }

    std::string m_session = ::testing::TempDir() + "run_profile.hscope";
};

TEST_F(ProfileModel, RecordsEveryIterationAndNode) {
    const auto result = profileModel(request());
    ASSERT_TRUE(result) << result.error().text();
    EXPECT_EQ(result->status, "finished");
    EXPECT_EQ(result->latency.runs, 5);
    EXPECT_EQ(result->batch, 3);
    EXPECT_GT(result->throughputPerS, 0);
    ASSERT_EQ(result->outputs.size(), 1U);
    EXPECT_EQ(result->outputs[0].tensor.dims(), (Dims{3, 4}));
    EXPECT_EQ(count("select count(*) from run where status = 'finished'"), 1);
    EXPECT_EQ(count("select count(*) from span where category = 'op' and iteration >= 0"), 10);
    EXPECT_EQ(count("select count(*) from span where name = 'iteration'"), 5);
    EXPECT_EQ(count("select count(*) from op_stats where calls = 5"), 2);
    EXPECT_EQ(count("select count(*) from memory_event where value_name = 'p'"), 2);
}

TEST_F(ProfileModel, ACancelledRunIsAResultAndSaysSo) {
    const std::atomic<bool> cancel{true};
    ProfileRequest cancelled = request();
    cancelled.cancel = &cancel;
    const auto result = profileModel(cancelled);
    ASSERT_TRUE(result) << result.error().text();
    EXPECT_EQ(result->status, "cancelled");
    EXPECT_EQ(count("select count(*) from run where status = 'cancelled'"), 1);
}

TEST_F(ProfileModel, WithoutProfilingNothingIsWritten) {
    ProfileRequest plain = request();
    plain.profile = false;
    const auto result = profileModel(plain);
    ASSERT_TRUE(result) << result.error().text();
    EXPECT_FALSE(std::filesystem::exists(m_session));
    const auto recorded = profileModel(request());
    ASSERT_TRUE(recorded);
    EXPECT_EQ(result->outputs[0].sha256, recorded->outputs[0].sha256);
}

}  // namespace
}  // namespace hs
