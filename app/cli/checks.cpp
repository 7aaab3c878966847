// SPDX-License-Identifier: Apache-2.0
#include "app/cli/checks.h"

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>

namespace hs::cli {

CLI::Validator wholeNumber(std::uint64_t least, std::uint64_t most) {
    return CLI::Validator(
        [least, most](std::string& text) -> std::string {
            std::uint64_t value = 0;
            const char* end = text.data() + text.size();
            const auto parsed = std::from_chars(text.data(), end, value);
            if (parsed.ec == std::errc{} && parsed.ptr == end && value >= least && value <= most) return {};
            return fmt::format("\"{}\" is no whole number from {} to {}", text, least, most);
        },
        "");
}

CLI::Validator tolerance() {
    return CLI::Validator(
        [](std::string& text) -> std::string {
            double value = -1;
            const char* end = text.data() + text.size();
            const auto parsed = std::from_chars(text.data(), end, value);
            if (parsed.ec == std::errc{} && parsed.ptr == end && std::isfinite(value) && value >= 0) return {};
            return fmt::format("\"{}\" is no number from 0 on, such as 1e-3", text);
        },
        "");
}

Result<std::uint64_t> openRegular(const std::string& path, ErrorCode code, std::ifstream& file) {
    std::error_code ec;
    const auto status = std::filesystem::status(path, ec);
    if (!std::filesystem::exists(status))
        return fail(code, path, "cannot be read: {}", ec && ec != std::errc::no_such_file_or_directory ? ec.message() : "there is no such file");
    if (!std::filesystem::is_regular_file(status)) return fail(code, path, "is not a regular file");
    file.open(path, std::ios::binary);
    if (!file) return fail(code, path, "cannot be read: {}", std::strerror(errno));
    const std::uintmax_t bytes = std::filesystem::file_size(path, ec);
    if (ec) return fail(code, path, "cannot be read: {}", ec.message());
    return bytes;
}

}  // namespace hs::cli
