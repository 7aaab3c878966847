// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace hs {

/// Makes the calling thread give way to those that it observes: on Linux, where niceness belongs to a thread, by 5 steps (a
/// third of the others' share when there are more threads than cores). It still gets its turn within milliseconds.
void lowerThreadPriority();

/// Processor time that the calling thread has used.
std::int64_t threadCpuNs();

}  // namespace hs
