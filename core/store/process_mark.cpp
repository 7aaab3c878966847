// SPDX-License-Identifier: Apache-2.0
#include "core/store/process_mark.h"

#include <chrono>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace hs::store {
namespace {

std::string bootId() {
    std::ifstream file("/proc/sys/kernel/random/boot_id");
    std::string id;
    std::getline(file, id);
    return id;
}

/// Field 22 of /proc/PID/stat: start time after boot. 0 for a process that does not exist (or is a zombie).
std::int64_t startTime(std::int64_t pid) {
    std::ifstream file(fmt::format("/proc/{}/stat", pid));
    std::string line;
    std::getline(file, line);
    const auto close = line.rfind(')');  // the command's name may hold blanks and brackets
    if (close == std::string::npos) return 0;
    std::istringstream rest(line.substr(close + 1));
    std::string state;
    rest >> state;
    if (state == "Z" || state == "X") return 0;
    std::string field;
    for (int i = 4; i <= 21; ++i)
        rest >> field;
    std::int64_t start = 0;
    rest >> start;
    return start;
}

}  // namespace

ProcessMark thisProcess() {
    const auto pid = static_cast<std::int64_t>(::getpid());
    return {pid, startTime(pid), bootId()};
}

bool mayBeAlive(const ProcessMark& mark) {
    if (mark.bootId.empty() || mark.start == 0) return true;
    return mark.bootId == bootId() && startTime(mark.pid) == mark.start;
}

std::string utcNow() {
    const auto now = std::chrono::system_clock::now();
    const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count();
    return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03d}Z", fmt::gmtime(std::chrono::system_clock::to_time_t(now)), static_cast<int>(ms % 1000));
}

}  // namespace hs::store
