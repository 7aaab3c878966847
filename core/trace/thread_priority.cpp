// SPDX-License-Identifier: Apache-2.0
#include "core/trace/thread_priority.h"

#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

namespace hs {

void lowerThreadPriority() {
#if defined(__linux__)
    constexpr int kSteps = 5;
    const auto thread = static_cast<id_t>(::gettid());
    // A failure (already at the lowest priority) leaves things as they are.
    static_cast<void>(::setpriority(PRIO_PROCESS, thread, ::getpriority(PRIO_PROCESS, thread) + kSteps));
#endif
}

std::int64_t threadCpuNs() {
    timespec spent{};
    if (::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent) != 0) return 0;
    return static_cast<std::int64_t>(spent.tv_sec) * 1'000'000'000 + spent.tv_nsec;
}

}  // namespace hs
