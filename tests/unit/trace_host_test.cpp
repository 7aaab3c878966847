// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <map>
#include <thread>
#include <unistd.h>

#include "core/trace/host_sampler.h"

namespace hs {
namespace {

namespace fs = std::filesystem;

/// A made-up /proc and /sys.
class FakeHost : public testing::Test {
protected:
    void SetUp() override {
        std::string pattern = (fs::temp_directory_path() / "hs-host-XXXXXX").string();
        m_root = ::mkdtemp(pattern.data());
        put("proc/self/statm", "1000 250 100 1 0 500 0");
        put("proc/stat", "cpu  30 0 0 170 0 0 0 0 0 0\ncpu0 10 0 0 90 0 0 0 0 0 0\ncpu1 20 0 0 80 0 0 0 0 0 0\nintr 5\n");
    }
    void TearDown() override { fs::remove_all(m_root); }
    void put(const std::string& path, const std::string& text) {
        fs::create_directories((m_root / path).parent_path());
        std::ofstream(m_root / path) << text;
    }
    /// Samples every metric once and gives the newest value by track name.
    std::map<std::string, double> sample(HostMetrics& metrics) {
        for (const auto& metric : metrics.metrics)
            metric->sample(m_recorder);
        std::map<std::string, double> out;
        for (const CounterEvent& e : m_recorder.takeCounters())
            out[m_recorder.tracks().at(e.track).name] = e.value;
        return out;
    }
    fs::path m_root;
    Recorder m_recorder{0};
};

TEST_F(FakeHost, ReadsWhatIsOffered) {
    put("sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "2000000\n");
    put("sys/devices/system/cpu/cpu1/cpufreq/scaling_cur_freq", "3000000\n");
    put("sys/class/hwmon/hwmon0/name", "coretemp\n");
    put("sys/class/hwmon/hwmon0/temp1_input", "45500\n");
    put("sys/class/hwmon/hwmon0/temp1_label", "Package id 0\n");
    put("sys/class/powercap/intel-rapl:0/name", "package-0\n");
    put("sys/class/powercap/intel-rapl:0/energy_uj", "9000000\n");
    put("sys/class/powercap/intel-rapl:0/max_energy_range_uj", "10000000\n");
    HostMetrics metrics = findHostMetrics(m_recorder, m_root.string());
    EXPECT_TRUE(metrics.unavailable.empty());
    put("proc/stat", "cpu  60 0 0 240 0 0 0 0 0 0\ncpu0 35 0 0 165 0 0 0 0 0 0\ncpu1 120 0 0 80 0 0 0 0 0 0\nintr 5\n");
    put("sys/class/powercap/intel-rapl:0/energy_uj", "1500000\n");  // wrapped
    const auto values = sample(metrics);
    EXPECT_DOUBLE_EQ(values.at("RSS"), 250.0 * static_cast<double>(::sysconf(_SC_PAGESIZE)));
    EXPECT_GT(values.at("peak RSS"), 0);
    EXPECT_DOUBLE_EQ(values.at("cpu0"), 25);
    EXPECT_DOUBLE_EQ(values.at("cpu1"), 100);
    EXPECT_DOUBLE_EQ(values.at("CPU clock"), 2500);
    EXPECT_DOUBLE_EQ(values.at("coretemp Package id 0"), 45.5);
    EXPECT_DOUBLE_EQ(values.at("energy package-0"), 2.5);
}

TEST_F(FakeHost, SaysWhatIsNotOffered) {
    const HostMetrics metrics = findHostMetrics(m_recorder, m_root.string());
    ASSERT_EQ(metrics.unavailable.size(), 3U);
    for (const Reason& reason : metrics.unavailable)
        EXPECT_EQ(reason.code, "device.metric_unavailable");
    EXPECT_THAT(metrics.unavailable[0].text(), testing::HasSubstr("clock frequency is not offered by this machine"));
    EXPECT_EQ(metrics.unavailable[1].args[0], "temperature");
    EXPECT_EQ(metrics.unavailable[2].args[0], "energy");
}

TEST_F(FakeHost, FallsBackToThermalZonesAndCpuinfo) {
    put("proc/cpuinfo", "processor\t: 0\ncpu MHz\t\t: 2600.5\n");
    put("sys/class/thermal/thermal_zone0/type", "x86_pkg_temp\n");
    put("sys/class/thermal/thermal_zone0/temp", "51000\n");
    HostMetrics metrics = findHostMetrics(m_recorder, m_root.string());
    EXPECT_EQ(metrics.unavailable.size(), 1U);
    const auto values = sample(metrics);
    EXPECT_DOUBLE_EQ(values.at("CPU clock"), 2600.5);
    EXPECT_DOUBLE_EQ(values.at("x86_pkg_temp"), 51);
}

TEST(HostSampler, SamplesThisMachineAtItsPace) {
    Recorder recorder(0);
    HostSampler sampler(recorder, std::chrono::milliseconds(10));
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    sampler.stop();
    int rss = 0;
    double bytes = 0;
    const auto tracks = recorder.tracks();
    for (const CounterEvent& e : recorder.takeCounters())
        if (tracks.at(e.track).name == "RSS") {
            ++rss;
            bytes = e.value;
        }
    EXPECT_GE(rss, 5);
    EXPECT_LE(rss, 25);
    EXPECT_GT(bytes, 1e6);
    EXPECT_LT(bytes, 1e11);
}

}  // namespace
}  // namespace hs
