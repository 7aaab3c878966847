// SPDX-License-Identifier: Apache-2.0
#include "core/graph/dtype.h"

#include <array>

namespace hs {
namespace {

struct Row {
    std::string_view name;
    int bits;
    char kind;  ///< f float, i signed, u unsigned, b bool, c complex, s string
};

constexpr std::array<Row, 27> kRows = {{
    {"undefined", 0, '-'},      {"float32", 32, 'f'},   {"uint8", 8, 'u'},          {"int8", 8, 'i'},         {"uint16", 16, 'u'},   {"int16", 16, 'i'},
    {"int32", 32, 'i'},         {"int64", 64, 'i'},     {"string", 0, 's'},         {"bool", 8, 'b'},         {"float16", 16, 'f'},  {"float64", 64, 'f'},
    {"uint32", 32, 'u'},        {"uint64", 64, 'u'},    {"complex64", 64, 'c'},     {"complex128", 128, 'c'}, {"bfloat16", 16, 'f'}, {"float8e4m3fn", 8, 'f'},
    {"float8e4m3fnuz", 8, 'f'}, {"float8e5m2", 8, 'f'}, {"float8e5m2fnuz", 8, 'f'}, {"uint4", 4, 'u'},        {"int4", 4, 'i'},      {"float4e2m1", 4, 'f'},
    {"float8e8m0", 8, 'f'},     {"uint2", 2, 'u'},      {"int2", 2, 'i'},
}};

const Row& row(DType type) {
    return kRows[static_cast<std::size_t>(type)];
}

}  // namespace

std::string_view dtypeName(DType type) {
    return row(type).name;
}

std::optional<DType> dtypeFromOnnx(std::int64_t number) {
    if (number <= 0 || number >= static_cast<std::int64_t>(kRows.size())) return std::nullopt;
    return static_cast<DType>(number);
}

std::optional<DType> dtypeFromName(std::string_view name) {
    for (std::size_t i = 1; i < kRows.size(); ++i)
        if (kRows[i].name == name) return static_cast<DType>(i);
    return std::nullopt;
}

int dtypeBits(DType type) {
    return row(type).bits;
}

std::size_t dtypeBytes(DType type, std::size_t count) {
    const auto bits = static_cast<std::size_t>(row(type).bits);
    return bits >= 8 ? count * (bits / 8) : (count * bits + 7) / 8;
}

bool isFloat(DType type) {
    return row(type).kind == 'f';
}
bool isSignedInteger(DType type) {
    return row(type).kind == 'i';
}
bool isUnsignedInteger(DType type) {
    return row(type).kind == 'u';
}

}  // namespace hs
