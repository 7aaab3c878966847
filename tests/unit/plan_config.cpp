// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "core/plan/config.h"

namespace hs {
namespace {

constexpr const char* kGood = R"({
  "schema": "heteroscope.config/1",
  "rules": [
    {"op": "Conv", "device": "cpu", "executor": "onednn"},
    {"pattern": "/encoder/*", "executor": "reference"},
    {"node": "a \"b\"", "device": "opencl:0", "enabled": false}
  ]
}
)";

TEST(Config, ReadsRulesWithTheirLines) {
    const auto edits = parseConfig(kGood, "c.json");
    ASSERT_TRUE(edits) << edits.error().text();
    ASSERT_EQ(edits->rules.size(), 3U);
    EXPECT_EQ(edits->rules[0].match.opType, "Conv");
    EXPECT_EQ(edits->rules[0].device, "cpu");
    EXPECT_EQ(edits->rules[0].executor, "onednn");
    EXPECT_EQ(edits->rules[0].line, 4);
    EXPECT_EQ(edits->rules[1].match.pattern, "/encoder/*");
    EXPECT_EQ(edits->rules[1].line, 5);
    EXPECT_EQ(edits->rules[2].match.node, "a \"b\"");
    EXPECT_FALSE(edits->rules[2].enabled);
    EXPECT_EQ(edits->rules[2].line, 6);
}

TEST(Config, WritesWhatItReads) {
    const auto edits = parseConfig(kGood, "c.json");
    ASSERT_TRUE(edits);
    EXPECT_EQ(writeConfig(*edits), kGood);
    const auto none = parseConfig(writeConfig({}), "c.json");
    ASSERT_TRUE(none) << none.error().text();
    EXPECT_TRUE(none->empty());
}

struct BadConfig {
    const char* text;
    const char* where;
    const char* message;  ///< A part of it.
};

class ConfigErrors : public ::testing::TestWithParam<BadConfig> {};

TEST_P(ConfigErrors, NameFileAndLine) {
    const auto edits = parseConfig(GetParam().text, "c.json");
    ASSERT_FALSE(edits);
    EXPECT_EQ(edits.error().code, ErrorCode::BadRequest);
    EXPECT_EQ(edits.error().where, GetParam().where);
    EXPECT_NE(edits.error().message.find(GetParam().message), std::string::npos) << edits.error().message;
}

INSTANTIATE_TEST_SUITE_P(
    All, ConfigErrors,
    ::testing::Values(BadConfig{"{\"schema\": \"heteroscope.config/1\",\n \"colour\": \"blue\"}", "c.json:2", "unknown key \"colour\""},
                      BadConfig{"{\"schema\": \"heteroscope.config/2\"}", "c.json:1", "heteroscope.config/1"},
                      BadConfig{"{\"rules\": []}", "c.json:1", "\"schema\" is missing"},
                      BadConfig{"{\"schema\": \"heteroscope.config/1\",\n\"rules\": [\n{\"op\": \"Conv\"}]}", "c.json:3", "\"device\" or \"executor\""},
                      BadConfig{"{\"schema\": \"heteroscope.config/1\",\n\"rules\": [\n\n{\"device\": \"cpu\"}]}", "c.json:4", "exactly one"},
                      BadConfig{"{\"schema\": \"heteroscope.config/1\",\n\"rules\": [{\"op\": \"Conv\",\n\"device\":\n7\n}]}", "c.json:4",
                                "\"device\" must be"},
                      BadConfig{"{\"schema\": \"heteroscope.config/1\",\n\"rules\": 3}", "c.json:2", "array"},
                      BadConfig{"{\"schema\": \"heteroscope.config/1\",\n\"schema\": 3}", "c.json:2", "twice"},
                      BadConfig{"{\"schema\": \"heteroscope.config/1\",\n\n oops}", "c.json:3", "not valid JSON"}, BadConfig{"", "c.json:1", "not valid JSON"},
                      BadConfig{"[[[[[[[[[[[[1]]]]]]]]]]]]", "c.json:1", "deep"}, BadConfig{"\n[]", "c.json:2", "object"}));

}  // namespace
}  // namespace hs
