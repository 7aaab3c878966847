// SPDX-License-Identifier: Apache-2.0
#include "core/trace/events.h"

#include <array>

namespace hs {

std::string_view spanCategoryName(SpanCategory category) {
    static constexpr std::array<std::string_view, 7> kNames = {"op", "kernel", "copy", "compile", "wait", "api", "load"};
    return kNames[static_cast<std::size_t>(category)];
}

std::string_view trackKindName(TrackKind kind) {
    static constexpr std::array<std::string_view, 5> kNames = {"thread", "queue", "copy", "counter", "memory"};
    return kNames[static_cast<std::size_t>(kind)];
}

}  // namespace hs
