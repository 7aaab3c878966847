// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace hs {

/// Category of a span, as stored.
enum class SpanCategory : std::uint8_t { Op, Kernel, Copy, Compile, Wait, Api, Load };
std::string_view spanCategoryName(SpanCategory category);

/// Kind of a track, as stored.
enum class TrackKind : std::uint8_t { Thread, Queue, Copy, Counter, Memory };
std::string_view trackKindName(TrackKind kind);

inline constexpr std::uint32_t kNoStep = 0xFFFFFFFFU;
inline constexpr std::uint32_t kNoName = 0xFFFFFFFFU;

/// SpanEvent::iteration of runs that only measure what recording costs: written to the ring like any other, and left out of
/// the session by whoever drains it.
inline constexpr std::int32_t kDiscarded = -2;

/// SpanEvent::flags: the step ran other steps inside itself (If, Loop, Scan); `bytes` then holds their ticks.
inline constexpr std::uint8_t kSpanEncloses = 1;

/// Name (Recorder::internName) of the span that stands for one whole iteration: category Api, no step, iteration >= 0.
/// Their durations add up to the measured extent that a device's utilisation refers to.
inline constexpr std::string_view kIterationSpanName = "iteration";

/// One finished span, as the recording thread leaves it in its ring. 40 bytes; times are raw ticks (core/base/clock.h).
struct SpanEvent {
    std::uint64_t startTick = 0;
    std::uint64_t endTick = 0;
    std::uint32_t step = kNoStep;  ///< StepId index, written when the event is recorded.
    std::uint32_t name = kNoName;  ///< Interned name for spans without a step; kNoName: the step's label.
    std::int32_t iteration = -1;   ///< -1 outside the measured loop (load, plan, warm-up); or kDiscarded.
    std::uint16_t track = 0;       ///< Index of a registered track.
    SpanCategory category = SpanCategory::Op;
    std::uint8_t flags = 0;
    std::uint64_t bytes = 0;
};

enum class MemoryKind : std::uint8_t { Alloc, Free };

/// One allocation or release of a buffer that holds a value (or weights, or an arena).
struct MemoryEvent {
    std::uint64_t tick = 0;
    std::uint64_t bytes = 0;
    std::uint32_t value = 0xFFFFFFFFU;  ///< ValueId index; kNoName when it is not one value's.
    std::uint32_t buffer = 0;           ///< Identifies the buffer between its alloc and its free.
    std::uint16_t device = 0;           ///< Index of the device in the run.
    MemoryKind kind = MemoryKind::Alloc;
};

struct CounterEvent {
    std::uint64_t tick = 0;
    double value = 0;
    std::uint16_t track = 0;
};

}  // namespace hs
