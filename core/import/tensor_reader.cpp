// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <charconv>
#include <cstring>
#include <limits>

#include "core/import/tensor_proto.h"

namespace hs {
namespace {

static_assert(std::endian::native == std::endian::little, "ONNX raw data is little-endian; a big-endian host would have to swap it");

/// Below this, data is copied into aligned memory; above it, the message's own string becomes the tensor's memory.
constexpr std::size_t kCopyBelowBytes = 4096;

std::size_t naturalAlignment(DType type) {
    const int bits = dtypeBits(type);
    return bits <= 8 ? 1 : type == DType::C64 || type == DType::C128 ? static_cast<std::size_t>(bits) / 16 : static_cast<std::size_t>(bits) / 8;
}

Result<Tensor> copied(DType type, Dims dims, const void* data, std::size_t bytes) {
    HS_TRY(Tensor out, Tensor::allocate(type, std::move(dims)));
    if (bytes != 0) std::memcpy(out.raw(), data, bytes);
    return out;
}

template <class To, class Field>
Status convert(const Field& field, std::string_view name, Tensor& out) {
    auto* to = static_cast<To*>(out.raw());
    for (const auto value : field) {
        using From = std::decay_t<decltype(value)>;
        if constexpr (std::is_integral_v<From> && sizeof(To) < sizeof(From)) {
            // Signed and unsigned narrow types share a field, so both readings of the low bits are fine.
            constexpr auto kMax = static_cast<From>(std::numeric_limits<std::make_unsigned_t<To>>::max());
            constexpr auto kMin = std::is_signed_v<From> ? static_cast<From>(std::numeric_limits<std::make_signed_t<To>>::min()) : From{0};
            if (value > kMax || value < kMin) return fail(ErrorCode::BadInput, "", "{} holds {}, which {} cannot", name, value, dtypeName(out.dtype()));
        }
        *to++ = static_cast<To>(value);
    }
    return {};
}

Status convertStrings(wire::TensorProto& proto, Tensor& out) {
    auto to = out.data<std::string>();
    for (std::size_t i = 0; i < to.size(); ++i)
        to[i] = std::move(*proto.mutable_string_data(static_cast<int>(i)));
    return {};
}

/// Fills a tensor from the typed field of its element type, whose number of entries is already known to be right.
Status convertTyped(wire::TensorProto& proto, Tensor& out) {
    switch (out.dtype()) {
        case DType::F32:
        case DType::C64: return convert<float>(proto.float_data(), "float_data", out);
        case DType::F64:
        case DType::C128: return convert<double>(proto.double_data(), "double_data", out);
        case DType::I64: return convert<std::int64_t>(proto.int64_data(), "int64_data", out);
        case DType::U64: return convert<std::uint64_t>(proto.uint64_data(), "uint64_data", out);
        case DType::U32: return convert<std::uint32_t>(proto.uint64_data(), "uint64_data", out);
        case DType::I32: return convert<std::int32_t>(proto.int32_data(), "int32_data", out);
        case DType::String: return convertStrings(proto, out);
        default: break;
    }
    if (dtypeBits(out.dtype()) == 16) return convert<std::uint16_t>(proto.int32_data(), "int32_data", out);
    return convert<std::uint8_t>(proto.int32_data(), "int32_data", out);  // 8 bits, and narrower ones packed into bytes
}

/// How many entries the typed field that belongs to `type` holds: known before anything is allocated.
std::size_t typedEntries(const wire::TensorProto& proto, DType type) {
    switch (type) {
        case DType::F32:
        case DType::C64: return static_cast<std::size_t>(proto.float_data_size());
        case DType::F64:
        case DType::C128: return static_cast<std::size_t>(proto.double_data_size());
        case DType::I64: return static_cast<std::size_t>(proto.int64_data_size());
        case DType::U64:
        case DType::U32: return static_cast<std::size_t>(proto.uint64_data_size());
        case DType::String: return static_cast<std::size_t>(proto.string_data_size());
        default: return static_cast<std::size_t>(proto.int32_data_size());
    }
}

std::size_t entriesWanted(DType type, std::size_t count) {
    if (type == DType::C64 || type == DType::C128) return 2 * count;
    return dtypeBits(type) > 0 && dtypeBits(type) < 8 ? dtypeBytes(type, count) : count;
}

std::string_view typedFieldName(DType type) {
    switch (type) {
        case DType::F32:
        case DType::C64: return "float_data";
        case DType::F64:
        case DType::C128: return "double_data";
        case DType::I64: return "int64_data";
        case DType::U64:
        case DType::U32: return "uint64_data";
        case DType::String: return "string_data";
        default: return "int32_data";
    }
}

Result<std::uint64_t> parseSize(const std::string& key, const std::string& text) {
    std::uint64_t out = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
    if (error != std::errc{} || end != text.data() + text.size())
        return fail(ErrorCode::BadInput, "", "external data {} \"{}\" is not a size in bytes", key, text);
    return out;
}

Result<Tensor> takeExternal(const wire::TensorProto& proto, DType type, Dims dims, std::size_t bytes, const TensorSource& source) {
    std::string location;
    std::uint64_t offset = 0;
    std::uint64_t length = bytes;
    for (const auto& entry : proto.external_data()) {
        if (entry.key() == "location") location = entry.value();
        if (entry.key() == "offset") {
            HS_TRY(offset, parseSize(entry.key(), entry.value()));
        }
        if (entry.key() == "length") {
            HS_TRY(length, parseSize(entry.key(), entry.value()));
        }
    }
    if (source.external == nullptr) return fail(ErrorCode::BadInput, "", "external data \"{}\" is not read here", location);
    if (type == DType::String) return fail(ErrorCode::BadInput, "", "strings cannot be external data");
    if (length != bytes)
        return fail(ErrorCode::BadInput, "", "external data gives {} bytes, but {} of shape {} needs {}", length, dtypeName(type), toString(dims), bytes);
    HS_TRY(auto region, source.external->region(location, offset, length));
    if (reinterpret_cast<std::uintptr_t>(region.bytes.data()) % naturalAlignment(type) != 0 || bytes == 0)
        return copied(type, std::move(dims), region.bytes.data(), bytes);
    return Tensor::mapped(type, std::move(dims), region.bytes.data(), std::move(region.owner));
}

Result<Tensor> takeRaw(wire::TensorProto& proto, DType type, Dims dims, std::size_t bytes) {
    if (proto.raw_data().size() != bytes)
        return fail(ErrorCode::BadInput, "", "raw_data has {} bytes, but {} of shape {} needs {}", proto.raw_data().size(), dtypeName(type), toString(dims),
                    bytes);
    if (bytes < kCopyBelowBytes) return copied(type, std::move(dims), proto.raw_data().data(), bytes);
    auto owner = std::make_shared<std::string>(std::move(*proto.mutable_raw_data()));
    void* data = owner->data();
    return Tensor::borrow(type, std::move(dims), data, std::move(owner));
}

}  // namespace

Result<Tensor> takeTensor(wire::TensorProto& proto, const TensorSource& source) {
    const auto type = dtypeFromOnnx(proto.data_type());
    if (!type) return fail(ErrorCode::BadInput, "", "unknown element type {}", proto.data_type());
    if (proto.has_segment()) return fail(ErrorCode::Unsupported, "", "tensors split into segments are not supported");
    if (proto.dims_size() > kMaxRank) return fail(ErrorCode::BadInput, "", "rank {} is over the limit of {}", proto.dims_size(), kMaxRank);
    Dims dims(proto.dims().begin(), proto.dims().end());
    const auto count = elementCount(dims);
    if (!count) return fail(ErrorCode::BadInput, "", "impossible shape {}: a size is negative or the product too large", toString(dims));
    const auto elements = static_cast<std::size_t>(*count);
    const std::size_t bytes = dtypeBytes(*type, elements);
    if (bytes > source.maxBytes) return fail(ErrorCode::BadInput, "", "{} bytes are over the limit of {} for one tensor", bytes, source.maxBytes);
    if (proto.data_location() == 1) return takeExternal(proto, *type, std::move(dims), bytes, source);
    if (proto.data_location() != 0) return fail(ErrorCode::BadInput, "", "unknown data location {}", proto.data_location());
    if (*type != DType::String && !proto.raw_data().empty()) return takeRaw(proto, *type, std::move(dims), bytes);
    if (*type == DType::String && !proto.raw_data().empty()) return fail(ErrorCode::BadInput, "", "strings cannot be raw data");
    if (typedEntries(proto, *type) != entriesWanted(*type, elements)) {
        return fail(ErrorCode::BadInput, "", "{} has {} entries, but {} of shape {} needs {}", typedFieldName(*type), typedEntries(proto, *type),
                    dtypeName(*type), toString(dims), entriesWanted(*type, elements));
    }
    HS_TRY(Tensor out, Tensor::allocate(*type, std::move(dims)));
    HS_CHECK(convertTyped(proto, out));
    return out;
}

}  // namespace hs
