// SPDX-License-Identifier: Apache-2.0
#include "core/trace/host_metrics.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "core/base/clock.h"

namespace hs {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxCores = 256;   // tracks, of the cores that are shown one by one
constexpr std::size_t kMaxSensors = 16;  // of a kind
constexpr int kSlowEvery = 5;            // slow sources are read at every fifth sample

std::uint16_t addCounter(Recorder& recorder, std::string name, std::string unit) {
    return recorder.addTrack(TrackKind::Counter, std::move(name), kHostDevice, std::move(unit));
}

void put(Recorder& recorder, std::uint16_t track, double value) {
    recorder.counter({ticks(), value, track});
}

std::optional<double> readNumber(const fs::path& path) {
    std::ifstream file(path);
    double value = 0;
    if (file >> value) return value;
    return std::nullopt;
}

std::string readLine(const fs::path& path) {
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    return line;
}

/// Entries of a folder whose name starts with `prefix`, sorted; none when there is no such folder.
std::vector<fs::path> entries(const fs::path& folder, std::string_view prefix) {
    std::vector<fs::path> out;
    std::error_code ec;
    for (fs::directory_iterator it(folder, ec), end; !ec && it != end; it.increment(ec))
        if (it->path().filename().string().rfind(prefix, 0) == 0) out.push_back(it->path());
    std::sort(out.begin(), out.end());
    return out;
}

class Memory final : public HostMetric {
public:
    Memory(Recorder& recorder, fs::path statm)
        : m_statm(std::move(statm)), m_rss(addCounter(recorder, "RSS", "bytes")), m_peak(addCounter(recorder, "peak RSS", "bytes")) {}
    void sample(Recorder& recorder) override {
        std::ifstream file(m_statm);
        double pages = 0;
        double resident = 0;
        if (file >> pages >> resident) put(recorder, m_rss, resident * m_pageBytes);
        rusage usage{};
        if (::getrusage(RUSAGE_SELF, &usage) == 0) put(recorder, m_peak, static_cast<double>(usage.ru_maxrss) * 1024);
    }

private:
    fs::path m_statm;
    std::uint16_t m_rss, m_peak;
    double m_pageBytes = static_cast<double>(::sysconf(_SC_PAGESIZE));
};

class ProcessCpu final : public HostMetric {
public:
    explicit ProcessCpu(Recorder& recorder) : m_track(addCounter(recorder, "process CPU", "%")) {}
    void sample(Recorder& recorder) override {
        timespec spent{};
        if (::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent) != 0) return;
        const double cpuNs = static_cast<double>(spent.tv_sec) * 1e9 + static_cast<double>(spent.tv_nsec);
        const auto wallNs = static_cast<double>(steadyNs());
        if (m_wallNs > 0 && wallNs > m_wallNs) put(recorder, m_track, 100 * (cpuNs - m_cpuNs) / (wallNs - m_wallNs));
        m_cpuNs = cpuNs;
        m_wallNs = wallNs;
    }

private:
    std::uint16_t m_track;
    double m_cpuNs = 0, m_wallNs = 0;
};

/// Lines "cpuN user nice system idle iowait irq softirq steal …" of /proc/stat, in clock ticks (proc(5)).
class CoreUse final : public HostMetric {
public:
    CoreUse(Recorder& recorder, fs::path stat) : m_stat(std::move(stat)) {
        for (const Times& core : read()) {
            m_last.push_back(core);
            m_tracks.push_back(addCounter(recorder, core.name, "%"));
        }
    }
    bool empty() const { return m_tracks.empty(); }
    void sample(Recorder& recorder) override {
        for (const Times& now : read()) {  // by name: a core may go offline and come back
            const auto it = std::find_if(m_last.begin(), m_last.end(), [&](const Times& t) { return t.name == now.name; });
            if (it == m_last.end()) continue;
            const double total = now.total - it->total;
            if (total <= 0) continue;
            put(recorder, m_tracks[static_cast<std::size_t>(it - m_last.begin())], std::clamp(100 * (now.busy - it->busy) / total, 0.0, 100.0));
            *it = now;
        }
    }

private:
    struct Times {
        std::string name;
        double busy = 0, total = 0;
    };
    std::vector<Times> read() const {
        std::vector<Times> out;
        std::ifstream file(m_stat);
        for (std::string line; std::getline(file, line) && line.rfind("cpu", 0) == 0 && out.size() < kMaxCores;) {
            std::istringstream words(line);
            Times t;
            words >> t.name;
            if (t.name == "cpu") continue;
            double value = 0;
            for (int i = 0; i < 8 && words >> value; ++i) {  // guest times are part of user already
                t.total += value;
                if (i != 3 && i != 4) t.busy += value;
            }
            out.push_back(std::move(t));
        }
        return out;
    }
    fs::path m_stat;
    std::vector<Times> m_last;
    std::vector<std::uint16_t> m_tracks;
};

/// Mean clock over the cores.
class Clock final : public HostMetric {
public:
    Clock(Recorder& recorder, std::vector<fs::path> files, fs::path cpuinfo)
        : m_files(std::move(files)), m_cpuinfo(std::move(cpuinfo)), m_track(addCounter(recorder, "CPU clock", "MHz")) {}
    void sample(Recorder& recorder) override {
        if (m_count++ % kSlowEvery != 0) return;
        if (const auto mhz = m_files.empty() ? fromCpuinfo(m_cpuinfo) : fromSysfs()) put(recorder, m_track, *mhz);
    }
    static std::optional<double> fromCpuinfo(const fs::path& path) {
        std::ifstream file(path);
        double sum = 0;
        int cores = 0;
        for (std::string line; std::getline(file, line);) {
            if (line.rfind("cpu MHz", 0) != 0) continue;
            const auto colon = line.find(':');
            if (colon == std::string::npos) continue;
            sum += std::strtod(line.c_str() + colon + 1, nullptr);
            ++cores;
        }
        if (cores == 0) return std::nullopt;
        return sum / cores;
    }

private:
    std::optional<double> fromSysfs() const {
        double sum = 0;
        int cores = 0;
        for (const fs::path& file : m_files)
            if (const auto khz = readNumber(file)) {
                sum += *khz / 1000;
                ++cores;
            }
        if (cores == 0) return std::nullopt;
        return sum / cores;
    }
    std::vector<fs::path> m_files;
    fs::path m_cpuinfo;
    std::uint16_t m_track;
    int m_count = 0;
};

/// Files that hold thousandths of a degree.
class Temperature final : public HostMetric {
public:
    void add(Recorder& recorder, fs::path file, std::string name) {
        if (m_sensors.size() < kMaxSensors) m_sensors.emplace_back(std::move(file), addCounter(recorder, std::move(name), "°C"));
    }
    bool empty() const { return m_sensors.empty(); }
    void sample(Recorder& recorder) override {
        if (m_count++ % kSlowEvery != 0) return;
        for (const auto& [file, track] : m_sensors)
            if (const auto milli = readNumber(file)) put(recorder, track, *milli / 1000);
    }

private:
    std::vector<std::pair<fs::path, std::uint16_t>> m_sensors;
    int m_count = 0;
};

/// RAPL: micro-joules that wrap at max_energy_range_uj (Linux, Documentation/power/powercap).
class Energy final : public HostMetric {
public:
    void add(Recorder& recorder, const fs::path& zone, double now) {
        if (m_zones.size() >= kMaxSensors) return;
        const double range = readNumber(zone / "max_energy_range_uj").value_or(0);
        m_zones.push_back({zone / "energy_uj", addCounter(recorder, "energy " + readLine(zone / "name"), "J"), now, range, 0});
    }
    bool empty() const { return m_zones.empty(); }
    void sample(Recorder& recorder) override {
        for (Zone& z : m_zones) {
            const auto now = readNumber(z.file);
            if (!now) continue;
            const double delta = *now - z.last;
            z.sum += delta >= 0 ? delta : delta + z.range;
            z.last = *now;
            put(recorder, z.track, z.sum / 1e6);
        }
    }

private:
    struct Zone {
        fs::path file;
        std::uint16_t track = 0;
        double last = 0, range = 0, sum = 0;
    };
    std::vector<Zone> m_zones;
};

void findClock(Recorder& recorder, const fs::path& root, HostMetrics& out) {
    std::vector<fs::path> files;
    for (const fs::path& cpu : entries(root / "sys/devices/system/cpu", "cpu")) {
        const fs::path file = cpu / "cpufreq/scaling_cur_freq";
        if (files.size() < kMaxCores && readNumber(file)) files.push_back(file);
    }
    const fs::path cpuinfo = root / "proc/cpuinfo";
    if (files.empty() && !Clock::fromCpuinfo(cpuinfo)) {
        out.unavailable.push_back({"device.metric_unavailable", {"clock frequency", "neither cpufreq in sysfs nor /proc/cpuinfo tells it"}});
        return;
    }
    out.metrics.push_back(std::make_unique<Clock>(recorder, std::move(files), cpuinfo));
}

void findTemperature(Recorder& recorder, const fs::path& root, HostMetrics& out) {
    auto metric = std::make_unique<Temperature>();
    for (const fs::path& chip : entries(root / "sys/class/hwmon", "hwmon"))
        for (const fs::path& file : entries(chip, "temp")) {
            const std::string name = file.filename().string();
            if (name.size() < 6 || name.substr(name.size() - 6) != "_input" || !readNumber(file)) continue;
            const std::string stem = name.substr(0, name.size() - 6);
            const std::string label = readLine(chip / (stem + "_label"));
            metric->add(recorder, file, readLine(chip / "name") + " " + (label.empty() ? stem : label));
        }
    if (metric->empty())
        for (const fs::path& zone : entries(root / "sys/class/thermal", "thermal_zone"))
            if (readNumber(zone / "temp")) metric->add(recorder, zone / "temp", readLine(zone / "type"));
    if (metric->empty())
        out.unavailable.push_back({"device.metric_unavailable", {"temperature", "the kernel shows no sensor in hwmon or thermal"}});
    else
        out.metrics.push_back(std::move(metric));
}

void findEnergy(Recorder& recorder, const fs::path& root, HostMetrics& out) {
    auto metric = std::make_unique<Energy>();
    std::string why = "the kernel shows no RAPL zone in powercap";
    for (const fs::path& zone : entries(root / "sys/class/powercap", "intel-rapl:")) {
        errno = 0;
        if (const auto now = readNumber(zone / "energy_uj"))
            metric->add(recorder, zone, *now);
        else
            why = "energy_uj of powercap cannot be read" + (errno != 0 ? std::string(": ") + std::strerror(errno) : std::string());
    }
    if (metric->empty())
        out.unavailable.push_back({"device.metric_unavailable", {"energy", why}});
    else
        out.metrics.push_back(std::move(metric));
}

}  // namespace

HostMetrics findHostMetrics(Recorder& recorder, const std::string& root) {
    const fs::path top = root.empty() ? fs::path("/") : fs::path(root);
    HostMetrics out;
    if (readNumber(top / "proc/self/statm"))
        out.metrics.push_back(std::make_unique<Memory>(recorder, top / "proc/self/statm"));
    else
        out.unavailable.push_back({"device.metric_unavailable", {"resident memory", "/proc/self/statm cannot be read"}});
    out.metrics.push_back(std::make_unique<ProcessCpu>(recorder));
    auto cores = std::make_unique<CoreUse>(recorder, top / "proc/stat");
    if (cores->empty())
        out.unavailable.push_back({"device.metric_unavailable", {"processor use per core", "/proc/stat cannot be read"}});
    else
        out.metrics.push_back(std::move(cores));
    findClock(recorder, top, out);
    findTemperature(recorder, top, out);
    findEnergy(recorder, top, out);
    return out;
}

}  // namespace hs
