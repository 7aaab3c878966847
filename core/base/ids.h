// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <limits>

namespace hs {

/// An index that only compares with its own kind. A default one is invalid ("absent").
template <class Tag>
class StrongId {
public:
    using Rep = std::uint32_t;
    static constexpr Rep kInvalid = std::numeric_limits<Rep>::max();

    constexpr StrongId() = default;
    constexpr explicit StrongId(std::size_t index) : m_index(static_cast<Rep>(index)) {}

    constexpr bool valid() const { return m_index != kInvalid; }
    constexpr explicit operator bool() const { return valid(); }
    constexpr Rep index() const { return m_index; }
    constexpr auto operator<=>(const StrongId&) const = default;

private:
    Rep m_index = kInvalid;
};

using NodeId = StrongId<struct NodeTag>;    ///< A node of the model; unique over all its subgraphs.
using ValueId = StrongId<struct ValueTag>;  ///< A value (edge) of the model; unique over all its subgraphs.
using GraphId = StrongId<struct GraphTag>;  ///< The main graph (0) or a subgraph body.
using StepId = StrongId<struct StepTag>;    ///< A step of a plan; unique over the plan's nested bodies.
using TrackId = StrongId<struct TrackTag>;  ///< A row of the timeline.

}  // namespace hs

template <class Tag>
struct std::hash<hs::StrongId<Tag>> {
    std::size_t operator()(hs::StrongId<Tag> id) const noexcept { return std::hash<std::uint32_t>{}(id.index()); }
};
