// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <string>

#include "core/import/importer.h"
#include "core/import/onnx_wire.pb.h"

namespace hs::test {

inline std::span<const std::byte> asBytes(const std::string& text) {
    return std::as_bytes(std::span(text.data(), text.size()));
}

inline wire::NodeProto* addNode(google::protobuf::RepeatedPtrField<wire::NodeProto>* nodes, const std::string& op, std::vector<std::string> inputs,
                                std::vector<std::string> outputs, const std::string& name = {}) {
    wire::NodeProto* node = nodes->Add();
    node->set_op_type(op);
    node->set_name(name);
    for (auto& input : inputs)
        node->add_input(std::move(input));
    for (auto& output : outputs)
        node->add_output(std::move(output));
    return node;
}

inline void setFloatType(wire::ValueInfoProto* info, const std::string& name, std::vector<std::int64_t> dims) {
    info->set_name(name);
    auto* tensor = info->mutable_type()->mutable_tensor_type();
    tensor->set_elem_type(1);
    tensor->mutable_shape();
    for (const auto dim : dims)
        tensor->mutable_shape()->add_dim()->set_dim_value(dim);
}

inline void setFloats(wire::TensorProto* tensor, const std::string& name, std::vector<std::int64_t> dims, std::vector<float> values) {
    tensor->set_name(name);
    tensor->set_data_type(1);
    tensor->mutable_dims()->Assign(dims.begin(), dims.end());
    tensor->mutable_float_data()->Assign(values.begin(), values.end());
}

/// y = Relu(x + w) with x, w, y float[2].
inline wire::ModelProto smallModel() {
    wire::ModelProto model;
    model.set_ir_version(8);
    model.set_producer_name("test");
    auto* opset = model.add_opset_import();
    opset->set_version(17);
    auto* graph = model.mutable_graph();
    graph->set_name("small");
    setFloatType(graph->add_input(), "x", {2});
    setFloats(graph->add_initializer(), "w", {2}, {1.5F, -2.5F});
    addNode(graph->mutable_node(), "Add", {"x", "w"}, {"sum"}, "add");
    addNode(graph->mutable_node(), "Relu", {"sum"}, {"y"});
    setFloatType(graph->add_output(), "y", {2});
    return model;
}

inline Result<ModelPtr> load(const wire::ModelProto& model, const std::string& folder = {}, const ImportLimits& limits = {}) {
    return importModelBytes(asBytes(model.SerializeAsString()), "test.onnx", folder, limits);
}

/// The error that the small model gives after `change`; fails the test where it is accepted.
inline std::string refusal(const std::function<void(wire::ModelProto&)>& change, ErrorCode code = ErrorCode::BadInput) {
    wire::ModelProto model = smallModel();
    change(model);
    const auto result = load(model);
    EXPECT_FALSE(result.has_value());
    if (result) return {};
    EXPECT_EQ(result.error().code, code) << result.error().text();
    EXPECT_EQ(result.error().where, "test.onnx");
    return result.error().text();
}

/// A folder that goes away with the test.
class TemporaryFolder {
public:
    TemporaryFolder() {
        std::string pattern = (std::filesystem::temp_directory_path() / "hs_import_XXXXXX").string();
        m_path = ::mkdtemp(pattern.data());
    }
    ~TemporaryFolder() { std::filesystem::remove_all(m_path); }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    std::filesystem::path path() const { return m_path; }
    std::string write(const std::string& name, const std::string& bytes) const {
        const auto file = m_path / name;
        std::ofstream(file, std::ios::binary) << bytes;
        return file.string();
    }

private:
    std::filesystem::path m_path;
};

}  // namespace hs::test
