// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "core/contract/executor.h"
#include "executors/onednn/program.h"

namespace hs::dnn {

/// A node under compilation: concrete float32 sizes, constants where known.
class Build {
public:
    Build(const CompileRequest& request, const Node& node) : m_request(request), m_node(node) {}

    const Node& node() const { return m_node; }
    int threads() const { return m_request.threads; }
    bool hasInput(std::size_t i) const { return i < m_request.inputs.size() && m_request.inputs[i].value.valid(); }
    bool hasOutput(std::size_t i) const { return i < m_request.outputs.size() && m_request.outputs[i].value.valid(); }
    std::size_t inputCount() const { return m_request.inputs.size(); }
    std::size_t outputCount() const { return m_request.outputs.size(); }
    const Dims& inDims(std::size_t i) const { return m_inDims[i]; }
    const Dims& outDims(std::size_t i) const { return m_outDims[i]; }
    DType inType(std::size_t i) const { return m_request.inputs[i].type.dtype; }
    /// The input's value when it is known now, or null.
    const Tensor* constant(std::size_t i) const { return hasInput(i) ? m_request.inputs[i].constant : nullptr; }

    Status prepare();  ///< Reads the sizes; Unsupported when one is not known.

    std::unique_ptr<Program> program(std::string what) const { return std::make_unique<Program>(m_node.name, std::move(what), threads()); }
    /// Input i, seen as `desc`, in the layout that a primitive wants: packed now when the value is known, at each run otherwise.
    Slot weights(Program& program, std::size_t i, const Desc& desc, const Desc& wanted) const;
    /// Output 0 in its own sizes, seen as `desc`.
    Slot result(Program& program, const Desc& desc, std::size_t i = 0) const { return program.output(i, DType::F32, m_outDims[i], desc); }

    tl::unexpected<Error> unsupported(std::string_view why) const;

private:
    const CompileRequest& m_request;
    const Node& m_node;
    std::vector<Dims> m_inDims;
    std::vector<Dims> m_outDims;
};

/// What the query says of a node, for the supports() functions.
class Asked {
public:
    explicit Asked(const NodeQuery& query) : m_query(query) {}
    const Node& node() const { return *m_query.node; }
    bool hasInput(std::size_t i) const { return i < node().inputs.size() && node().inputs[i].valid(); }
    bool hasOutput(std::size_t i) const { return i < node().outputs.size() && node().outputs[i].valid(); }
    const ValueType& in(std::size_t i) const { return m_query.types->type(node().inputs[i]); }
    const ValueType& out(std::size_t i) const { return m_query.types->type(node().outputs[i]); }
    /// The tensor of input i when it is an initializer or a Constant node's; a graph input's default does not count.
    const Tensor* constant(std::size_t i) const;
    /// Integers of input i when all are known: from a constant or from shape inference.
    std::optional<std::vector<std::int64_t>> ints(std::size_t i) const;

    Support noAttribute(std::string what) const { return Support::no("kernel.attribute", {"onednn", node().opType, std::move(what)}); }
    Support noShape(std::string what) const { return Support::no("kernel.shape", {"onednn", node().opType, std::move(what)}); }
    Support noDType(std::string_view type) const { return Support::no("kernel.dtype", {"onednn", node().opType, std::string(type)}); }

private:
    const NodeQuery& m_query;
};

struct OpEntry {
    std::string_view op;
    /// Beyond the general check (all tensors float32, ranks known): null means nothing more.
    Support (*supports)(const Asked&);
    Result<std::unique_ptr<Program>> (*build)(const Build&);
    /// How many leading inputs must be float32; the rest are parameters that supports() looks at.
    std::size_t floatInputs = 99;
};

// One table per theme.
std::span<const OpEntry> convolutionOps();
std::span<const OpEntry> matmulOps();
std::span<const OpEntry> poolingOps();
std::span<const OpEntry> normalizationOps();
std::span<const OpEntry> eltwiseOps();
std::span<const OpEntry> binaryOps();
std::span<const OpEntry> reductionOps();
std::span<const OpEntry> layoutOps();
std::span<const OpEntry> resizeOps();
std::span<const OpEntry> rnnOps();

const OpEntry* findOp(std::string_view op);

}  // namespace hs::dnn
