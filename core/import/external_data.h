// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "core/import/mapped_file.h"

namespace hs {

/// The files beside a model that hold its weights: each mapped once, and only when it lies within the model's own folder.
class ExternalData {
public:
    /// An empty folder refuses all external data.
    explicit ExternalData(std::string folder) : m_folder(std::move(folder)) {}

    struct Region {
        std::span<const std::byte> bytes;
        std::shared_ptr<const MappedFile> owner;
    };
    /// `size` bytes at `offset` of the file `location`, a path relative to the folder. BadInput when the path leaves the
    /// folder (also by a symbolic link), the file is missing or not regular, or the region ends past the file.
    Result<Region> region(const std::string& location, std::uint64_t offset, std::uint64_t size);

private:
    Result<std::shared_ptr<const MappedFile>> file(const std::string& location);
    std::string m_folder;
    std::map<std::string, std::shared_ptr<const MappedFile>> m_files;
};

}  // namespace hs
