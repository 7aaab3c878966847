// SPDX-License-Identifier: Apache-2.0
#include "core/import/importer.h"

#include <filesystem>
#include <new>

#include "core/import/graph_reader.h"
#include "core/import/wire_io.h"

namespace hs {
namespace {

constexpr std::int64_t kMinIr = 3;
constexpr std::int64_t kMaxIr = 13;

Status checkHeader(const wire::ModelProto& model, const std::string& file) {
    if (!model.has_graph() || model.ir_version() == 0)
        return fail(ErrorCode::BadInput, file, "is not an ONNX model, or is damaged: it holds no {}", model.has_graph() ? "IR version" : "graph");
    if (model.ir_version() < kMinIr || model.ir_version() > kMaxIr)
        return fail(ErrorCode::Unsupported, file, "IR version {} is not supported ({} to {} are): export the model again with a current tool",
                    model.ir_version(), kMinIr, kMaxIr);
    return {};
}

void fillInfo(const wire::ModelProto& model, ModelInfo& info) {
    info.irVersion = model.ir_version();
    info.producer = model.producer_name();
    if (!model.producer_version().empty()) info.producer += " " + model.producer_version();
    info.name = model.graph().name();
    if (info.name.empty()) info.name = std::filesystem::path(info.path).stem().string();
    for (const auto& entry : model.metadata_props())
        info.metadata[entry.key()] = entry.value();
}

Result<ModelPtr> read(std::span<const std::byte> bytes, const std::string& file, const std::string& folder, const ImportLimits& limits) {
    wire::ModelProto proto;
    HS_CHECK(parseWire(bytes, file, "an ONNX model", proto));
    HS_CHECK(checkHeader(proto, file));
    ModelBuilder builder;
    builder.info().path = file;
    fillInfo(proto, builder.info());
    builder.info().sha256 = sha256Hex(bytes);
    ExternalData external(folder);
    GraphReader reader(builder, file, TensorSource{&external, limits.maxTensorBytes, limits.maxDenseBytes}, limits);
    HS_CHECK(reader.read(proto));
    auto model = builder.build();
    if (model) return model;
    Error error = std::move(model).error();
    if (!error.where.empty()) error.message = fmt::format("\"{}\": {}", error.where, error.message);
    error.where = file;
    return tl::unexpected<Error>(std::move(error));
}

}  // namespace

Result<ModelPtr> importModelBytes(std::span<const std::byte> bytes, const std::string& name, const std::string& folder, const ImportLimits& limits) {
    try {
        return read(bytes, name, folder, limits);
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::OutOfMemory, name, "not enough memory to load the model");
    }
}

Result<ModelPtr> importModel(const std::string& path, const ImportLimits& limits) {
    HS_TRY(const auto file, MappedFile::open(path));
    const auto folder = std::filesystem::path(path).parent_path().string();
    return importModelBytes(file->bytes(), path, folder.empty() ? "." : folder, limits);
}

}  // namespace hs
