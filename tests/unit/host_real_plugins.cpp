// SPDX-License-Identifier: Apache-2.0
// The plugins of this build, found as the programs find them: next to the program, without a QCoreApplication.
#include <algorithm>
#include <gtest/gtest.h>

#include "core/host/catalog.h"

namespace hs {
namespace {

TEST(RealPlugins, CpuIsReadyWithTheReferenceExecutorLast) {
    const auto catalog = Catalog::scan();
    for (const PluginEntry& entry : catalog->entries()) {
        const bool absent = entry.state == PluginState::NotBuilt && entry.id != "cpu";
        EXPECT_TRUE(absent || entry.state == PluginState::Ready) << entry.id << " " << pluginStateName(entry.state) << ": " << entry.reason.text();
    }
    const auto& devices = catalog->devices();
    const auto cpu = std::find_if(devices.begin(), devices.end(), [](const DeviceInfo& device) { return device.id == "cpu"; });
    ASSERT_NE(cpu, devices.end());
    EXPECT_GT(cpu->peakGflopsF32, 0);
    ASSERT_FALSE(cpu->executors.empty());
    EXPECT_EQ(cpu->executors.back(), "reference");
    const auto& entries = catalog->entries();
    const auto onednn = std::find_if(entries.begin(), entries.end(), [](const PluginEntry& entry) { return entry.id == "onednn"; });
    ASSERT_NE(onednn, entries.end()) << "built or not, the catalog must have a row for it";
    if (onednn->state == PluginState::Ready) {
        EXPECT_EQ(cpu->executors.front(), "onednn");
    }
}

}  // namespace
}  // namespace hs
