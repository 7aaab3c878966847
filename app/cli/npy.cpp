// SPDX-License-Identifier: Apache-2.0
#include "app/cli/npy.h"

#include <array>
#include <charconv>
#include <fstream>
#include <optional>
#include <string_view>
#include <utility>

#include "app/cli/checks.h"

namespace hs::cli {
namespace {

constexpr std::size_t kMaxHeader = 65536;

std::optional<DType> dtypeOf(std::string_view descr) {
    static constexpr std::array<std::pair<std::string_view, DType>, 15> kTypes = {{{"<f4", DType::F32},
                                                                                   {"<f8", DType::F64},
                                                                                   {"<f2", DType::F16},
                                                                                   {"|i1", DType::I8},
                                                                                   {"<i2", DType::I16},
                                                                                   {"<i4", DType::I32},
                                                                                   {"<i8", DType::I64},
                                                                                   {"|u1", DType::U8},
                                                                                   {"<u2", DType::U16},
                                                                                   {"<u4", DType::U32},
                                                                                   {"<u8", DType::U64},
                                                                                   {"|b1", DType::Bool},
                                                                                   {"<c8", DType::C64},
                                                                                   {"<c16", DType::C128},
                                                                                   {"?", DType::Bool}}};
    for (const auto& [name, type] : kTypes)
        if (name == descr) return type;
    return std::nullopt;
}

/// What follows "'key':" in the header, without leading blanks; empty when the key is missing.
std::string_view after(std::string_view header, std::string_view key) {
    const std::size_t at = header.find("'" + std::string(key) + "'");
    if (at == std::string_view::npos) return {};
    const std::size_t colon = header.find(':', at);
    if (colon == std::string_view::npos) return {};
    const std::size_t value = header.find_first_not_of(' ', colon + 1);
    return value == std::string_view::npos ? std::string_view{} : header.substr(value);
}

std::optional<Dims> parseShape(std::string_view text) {
    if (!text.starts_with('(')) return std::nullopt;
    text = text.substr(1, text.find(')') == std::string_view::npos ? 0 : text.find(')') - 1);
    Dims dims;
    while (dims.size() <= static_cast<std::size_t>(kMaxRank)) {
        const std::size_t digit = text.find_first_not_of(", ");
        if (digit == std::string_view::npos) return dims;
        text = text.substr(digit);
        std::int64_t size = 0;
        const auto parsed = std::from_chars(text.data(), text.data() + text.size(), size);
        if (parsed.ec != std::errc{} || size < 0) return std::nullopt;
        dims.push_back(size);
        text = text.substr(static_cast<std::size_t>(parsed.ptr - text.data()));
    }
    return std::nullopt;
}

Result<std::string> readHeader(std::ifstream& file, const std::string& path) {
    std::array<char, 8> magic{};
    std::array<unsigned char, 4> length{};
    const auto bad = [&] { return fail(ErrorCode::BadInput, path, "is not a .npy file of version 1 to 3"); };
    if (!file.read(magic.data(), magic.size()) || std::string_view(magic.data(), 6) != "\x93NUMPY") return bad();
    const int version = magic[6];
    const std::streamsize lengthBytes = version == 1 ? 2 : 4;
    if (version < 1 || version > 3 || !file.read(reinterpret_cast<char*>(length.data()), lengthBytes)) return bad();
    const std::size_t size = length[0] | (std::size_t{length[1]} << 8) | (std::size_t{length[2]} << 16) | (std::size_t{length[3]} << 24);
    if (size > kMaxHeader) return bad();
    std::string header(size, ' ');
    if (!file.read(header.data(), static_cast<std::streamsize>(size))) return bad();
    return header;
}

}  // namespace

Result<Tensor> readNpy(const std::string& path) {
    std::ifstream file;
    HS_TRY(const std::uint64_t size, openRegular(path, ErrorCode::BadInput, file));
    HS_TRY(const std::string header, readHeader(file, path));
    std::string_view descr = after(header, "descr");
    descr = descr.size() > 1 ? descr.substr(1, descr.find('\'', 1) == std::string_view::npos ? 0 : descr.find('\'', 1) - 1) : descr;
    const auto type = dtypeOf(descr);
    if (!type) return fail(ErrorCode::BadInput, path, "has elements of type \"{}\": only little-endian numbers and bools are read", descr);
    if (!after(header, "fortran_order").starts_with("False"))
        return fail(ErrorCode::BadInput, path, "is in Fortran order: save it with numpy.ascontiguousarray");
    const auto dims = parseShape(after(header, "shape"));
    if (!dims) return fail(ErrorCode::BadInput, path, "has no readable shape");
    const auto count = elementCount(*dims);
    if (!count) return fail(ErrorCode::BadInput, path, "has a shape that is too large: {}", toString(*dims));
    // The file must hold what the header promises before that much memory is asked for.
    const std::uint64_t there = size - static_cast<std::uint64_t>(file.tellg());
    const std::size_t bytes = dtypeBytes(*type, static_cast<std::size_t>(*count));
    if (there != bytes) return fail(ErrorCode::BadInput, path, "holds {} bytes of data, its shape needs {}", there, bytes);
    HS_TRY(Tensor tensor, Tensor::allocate(*type, *dims));
    if (bytes > 0 && !file.read(static_cast<char*>(tensor.raw()), static_cast<std::streamsize>(bytes)))
        return fail(ErrorCode::BadInput, path, "cannot be read to its end");
    return tensor;
}

}  // namespace hs::cli
