// SPDX-License-Identifier: Apache-2.0
#include "core/plan/plan.h"

#include <array>

namespace hs {

std::string_view outcomeName(Outcome outcome) {
    static constexpr std::array<std::string_view, 4> kNames = {"executed", "fused", "folded", "eliminated"};
    return kNames[static_cast<std::size_t>(outcome)];
}

}  // namespace hs
