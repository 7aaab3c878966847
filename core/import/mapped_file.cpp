// SPDX-License-Identifier: Apache-2.0
#include "core/import/mapped_file.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <openssl/evp.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hs {
namespace {

struct Descriptor {
    int fd;
    ~Descriptor() {
        if (fd >= 0) ::close(fd);
    }
};

}  // namespace

Result<std::shared_ptr<const MappedFile>> MappedFile::open(const std::string& path) {
    // O_NONBLOCK: a named pipe must be refused below, not waited for.
    const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
    if (file.fd < 0) return fail(ErrorCode::BadInput, path, "cannot open the file: {}", std::strerror(errno));
    struct stat info = {};
    if (::fstat(file.fd, &info) != 0) return fail(ErrorCode::BadInput, path, "cannot read the file's size: {}", std::strerror(errno));
    if (!S_ISREG(info.st_mode)) return fail(ErrorCode::BadInput, path, "is not a regular file");
    const auto size = static_cast<std::size_t>(info.st_size);
    if (size == 0) return std::shared_ptr<const MappedFile>(new MappedFile(nullptr, 0));
    void* data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.fd, 0);
    if (data == MAP_FAILED) return fail(ErrorCode::BadInput, path, "cannot map the file into memory: {}", std::strerror(errno));
    return std::shared_ptr<const MappedFile>(new MappedFile(data, size));
}

MappedFile::~MappedFile() {
    if (m_data != nullptr) ::munmap(m_data, m_size);
}

std::string sha256Hex(std::span<const std::byte> bytes) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned int length = 0;
    if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &length, EVP_sha256(), nullptr) != 1) return {};
    std::string out;
    for (unsigned int i = 0; i < length; ++i)
        out += fmt::format("{:02x}", digest[i]);
    return out;
}

}  // namespace hs
