// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <google/protobuf/io/zero_copy_stream_impl.h>
#include <memory>
#include <new>

#include "core/import/exporter.h"
#include "core/import/importer.h"

namespace hs {
namespace {

constexpr std::uint64_t kMaxMessageBytes = std::uint64_t{2'000'000'000};  // protobuf's 2 GiB, with room for the graph itself

/// A file written under a temporary name; it takes its own name only when everything is on disk, else it goes away.
/// Devices and pipes are written to as they are.
class NewFile {
public:
    explicit NewFile(std::string path) : m_path(std::move(path)), m_inPlace(isSpecial(m_path)), m_writing(m_inPlace ? m_path : m_path + ".part") {
        m_file = std::fopen(m_writing.c_str(), "wb");
    }
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;
    ~NewFile() {
        if (m_file == nullptr) return;
        std::fclose(m_file);
        discard();
    }

    Status write(const void* data, std::size_t size) {
        if (m_file == nullptr || (size != 0 && std::fwrite(data, 1, size, m_file) != size)) return failed();
        m_written += size;
        return {};
    }
    /// Serializes straight into the file: large weights must not be held once more.
    Status write(const google::protobuf::MessageLite& message) {
        if (m_file == nullptr) return failed();
        google::protobuf::io::FileOutputStream out(fileno(m_file));
        if (message.SerializeToZeroCopyStream(&out) && out.Flush()) return {};
        errno = out.GetErrno();
        return failed();
    }
    Status padTo(std::uint64_t offset) {
        const std::string zeros(offset - m_written, '\0');
        return write(zeros.data(), zeros.size());
    }
    Status commit() {
        if (m_file == nullptr) return failed();
        const bool closed = std::fclose(m_file) == 0;  // the last buffer may find the disk full
        m_file = nullptr;
        if (closed && (m_inPlace || std::rename(m_writing.c_str(), m_path.c_str()) == 0)) return {};
        const Status status = failed();
        discard();
        return status;
    }

private:
    static bool isSpecial(const std::string& path) {
        std::error_code error;
        const auto status = std::filesystem::status(path, error);
        return !error && std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
    }
    void discard() const {
        if (!m_inPlace) std::remove(m_writing.c_str());
    }
    Status failed() const { return fail(ErrorCode::Io, m_path, "cannot write the file: {}", std::strerror(errno)); }

    std::string m_path;
    bool m_inPlace;
    std::string m_writing;
    std::FILE* m_file = nullptr;
    std::uint64_t m_written = 0;
};

std::uint64_t weightBytes(const Model& model) {
    std::uint64_t out = 0;
    for (const Value& value : model.values())
        if (value.initializer) out += value.initializer->bytes();
    return out;
}

Status checkSize(const wire::ModelProto& proto, const std::string& where) {
    if (proto.ByteSizeLong() <= kMaxMessageBytes) return {};
    return fail(ErrorCode::Unsupported, where, "the model takes {} bytes without external data, over protobuf's 2 GiB", proto.ByteSizeLong());
}

Status writeModel(const Model& model, const std::string& path, std::uint64_t externalThreshold) {
    const std::uint64_t weights = weightBytes(model);
    const std::string dataPath = path + ".data";
    const bool external = weights > externalThreshold || weights > kMaxMessageBytes;
    Exporter exporter(model, external ? std::filesystem::path(dataPath).filename().string() : std::string());
    HS_TRY(const wire::ModelProto proto, exporter.write());
    HS_CHECK(checkSize(proto, path));
    if (!exporter.externals().empty()) {
        NewFile data(dataPath);
        for (const ExternalTensor& each : exporter.externals()) {
            HS_CHECK(data.padTo(each.offset));
            HS_CHECK(data.write(each.tensor.raw(), each.tensor.bytes()));
        }
        HS_CHECK(data.commit());
    }
    NewFile file(path);
    HS_CHECK(file.write(proto));
    return file.commit();
}

}  // namespace

Result<std::string> exportModelBytes(const Model& model) {
    Exporter exporter(model);
    HS_TRY(const wire::ModelProto proto, exporter.write());
    HS_CHECK(checkSize(proto, model.info().name));
    return proto.SerializeAsString();
}

Status exportModel(const Model& model, const std::string& path, std::uint64_t externalThreshold) {
    try {
        return writeModel(model, path, externalThreshold);
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::OutOfMemory, path, "not enough memory to write the model");
    }
}

}  // namespace hs
