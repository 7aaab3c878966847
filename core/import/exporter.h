// SPDX-License-Identifier: Apache-2.0
// Private to core/import.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/graph/model.h"
#include "core/import/onnx_wire.pb.h"

namespace hs {

/// A tensor whose data goes to the file beside the model, at `offset`.
struct ExternalTensor {
    Tensor tensor;
    std::uint64_t offset = 0;
};

/// Writes a Model as messages. Names that an inner graph shares with an enclosing one are made unique, since there they would hide it.
class Exporter {
public:
    /// With a file name, large initializers are left out of the messages and collected in externals().
    explicit Exporter(const Model& model, std::string externalFile = {}) : m_model(model), m_externalFile(std::move(externalFile)) {}

    /// Unsupported when nodes of one domain follow different opsets.
    Result<wire::ModelProto> write();
    const std::vector<ExternalTensor>& externals() const { return m_externals; }

private:
    void nameValues();
    void nameValue(const Value& value);
    Status writeGraph(GraphId id, wire::GraphProto& out);
    Status writeNode(const Node& node, wire::NodeProto& out);
    Status writeAttribute(const Attribute& attribute, wire::AttributeProto& out);
    void writeValueInfo(ValueId id, wire::ValueInfoProto& out) const;
    void writeInitializer(ValueId id, wire::TensorProto& out);
    Status checkOpset(const Node& node) const;

    const Model& m_model;
    std::string m_externalFile;
    std::uint64_t m_externalEnd = 0;
    std::vector<ExternalTensor> m_externals;
    std::vector<std::string> m_names;  ///< By ValueId.
    std::set<std::string, std::less<>> m_taken;
};

}  // namespace hs
