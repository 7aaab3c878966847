// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace hs::store {

/// Names one process of one boot of one machine, so that a session left "running" by a crash can be told from a live one.
struct ProcessMark {
    std::int64_t pid = 0;
    std::int64_t start = 0;  ///< Start time in clock ticks since boot; 0 where the system does not tell.
    std::string bootId;      ///< Empty where the system does not tell.
};

ProcessMark thisProcess();
/// False when it is certain that the process is gone.
bool mayBeAlive(const ProcessMark& mark);

/// Now, as "2026-01-31T12:00:00.123Z".
std::string utcNow();

}  // namespace hs::store
