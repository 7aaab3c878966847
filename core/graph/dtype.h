// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace hs {

/// Element types, with the numbers of onnx.TensorProto.DataType.
enum class DType : std::uint8_t {
    Undefined = 0,
    F32 = 1,
    U8 = 2,
    I8 = 3,
    U16 = 4,
    I16 = 5,
    I32 = 6,
    I64 = 7,
    String = 8,
    Bool = 9,
    F16 = 10,
    F64 = 11,
    U32 = 12,
    U64 = 13,
    C64 = 14,
    C128 = 15,
    BF16 = 16,
    F8E4M3FN = 17,
    F8E4M3FNUZ = 18,
    F8E5M2 = 19,
    F8E5M2FNUZ = 20,
    U4 = 21,
    I4 = 22,
    F4E2M1 = 23,
    F8E8M0 = 24,
    U2 = 25,
    I2 = 26,
};

/// The field's short name: "float32", "int64", "bfloat16", "float8e4m3fn" …
std::string_view dtypeName(DType type);

/// The DType of an onnx data_type number, if it is one that this version knows (Undefined is none).
std::optional<DType> dtypeFromOnnx(std::int64_t number);
std::optional<DType> dtypeFromName(std::string_view name);

/// Bits of one element in packed storage; 0 for strings and Undefined.
int dtypeBits(DType type);

/// Bytes that `count` packed elements take (sub-byte types are packed little end first); 0 for strings.
std::size_t dtypeBytes(DType type, std::size_t count);

bool isFloat(DType type);            ///< f16, bf16, f32, f64 and the small floats.
bool isSignedInteger(DType type);    ///< i2 … i64.
bool isUnsignedInteger(DType type);  ///< u2 … u64; not bool.
inline bool isInteger(DType type) {
    return isSignedInteger(type) || isUnsignedInteger(type);
}

}  // namespace hs
