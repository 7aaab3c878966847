// SPDX-License-Identifier: Apache-2.0
#include "app/cli/elements.h"

#include <bit>
#include <cmath>
#include <limits>

namespace hs::cli {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// A small float: sign, exponent and mantissa bits without any special values.
double smallFloat(unsigned bits, int exponentBits, int mantissaBits, int bias) {
    const unsigned mantissa = bits & ((1U << mantissaBits) - 1U);
    const unsigned exponent = (bits >> mantissaBits) & ((1U << exponentBits) - 1U);
    const bool negative = ((bits >> (exponentBits + mantissaBits)) & 1U) != 0;
    const double magnitude = exponent == 0 ? std::ldexp(mantissa, 1 - bias - mantissaBits)
                                           : std::ldexp((1U << mantissaBits) + mantissa, static_cast<int>(exponent) - bias - mantissaBits);
    return negative ? -magnitude : magnitude;
}

double half(std::uint16_t bits) {
    if ((bits & 0x7C00U) == 0x7C00U) return (bits & 0x3FFU) != 0 ? kNan : (bits & 0x8000U) != 0 ? -kInf : kInf;
    return smallFloat(bits, 5, 10, 15);
}

/// The 8-bit floats of the OCP and of ONNX; the variants differ in bias and special values.
double float8(DType type, std::uint8_t bits) {
    switch (type) {
        case DType::F8E4M3FN: return (bits & 0x7FU) == 0x7FU ? kNan : smallFloat(bits, 4, 3, 7);
        case DType::F8E4M3FNUZ: return bits == 0x80U ? kNan : smallFloat(bits, 4, 3, 8);
        case DType::F8E5M2:
            if ((bits & 0x7CU) == 0x7CU) return (bits & 3U) != 0 ? kNan : (bits & 0x80U) != 0 ? -kInf : kInf;
            return smallFloat(bits, 5, 2, 15);
        case DType::F8E5M2FNUZ: return bits == 0x80U ? kNan : smallFloat(bits, 5, 2, 16);
        default: return bits == 0xFFU ? kNan : std::ldexp(1.0, bits - 127);  // f8e8m0: a power of two
    }
}

/// Packed elements, the first one in the low bits.
unsigned packed(const Tensor& tensor, std::int64_t i, unsigned bits) {
    const auto perByte = static_cast<std::int64_t>(8 / bits);
    const std::uint8_t byte = static_cast<const std::uint8_t*>(tensor.raw())[i / perByte];
    return (byte >> (static_cast<unsigned>(i % perByte) * bits)) & ((1U << bits) - 1U);
}

double signedBits(unsigned value, unsigned bits) {
    const bool negative = (value >> (bits - 1)) != 0;
    return static_cast<double>(value) - (negative ? static_cast<double>(1U << bits) : 0.0);
}

template <class T>
T at(const Tensor& tensor, std::int64_t i) {
    return static_cast<const T*>(tensor.raw())[i];
}

}  // namespace

std::complex<double> elementAt(const Tensor& tensor, std::int64_t i) {
    switch (tensor.dtype()) {
        case DType::F32: return at<float>(tensor, i);
        case DType::F64: return at<double>(tensor, i);
        case DType::F16: return half(at<std::uint16_t>(tensor, i));
        case DType::BF16: return std::bit_cast<float>(std::uint32_t{at<std::uint16_t>(tensor, i)} << 16);
        case DType::I8: return at<std::int8_t>(tensor, i);
        case DType::I16: return at<std::int16_t>(tensor, i);
        case DType::I32: return at<std::int32_t>(tensor, i);
        case DType::I64: return static_cast<double>(at<std::int64_t>(tensor, i));
        case DType::U8:
        case DType::Bool: return at<std::uint8_t>(tensor, i);
        case DType::U16: return at<std::uint16_t>(tensor, i);
        case DType::U32: return at<std::uint32_t>(tensor, i);
        case DType::U64: return static_cast<double>(at<std::uint64_t>(tensor, i));
        case DType::C64: return {at<float>(tensor, 2 * i), at<float>(tensor, 2 * i + 1)};
        case DType::C128: return {at<double>(tensor, 2 * i), at<double>(tensor, 2 * i + 1)};
        case DType::F8E4M3FN:
        case DType::F8E4M3FNUZ:
        case DType::F8E5M2:
        case DType::F8E5M2FNUZ:
        case DType::F8E8M0: return float8(tensor.dtype(), at<std::uint8_t>(tensor, i));
        case DType::U4: return packed(tensor, i, 4);
        case DType::I4: return signedBits(packed(tensor, i, 4), 4);
        case DType::F4E2M1: return smallFloat(packed(tensor, i, 4), 2, 1, 1);
        case DType::U2: return packed(tensor, i, 2);
        case DType::I2: return signedBits(packed(tensor, i, 2), 2);
        case DType::String:
        case DType::Undefined: break;
    }
    return kNan;
}

}  // namespace hs::cli
