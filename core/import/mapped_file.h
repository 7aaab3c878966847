// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "core/base/result.h"

namespace hs {

/// A regular file mapped read-only (private) into memory; unmapped with the last owner.
class MappedFile {
public:
    /// BadInput when the file is missing, unreadable or not a regular file.
    static Result<std::shared_ptr<const MappedFile>> open(const std::string& path);
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;
    ~MappedFile();

    std::span<const std::byte> bytes() const { return {static_cast<const std::byte*>(m_data), m_size}; }

private:
    MappedFile(void* data, std::size_t size) : m_data(data), m_size(size) {}
    void* m_data = nullptr;
    std::size_t m_size = 0;
};

/// SHA-256 in lower-case hexadecimal.
std::string sha256Hex(std::span<const std::byte> bytes);

}  // namespace hs
