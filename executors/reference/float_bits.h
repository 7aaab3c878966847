// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace hs::ref {

/// How a small float spells infinity and NaN.
enum class Special : std::uint8_t {
    Ieee,  ///< All-ones exponent: infinity and NaN.
    Fn,    ///< Only all ones is NaN, no infinity.
    Fnuz,  ///< The negative zero is NaN, no infinity.
    None,  ///< Neither.
};

/// A binary float of up to 16 bits with a sign. The ONNX spellings follow the OCP 8-bit and microscaling formats.
template <int kExponentBits, int kMantissaBits, int kBias, Special kSpecial>
struct FloatFormat {
    static constexpr std::uint32_t kSign = 1U << (kExponentBits + kMantissaBits);
    static constexpr std::uint32_t kMagnitude = kSign - 1;
    static constexpr std::uint32_t kInfinity = ((1U << kExponentBits) - 1) << kMantissaBits;
    static constexpr std::uint32_t kLargest = kSpecial == Special::Ieee ? kInfinity - 1 : kSpecial == Special::Fn ? kMagnitude - 1 : kMagnitude;

    static double decode(std::uint32_t bits) {
        const bool negative = (bits & kSign) != 0;
        const std::uint32_t magnitude = bits & kMagnitude;
        constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
        if constexpr (kSpecial == Special::Fnuz)
            if (bits == kSign) return kNan;
        if constexpr (kSpecial == Special::Fn)
            if (magnitude == kMagnitude) return kNan;
        if constexpr (kSpecial == Special::Ieee)
            if (magnitude >= kInfinity)
                return magnitude > kInfinity ? kNan : negative ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
        const std::uint32_t exponent = magnitude >> kMantissaBits;
        const std::uint64_t mantissa = magnitude & ((1U << kMantissaBits) - 1);
        double value;
        if (exponent == 0) {
            value = static_cast<double>(mantissa) * std::bit_cast<double>(static_cast<std::uint64_t>(1023 + 1 - kBias - kMantissaBits) << 52);
        } else {
            value = std::bit_cast<double>((static_cast<std::uint64_t>(static_cast<int>(exponent) + 1023 - kBias) << 52) | (mantissa << (52 - kMantissaBits)));
        }
        return negative ? -value : value;
    }

    /// Rounds to nearest, ties to even. Out of range: the largest value when `saturate`, else infinity or NaN.
    static std::uint32_t encode(double value, bool saturate) {
        const auto bits = std::bit_cast<std::uint64_t>(value);
        const std::uint32_t sign = (bits >> 63) != 0 ? kSign : 0;
        if (std::isnan(value)) return nan(sign);
        std::uint32_t magnitude;
        if (std::isinf(value)) {
            return beyond(sign, saturate);
        }
        const int exponent = static_cast<int>((bits >> 52) & 0x7FF) - 1023 + kBias;
        std::uint64_t mantissa = bits & ((std::uint64_t{1} << 52) - 1);
        int shift = 52 - kMantissaBits;
        std::uint64_t base = 0;
        if (exponent > 0) {
            base = static_cast<std::uint64_t>(exponent) << kMantissaBits;
        } else {
            mantissa |= std::uint64_t{1} << 52;
            shift += 1 - exponent;
        }
        if (shift > 54) {
            magnitude = 0;
        } else {
            const std::uint64_t half = std::uint64_t{1} << (shift - 1);
            const std::uint64_t rest = mantissa & ((std::uint64_t{1} << shift) - 1);
            std::uint64_t rounded = base + (mantissa >> shift);
            if (rest > half || (rest == half && (rounded & 1) != 0)) ++rounded;
            if (rounded > kLargest) return beyond(sign, saturate);
            magnitude = static_cast<std::uint32_t>(rounded);
        }
        if (kSpecial == Special::Fnuz && magnitude == 0) return 0;
        return sign | magnitude;
    }

private:
    static std::uint32_t nan(std::uint32_t sign) {
        if constexpr (kSpecial == Special::Fnuz) return kSign;
        if constexpr (kSpecial == Special::Fn) return sign | kMagnitude;
        if constexpr (kSpecial == Special::None) return kSign;  // the format has no NaN: the negative zero stands for it
        return sign | kInfinity | (1U << (kMantissaBits - 1));
    }
    static std::uint32_t beyond(std::uint32_t sign, bool saturate) {
        if (saturate || kSpecial == Special::None) return sign | kLargest;
        return kSpecial == Special::Ieee ? sign | kInfinity : nan(sign);
    }
};

using Float16 = FloatFormat<5, 10, 15, Special::Ieee>;
using BFloat16 = FloatFormat<8, 7, 127, Special::Ieee>;
using Float8E4M3Fn = FloatFormat<4, 3, 7, Special::Fn>;
using Float8E4M3Fnuz = FloatFormat<4, 3, 8, Special::Fnuz>;
using Float8E5M2 = FloatFormat<5, 2, 15, Special::Ieee>;
using Float8E5M2Fnuz = FloatFormat<5, 2, 16, Special::Fnuz>;
using Float4E2M1 = FloatFormat<2, 1, 1, Special::None>;

/// The exponent-only scale type: 2^(bits - 127), 255 is NaN.
struct Float8E8M0 {
    enum class Round : std::uint8_t { Up, Down, Nearest };
    static double decode(std::uint32_t bits) { return bits == 255 ? std::numeric_limits<double>::quiet_NaN() : std::ldexp(1.0, static_cast<int>(bits) - 127); }
    static std::uint32_t encode(double value, bool saturate, Round round = Round::Up) {
        if (std::isnan(value) || value < 0) return 255;
        if (std::isinf(value)) return saturate ? 254 : 255;
        if (value == 0) return 0;
        int exponent = 0;
        const double fraction = std::frexp(value, &exponent);  // in [0.5, 1)
        int power = exponent - 1;
        if (round == Round::Up && fraction > 0.5) ++power;
        if (round == Round::Nearest && fraction >= 0.75) ++power;
        if (power > 127) return saturate ? 254 : 255;
        return power < -127 ? 0 : static_cast<std::uint32_t>(power + 127);
    }
};

}  // namespace hs::ref
