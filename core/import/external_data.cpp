// SPDX-License-Identifier: Apache-2.0
#include "core/import/external_data.h"

#include <algorithm>
#include <filesystem>

namespace hs {
namespace {

namespace fs = std::filesystem;

/// Refuses by spelling alone what may not be opened, before the file system is asked anything.
Status checkSpelling(const std::string& location) {
    if (location.empty()) return fail(ErrorCode::BadInput, "", "external data names no file");
    if (location.find('\0') != std::string::npos || location.find('\\') != std::string::npos || location.find('*') != std::string::npos)
        return fail(ErrorCode::BadInput, "", "external data location \"{}\" is not a plain relative path: refused", location);
    const fs::path path(location);
    const bool leaves = std::any_of(path.begin(), path.end(), [](const fs::path& part) { return part == ".."; });
    if (path.is_absolute() || leaves)
        return fail(ErrorCode::BadInput, "", "external data location \"{}\" leaves the model's folder: refused, put the file beside the model", location);
    return {};
}

bool isWithin(const fs::path& file, const fs::path& folder) {
    return std::mismatch(folder.begin(), folder.end(), file.begin(), file.end()).first == folder.end();
}

}  // namespace

Result<std::shared_ptr<const MappedFile>> ExternalData::file(const std::string& location) {
    if (const auto it = m_files.find(location); it != m_files.end()) return it->second;
    if (m_folder.empty())
        return fail(ErrorCode::BadInput, "", "external data \"{}\" is not read here: the model does not come from a file in a folder", location);
    HS_CHECK(checkSpelling(location));
    std::error_code error;
    const fs::path folder = fs::canonical(m_folder, error);
    if (error) return fail(ErrorCode::BadInput, "", "cannot read the model's folder \"{}\": {}", m_folder, error.message());
    const fs::path path = fs::canonical(folder / location, error);
    if (error) return fail(ErrorCode::BadInput, "", "external data file \"{}\" cannot be opened ({}): put it beside the model", location, error.message());
    if (!isWithin(path, folder)) return fail(ErrorCode::BadInput, "", "external data location \"{}\" leads out of the model's folder: refused", location);
    auto mapped = MappedFile::open(path.string());
    if (!mapped) return fail(ErrorCode::BadInput, "", "external data file \"{}\": {}", location, mapped.error().message);
    m_files.emplace(location, *mapped);
    return *mapped;
}

Result<ExternalData::Region> ExternalData::region(const std::string& location, std::uint64_t offset, std::uint64_t size) {
    HS_TRY(auto mapped, file(location));
    const auto bytes = mapped->bytes();
    if (offset > bytes.size() || size > bytes.size() - offset)
        return fail(ErrorCode::BadInput, "", "external data file \"{}\" has {} bytes, but {} at offset {} are asked for: it is truncated or of another model",
                    location, bytes.size(), size, offset);
    return Region{bytes.subspan(offset, size), std::move(mapped)};
}

}  // namespace hs
