// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/host/catalog.h"

namespace hs {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::unique_ptr<Catalog> scanTests(QStringList disabled = {QStringLiteral("unwanted")}) {
    CatalogOptions options;
    options.pluginDirs = {QStringLiteral(HOST_PLUGIN_DIR)};
    options.disabled = std::move(disabled);
    return Catalog::scan(options);
}

PluginEntry entryOf(const Catalog& catalog, const std::string& id, const std::string& fileEnd = {}) {
    for (const PluginEntry& entry : catalog.entries())
        if (entry.id == id && entry.file.ends_with(fileEnd)) return entry;
    ADD_FAILURE() << "no entry " << id << " " << fileEnd;
    return {};
}

struct Expected {
    const char* id;
    PluginState state;
    const char* text;
};

TEST(Catalog, TellsEveryStateWithItsReason) {
    const auto catalog = scanTests();
    const Expected expected[] = {
        {"throwing", PluginState::ProbeFailed, "bad mood"},
        {"failing", PluginState::ProbeFailed, "bus does not answer"},
        {"empty", PluginState::NoDevice, "no such card"},
        {"unresolved", PluginState::LoadFailed, "functionThatNoLibraryHas"},
        {"old", PluginState::AbiMismatch, "ABI 999"},
        {"odd", PluginState::MetadataInvalid, "gadget"},
        {"garbage", PluginState::MetadataInvalid, "no embedded metadata"},
        {"needy", PluginState::DependencyMissing, "libhs-not-there.so.9 is missing (needed for the card): install it"},
        {"unwanted", PluginState::Disabled, "disabled"},
        {"foreign", PluginState::NotBuilt, "SDK was not found"},
        {"vanished", PluginState::NotBuilt, "vanished.so is missing"},
    };
    for (const Expected& e : expected) {
        const PluginEntry entry = entryOf(*catalog, e.id);
        EXPECT_EQ(pluginStateName(entry.state), pluginStateName(e.state)) << e.id;
        EXPECT_THAT(entry.reason.text(), HasSubstr(e.text)) << e.id;
        EXPECT_TRUE(entry.devices.empty()) << e.id;
    }
    for (const char* id : {"basic", "fast"}) {
        const PluginEntry entry = entryOf(*catalog, id, std::string(id) + ".so");
        EXPECT_EQ(pluginStateName(entry.state), "Ready") << id << ": " << entry.reason.text();
        EXPECT_TRUE(entry.reason.empty());
        EXPECT_EQ(entry.version, "1.2");
    }
}

TEST(Catalog, KeepsTheFirstOfTwoPluginsWithOneId) {
    const auto catalog = scanTests();
    const PluginEntry second = entryOf(*catalog, "basic", "basic_again.so");
    EXPECT_EQ(second.state, PluginState::MetadataInvalid);
    EXPECT_THAT(second.reason.text(), HasSubstr("another file already brought"));
}

TEST(Catalog, ListsExecutorsWithTheReferenceLast) {
    const auto catalog = scanTests();
    ASSERT_EQ(catalog->devices().size(), 1U);
    const DeviceInfo& device = catalog->devices().front();
    EXPECT_EQ(device.plugin, "basic");
    EXPECT_THAT(device.executors, ElementsAre("fast", "plain", "reference"));
    EXPECT_EQ(catalog->executorsFor(device).size(), 3U);
    EXPECT_EQ(entryOf(*catalog, "basic", "basic.so").devices.size(), 1U);
    DeviceInfo other;
    other.kind = "gpu";
    EXPECT_TRUE(catalog->executorsFor(other).empty());
}

TEST(Catalog, TakesDisabledPluginsFromTheEnvironment) {
    setenv("HS_DISABLE_PLUGINS", "fast,unwanted", 1);
    const auto catalog = scanTests({});
    unsetenv("HS_DISABLE_PLUGINS");
    EXPECT_EQ(entryOf(*catalog, "fast").state, PluginState::Disabled);
    EXPECT_EQ(entryOf(*catalog, "unwanted").state, PluginState::Disabled);
    EXPECT_THAT(catalog->devices().front().executors, ElementsAre("plain", "reference"));
}

TEST(Catalog, IsEmptyWhereThereIsNoFolder) {
    CatalogOptions options;
    options.pluginDirs = {QStringLiteral(HOST_PLUGIN_DIR "/nowhere")};
    const auto catalog = Catalog::scan(options);
    EXPECT_TRUE(catalog->entries().empty());
    EXPECT_TRUE(catalog->devices().empty());
}

}  // namespace
}  // namespace hs
