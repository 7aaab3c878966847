// SPDX-License-Identifier: Apache-2.0
#include "executors/cpu/cpu_probe.h"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "executors/cpu/cpu_facts.h"
#include "executors/cpu/rate_cache.h"

namespace hs {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;

class CpuProbe : public ::testing::Test {
protected:
    void SetUp() override { fs::remove_all(m_dir); }
    void TearDown() override { fs::remove_all(m_dir); }
    void write(const std::string& file, const std::string& text) const {
        fs::create_directories((m_dir / file).parent_path());
        std::ofstream(m_dir / file) << text;
    }
    fs::path m_dir = fs::path(::testing::TempDir()) / ("hs_cpu_" + std::to_string(::getpid()));
};

TEST_F(CpuProbe, ReadsWhatTheKernelSays) {
    write("proc/cpuinfo",
          "processor\t: 0\nvendor_id\t: Acme\nmodel name\t: Acme 9000\nmicrocode\t: 0x1f\ncpu MHz\t\t: 2500.5\n"
          "flags\t\t: fpu sse4_2 avx2 fma avx512f\n\nprocessor\t: 1\nmodel name\t: other\n");
    write("proc/meminfo", "MemTotal:        2048 kB\n");
    const std::string cpu = "sys/devices/system/cpu/";
    write(cpu + "online", "0-3\n");
    for (int i = 0; i < 4; ++i) {
        write(cpu + "cpu" + std::to_string(i) + "/topology/core_id", std::to_string(i / 2));
        write(cpu + "cpu" + std::to_string(i) + "/topology/physical_package_id", "0");
    }
    write(cpu + "cpu0/cache/index0/type", "Data");
    write(cpu + "cpu0/cache/index0/level", "1");
    write(cpu + "cpu0/cache/index0/size", "48K");
    write(cpu + "cpu0/cache/index0/shared_cpu_list", "0-1");
    write(cpu + "cpu0/cache/index1/type", "Instruction");
    write(cpu + "cpu0/cache/index2/type", "Unified");
    write(cpu + "cpu0/cache/index2/level", "2");
    write(cpu + "cpu0/cache/index2/size", "2M");
    write(cpu + "cpu0/cache/index2/shared_cpu_list", "0-1,3");
    write("sys/devices/system/node/node0/cpulist", "0-3");
    const cpu::CpuFacts facts = cpu::readFacts(m_dir);
    EXPECT_EQ(facts.model, "Acme 9000");
    EXPECT_EQ(facts.vendor, "Acme");
    EXPECT_EQ(facts.microcode, "0x1f");
    EXPECT_DOUBLE_EQ(facts.currentMhz, 2500.5);
    EXPECT_THAT(facts.isa, ElementsAre("sse4.2", "avx2", "fma", "avx512f"));
    EXPECT_EQ(facts.cores, 2);
    EXPECT_EQ(facts.threads, 4);
    EXPECT_EQ(facts.memoryBytes, 2048U << 10);
    ASSERT_EQ(facts.caches.size(), 2U);
    EXPECT_EQ(facts.caches[0].name, "L1d");
    EXPECT_EQ(facts.caches[0].sizeBytes, 48U << 10);
    EXPECT_EQ(facts.lastCacheBytes(), 2U << 20);
    EXPECT_EQ(facts.caches[1].sharedBy, 3);
    EXPECT_THAT(facts.numaNodes, ElementsAre("node0: 0-3"));
}

TEST_F(CpuProbe, SaysNothingWhereTheKernelSaysNothing) {
    const cpu::CpuFacts facts = cpu::readFacts(m_dir / "nowhere");
    EXPECT_FALSE(facts.model.empty());
    EXPECT_TRUE(facts.caches.empty());
    EXPECT_EQ(facts.memoryBytes, 0U);
    EXPECT_GE(facts.threads, 1);
}

TEST_F(CpuProbe, MeasuresOnceAndKeepsTheRates) {
    ProbeOptions options{m_dir.string(), false};
    const auto first = probeCpu(options);
    ASSERT_TRUE(first) << first.error().text();
    EXPECT_EQ(first->id, "cpu");
    EXPECT_EQ(first->kind, "cpu");
    EXPECT_GT(first->memoryBytes, 0U);
    EXPECT_GT(first->peakGflopsF32, 0.5);
    EXPECT_LT(first->peakGflopsF32, 1e6);
    EXPECT_GT(first->bandwidthGbps, 0.1);
    EXPECT_LT(first->bandwidthGbps, 1e5);
    EXPECT_GT(first->launchNs, 0.5);
    EXPECT_LT(first->launchNs, 1e5);
    EXPECT_EQ(first->properties.back().second, "measured by this probe");
    const auto second = probeCpu(options);
    ASSERT_TRUE(second);
    EXPECT_EQ(second->properties.back().second, "measured by an earlier probe");
    EXPECT_DOUBLE_EQ(second->peakGflopsF32, first->peakGflopsF32);
    RecordProperty("peak_gflops", std::to_string(first->peakGflopsF32));
    RecordProperty("bandwidth_gbps", std::to_string(first->bandwidthGbps));
}

TEST_F(CpuProbe, IgnoresACorruptOrForeignCache) {
    const cpu::CpuRates rates{100, 10, 20};
    cpu::storeRates(m_dir, "this machine", rates);
    ASSERT_TRUE(cpu::loadRates(m_dir, "this machine"));
    EXPECT_DOUBLE_EQ(cpu::loadRates(m_dir, "this machine")->peakGflopsF32, 100);
    EXPECT_FALSE(cpu::loadRates(m_dir, "another machine"));
    std::string text;
    std::getline(std::ifstream(m_dir / "cpu-rates.json"), text, '\0');
    for (std::size_t cut = 0; cut + 2 < text.size(); cut += 7) {
        write("cpu-rates.json", text.substr(0, cut));
        EXPECT_FALSE(cpu::loadRates(m_dir, "this machine")) << cut;
    }
    for (const char* bad : {"[]", "{\"schema\": 3}", "\xff\xfe", "null"}) {
        write("cpu-rates.json", bad);
        EXPECT_FALSE(cpu::loadRates(m_dir, "this machine")) << bad;
    }
    cpu::storeRates(m_dir, "this machine", {-1, 10, 20});
    EXPECT_FALSE(cpu::loadRates(m_dir, "this machine")) << "a negative rate makes no sense";
    cpu::storeRates(m_dir, "this machine", rates);
    EXPECT_TRUE(cpu::loadRates(m_dir, "this machine")) << "rewritten after corruption";
}

TEST_F(CpuProbe, WorksWhereTheCacheCannotBeWritten) {
    write("file", "x");
    const auto device = probeCpu({(m_dir / "file" / "below").string(), false});
    ASSERT_TRUE(device);
    EXPECT_GT(device->bandwidthGbps, 0);
}

}  // namespace
}  // namespace hs
