// SPDX-License-Identifier: Apache-2.0
#include "executors/reference/convert.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

#include "executors/reference/type_set.h"

namespace hs::ref {
namespace {

constexpr std::int64_t kChunk = 512;  // elements converted at once through a buffer on the stack

template <class T, class Wide>
void load(const Tensor& from, std::int64_t at, std::int64_t n, Wide* to) {
    const T* p = static_cast<const T*>(from.raw()) + at;
    for (std::int64_t i = 0; i < n; ++i)
        to[i] = static_cast<Wide>(p[i]);
}

template <class Format, class Bits>
void loadFloat(const Tensor& from, std::int64_t at, std::int64_t n, double* to) {
    const Bits* p = static_cast<const Bits*>(from.raw()) + at;
    for (std::int64_t i = 0; i < n; ++i)
        to[i] = Format::decode(p[i]);
}

std::uint32_t packedAt(const Tensor& from, std::int64_t i) {
    const int bits = dtypeBits(from.dtype());
    const std::int64_t perByte = 8 / bits;
    const std::uint32_t byte = static_cast<const std::uint8_t*>(from.raw())[i / perByte];
    return (byte >> (static_cast<int>(i % perByte) * bits)) & ((1U << bits) - 1);
}

std::int64_t signExtend(std::uint32_t raw, int bits) {
    const auto value = static_cast<std::int64_t>(raw);
    return (raw >> (bits - 1)) != 0 ? value - (std::int64_t{1} << bits) : value;
}

bool loadDoubles(const Tensor& from, std::int64_t at, std::int64_t n, double* to) {
    switch (from.dtype()) {
        case DType::F32: load<float>(from, at, n, to); return true;
        case DType::F64: load<double>(from, at, n, to); return true;
        case DType::F16: loadFloat<Float16, std::uint16_t>(from, at, n, to); return true;
        case DType::BF16: loadFloat<BFloat16, std::uint16_t>(from, at, n, to); return true;
        case DType::F8E4M3FN: loadFloat<Float8E4M3Fn, std::uint8_t>(from, at, n, to); return true;
        case DType::F8E4M3FNUZ: loadFloat<Float8E4M3Fnuz, std::uint8_t>(from, at, n, to); return true;
        case DType::F8E5M2: loadFloat<Float8E5M2, std::uint8_t>(from, at, n, to); return true;
        case DType::F8E5M2FNUZ: loadFloat<Float8E5M2Fnuz, std::uint8_t>(from, at, n, to); return true;
        case DType::F8E8M0: loadFloat<Float8E8M0, std::uint8_t>(from, at, n, to); return true;
        case DType::F4E2M1:
            for (std::int64_t i = 0; i < n; ++i)
                to[i] = Float4E2M1::decode(packedAt(from, at + i));
            return true;
        default: return false;
    }
}

bool loadInts(const Tensor& from, std::int64_t at, std::int64_t n, std::int64_t* to) {
    switch (from.dtype()) {
        case DType::I8: load<std::int8_t>(from, at, n, to); return true;
        case DType::I16: load<std::int16_t>(from, at, n, to); return true;
        case DType::I32: load<std::int32_t>(from, at, n, to); return true;
        case DType::I64: load<std::int64_t>(from, at, n, to); return true;
        case DType::U8: load<std::uint8_t>(from, at, n, to); return true;
        case DType::U16: load<std::uint16_t>(from, at, n, to); return true;
        case DType::U32: load<std::uint32_t>(from, at, n, to); return true;
        case DType::U64: load<std::uint64_t>(from, at, n, to); return true;
        case DType::Bool:
            load<std::uint8_t>(from, at, n, to);
            for (std::int64_t i = 0; i < n; ++i)
                to[i] = to[i] != 0 ? 1 : 0;
            return true;
        case DType::U4:
        case DType::U2:
            for (std::int64_t i = 0; i < n; ++i)
                to[i] = packedAt(from, at + i);
            return true;
        case DType::I4:
        case DType::I2:
            for (std::int64_t i = 0; i < n; ++i)
                to[i] = signExtend(packedAt(from, at + i), dtypeBits(from.dtype()));
            return true;
        default: return false;
    }
}

template <class T, class Wide>
void store(Tensor& to, std::int64_t at, std::int64_t n, const Wide* from) {
    T* p = static_cast<T*>(to.raw()) + at;
    for (std::int64_t i = 0; i < n; ++i)
        p[i] = static_cast<T>(from[i]);
}

template <class Format, class Bits>
void storeFloat(Tensor& to, std::int64_t at, std::int64_t n, const double* from, bool saturate) {
    Bits* p = static_cast<Bits*>(to.raw()) + at;
    for (std::int64_t i = 0; i < n; ++i)
        p[i] = static_cast<Bits>(Format::encode(from[i], saturate));
}

void setPacked(Tensor& to, std::int64_t i, std::uint32_t raw) {
    const int bits = dtypeBits(to.dtype());
    const std::int64_t perByte = 8 / bits;
    auto& byte = static_cast<std::uint8_t*>(to.raw())[i / perByte];
    const int shift = static_cast<int>(i % perByte) * bits;
    const std::uint32_t mask = ((1U << bits) - 1) << shift;
    byte = static_cast<std::uint8_t>((byte & ~mask) | ((raw << shift) & mask));
}

bool storeDoubles(Tensor& to, std::int64_t at, std::int64_t n, const double* from, const ConvertOptions& options) {
    switch (to.dtype()) {
        case DType::F32: store<float>(to, at, n, from); return true;
        case DType::F64: store<double>(to, at, n, from); return true;
        case DType::F16: storeFloat<Float16, std::uint16_t>(to, at, n, from, false); return true;
        case DType::BF16: storeFloat<BFloat16, std::uint16_t>(to, at, n, from, false); return true;
        case DType::F8E4M3FN: storeFloat<Float8E4M3Fn, std::uint8_t>(to, at, n, from, options.saturate); return true;
        case DType::F8E4M3FNUZ: storeFloat<Float8E4M3Fnuz, std::uint8_t>(to, at, n, from, options.saturate); return true;
        case DType::F8E5M2: storeFloat<Float8E5M2, std::uint8_t>(to, at, n, from, options.saturate); return true;
        case DType::F8E5M2FNUZ: storeFloat<Float8E5M2Fnuz, std::uint8_t>(to, at, n, from, options.saturate); return true;
        case DType::F8E8M0:
            for (std::int64_t i = 0; i < n; ++i)
                static_cast<std::uint8_t*>(to.raw())[at + i] = static_cast<std::uint8_t>(Float8E8M0::encode(from[i], options.saturate, options.round));
            return true;
        case DType::F4E2M1:
            for (std::int64_t i = 0; i < n; ++i)
                setPacked(to, at + i, Float4E2M1::encode(from[i], true));
            return true;
        default: return false;
    }
}

bool storeInts(Tensor& to, std::int64_t at, std::int64_t n, const std::int64_t* from) {
    switch (to.dtype()) {
        case DType::I8: store<std::int8_t>(to, at, n, from); return true;
        case DType::I16: store<std::int16_t>(to, at, n, from); return true;
        case DType::I32: store<std::int32_t>(to, at, n, from); return true;
        case DType::I64: store<std::int64_t>(to, at, n, from); return true;
        case DType::U8: store<std::uint8_t>(to, at, n, from); return true;
        case DType::U16: store<std::uint16_t>(to, at, n, from); return true;
        case DType::U32: store<std::uint32_t>(to, at, n, from); return true;
        case DType::U64: store<std::uint64_t>(to, at, n, from); return true;
        case DType::Bool:
            for (std::int64_t i = 0; i < n; ++i)
                static_cast<std::uint8_t*>(to.raw())[at + i] = from[i] != 0 ? 1 : 0;
            return true;
        case DType::U4:
        case DType::I4:
        case DType::U2:
        case DType::I2:
            for (std::int64_t i = 0; i < n; ++i)
                setPacked(to, at + i, static_cast<std::uint32_t>(static_cast<std::uint64_t>(from[i])));
            return true;
        default: return false;
    }
}

/// Towards zero; out of range saturates at 64 bits (and wraps from there); to uint64 the upper half is kept.
std::int64_t truncated(double value, DType to) {
    if (std::isnan(value)) return 0;
    if (to == DType::Bool) return value != 0 ? 1 : 0;
    if (to == DType::U64 && value >= 9223372036854775808.0)
        return value >= 18446744073709551616.0 ? -1 : static_cast<std::int64_t>(static_cast<std::uint64_t>(value));
    if (value >= 9223372036854775808.0) return std::numeric_limits<std::int64_t>::max();
    if (value < -9223372036854775808.0) return std::numeric_limits<std::int64_t>::min();
    return static_cast<std::int64_t>(value);
}

Status convertChunk(const Tensor& from, Tensor& to, std::int64_t at, std::int64_t n, const ConvertOptions& options) {
    std::array<double, kChunk> floats;
    std::array<std::int64_t, kChunk> ints;
    const bool toFloat = isFloat(to.dtype());
    if (loadDoubles(from, at, n, floats.data())) {
        if (toFloat && storeDoubles(to, at, n, floats.data(), options)) return {};
        for (std::int64_t i = 0; i < n; ++i)
            ints[static_cast<std::size_t>(i)] = truncated(floats[static_cast<std::size_t>(i)], to.dtype());
        if (storeInts(to, at, n, ints.data())) return {};
    } else if (loadInts(from, at, n, ints.data())) {
        if (!toFloat && storeInts(to, at, n, ints.data())) return {};
        for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i)
            floats[i] = from.dtype() == DType::U64 ? static_cast<double>(static_cast<std::uint64_t>(ints[i])) : static_cast<double>(ints[i]);
        if (storeDoubles(to, at, n, floats.data(), options)) return {};
    }
    return fail(ErrorCode::Unsupported, "", "no conversion from {} to {}", dtypeName(from.dtype()), dtypeName(to.dtype()));
}

Result<double> parseNumber(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const char* first = text.data();
    while (*first == ' ' || *first == '+')
        ++first;
    double value = 0;
    const auto [end, error] = std::from_chars(first, text.data() + text.size(), value);
    if (error == std::errc::result_out_of_range)
        return text.find('-') == 0 ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
    if (error != std::errc()) return fail(ErrorCode::BadInput, "", "\"{}\" is not a number", text);
    return value;
}

Status fromStrings(const Tensor& from, Tensor& to, const ConvertOptions& options) {
    const auto texts = from.data<std::string>();
    for (std::size_t i = 0; i < texts.size(); ++i) {
        if (isInteger(to.dtype())) {
            std::int64_t exact = 0;
            const char* end = texts[i].data() + texts[i].size();
            if (const auto parsed = std::from_chars(texts[i].data(), end, exact); parsed.ec == std::errc() && parsed.ptr == end) {
                storeInts(to, static_cast<std::int64_t>(i), 1, &exact);
                continue;
            }
        }
        HS_TRY(const double value, parseNumber(texts[i]));
        const std::int64_t whole = truncated(value, to.dtype());
        if (!storeDoubles(to, static_cast<std::int64_t>(i), 1, &value, options)) storeInts(to, static_cast<std::int64_t>(i), 1, &whole);
    }
    return {};
}

/// Floats as short as they read back: nine digits would show rounding noise, so the shortest form of the own type.
std::string printed(const Tensor& from, std::int64_t i) {
    double value = 0;
    if (loadDoubles(from, i, 1, &value)) {
        if (std::isnan(value)) return "NaN";
        if (std::isinf(value)) return value < 0 ? "-INF" : "INF";
        return from.dtype() == DType::F64 ? fmt::format("{}", value) : fmt::format("{}", static_cast<float>(value));
    }
    std::int64_t whole = 0;
    loadInts(from, i, 1, &whole);
    if (from.dtype() == DType::Bool) return whole != 0 ? "True" : "False";
    return from.dtype() == DType::U64 ? std::to_string(static_cast<std::uint64_t>(whole)) : std::to_string(whole);
}

}  // namespace

Status convert(const Tensor& from, Tensor& to, const ConvertOptions& options) {
    if (from.dtype() == to.dtype()) {
        if (from.dtype() == DType::String)
            std::ranges::copy(from.data<std::string>(), to.data<std::string>().begin());
        else if (from.bytes() != 0)
            std::memcpy(to.raw(), from.raw(), from.bytes());
        return {};
    }
    if (from.dtype() == DType::String && contains(kCastable, to.dtype())) return fromStrings(from, to, options);
    if (to.dtype() == DType::String && contains(kCastable, from.dtype())) {
        for (std::int64_t i = 0; i < from.count(); ++i)
            to.data<std::string>()[static_cast<std::size_t>(i)] = printed(from, i);
        return {};
    }
    for (std::int64_t at = 0; at < from.count(); at += kChunk)
        HS_CHECK(convertChunk(from, to, at, std::min(kChunk, from.count() - at), options));
    return {};
}

Result<std::vector<double>> toDoubles(const Tensor& tensor) {
    std::vector<double> out(static_cast<std::size_t>(tensor.count()));
    if (out.empty()) return out;
    Tensor view = Tensor::borrow(DType::F64, tensor.dims(), out.data());
    HS_CHECK(convert(tensor, view));
    return out;
}

void unpackRaw(const Tensor& from, Tensor& to) {
    for (std::int64_t i = 0; i < from.count(); ++i)
        to.data<std::uint8_t>()[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(packedAt(from, i));
}

void packRaw(const Tensor& from, Tensor& to) {
    if (to.bytes() != 0) std::memset(to.raw(), 0, to.bytes());
    for (std::int64_t i = 0; i < from.count(); ++i)
        setPacked(to, i, from.data<std::uint8_t>()[static_cast<std::size_t>(i)]);
}

}  // namespace hs::ref
