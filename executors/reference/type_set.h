// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/graph/dtype.h"

namespace hs::ref {

/// A set of element types, as bits.
using TypeSet = std::uint32_t;

constexpr TypeSet bit(DType type) {
    return TypeSet{1} << static_cast<unsigned>(type);
}
constexpr bool contains(TypeSet set, DType type) {
    return (set & bit(type)) != 0;
}

inline constexpr TypeSet kFloats = bit(DType::F16) | bit(DType::BF16) | bit(DType::F32) | bit(DType::F64);
inline constexpr TypeSet kSigned = bit(DType::I8) | bit(DType::I16) | bit(DType::I32) | bit(DType::I64);
inline constexpr TypeSet kUnsigned = bit(DType::U8) | bit(DType::U16) | bit(DType::U32) | bit(DType::U64);
inline constexpr TypeSet kInts = kSigned | kUnsigned;
inline constexpr TypeSet kNumbers = kFloats | kInts;
inline constexpr TypeSet kBool = bit(DType::Bool);
inline constexpr TypeSet kPacked = bit(DType::U4) | bit(DType::I4) | bit(DType::F4E2M1) | bit(DType::U2) | bit(DType::I2);
inline constexpr TypeSet kFloat8 = bit(DType::F8E4M3FN) | bit(DType::F8E4M3FNUZ) | bit(DType::F8E5M2) | bit(DType::F8E5M2FNUZ) | bit(DType::F8E8M0);
/// Everything with a numeric value that Cast converts.
inline constexpr TypeSet kCastable = kNumbers | kBool | kPacked | kFloat8;
/// All, Undefined too: the element type of an empty optional may be unknown.
inline constexpr TypeSet kAny = bit(DType::Undefined) | kCastable | bit(DType::String) | bit(DType::C64) | bit(DType::C128);

}  // namespace hs::ref
