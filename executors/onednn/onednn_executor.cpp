// SPDX-License-Identifier: Apache-2.0
#include "executors/onednn/onednn_executor.h"

#include <algorithm>

#include "executors/onednn/op_table.h"

namespace hs {
namespace {

using namespace dnn;

constexpr std::size_t kMaxDescRank = DNNL_MAX_NDIMS;

/// Nothing to compute: an output without elements.
class EmptyKernel : public Kernel {
public:
    explicit EmptyKernel(std::vector<std::pair<std::size_t, Dims>> outputs) : m_outputs(std::move(outputs)) {}
    std::string name() const override { return "onednn:empty"; }
    Status run(KernelContext& context) override {
        for (const auto& [index, dims] : m_outputs) {
            HS_CHECK(context.output(index, DType::F32, dims));
        }
        return {};
    }

private:
    std::vector<std::pair<std::size_t, Dims>> m_outputs;
};

bool isEmpty(const Dims& dims) {
    return std::find(dims.begin(), dims.end(), 0) != dims.end();
}

Support checkValue(const Asked& asked, const ValueType& type) {
    if (type.kind != TypeKind::Tensor) return asked.noDType("a sequence or optional");
    if (type.dtype != DType::F32) return asked.noDType(type.dtype == DType::Undefined ? "an unknown type" : dtypeName(type.dtype));
    if (!type.shape.ranked()) return Support::no("kernel.dynamic_shape", {"onednn", asked.node().opType});
    if (type.shape.rank() > kMaxDescRank) return asked.noShape(fmt::format("rank {} is over {}", type.shape.rank(), kMaxDescRank));
    return Support::yes();
}

Support checkTypes(const Asked& asked, const OpEntry& entry) {
    const Node& node = asked.node();
    for (std::size_t i = 0; i < std::min(node.inputs.size(), entry.floatInputs); ++i)
        if (asked.hasInput(i))
            if (Support s = checkValue(asked, asked.in(i)); !s.supported) return s;
    if (!asked.hasInput(0)) return asked.noShape("input 0 is absent");
    for (std::size_t i = 0; i < node.outputs.size(); ++i)
        if (asked.hasOutput(i))
            if (Support s = checkValue(asked, asked.out(i)); !s.supported) return s;
    return Support::yes();
}

class OneDnnExecutor : public Executor {
public:
    std::string_view id() const override { return "onednn"; }
    std::string_view deviceKind() const override { return "cpu"; }

    Support supports(const NodeQuery& query) const override {
        const Node& node = *query.node;
        const OpEntry* entry = node.domain.empty() || node.domain == "ai.onnx" ? findOp(node.opType) : nullptr;
        if (entry == nullptr) return Support::no("kernel.operator", {"onednn", node.opType});
        const Asked asked(query);
        if (Support s = checkTypes(asked, *entry); !s.supported) return s;
        return entry->supports != nullptr ? entry->supports(asked) : Support::yes();
    }

    Result<std::unique_ptr<Kernel>> compile(const CompileRequest& request) const override {
        if (request.nodes.size() != 1)
            return fail(ErrorCode::Unsupported, "", "executor onednn compiles single nodes, not a group of {}", request.nodes.size());
        const Node& node = request.model->node(request.nodes.front());
        const OpEntry* entry = findOp(node.opType);
        if (entry == nullptr) return fail(ErrorCode::Unsupported, node.name, "executor onednn has no kernel for operator {}", node.opType);
        Build build(request, node);
        HS_CHECK(build.prepare());
        if (auto empty = emptyKernel(build)) return empty;
        try {
            useThreads(std::max(1, request.threads));
            HS_TRY(std::unique_ptr<Kernel> kernel, entry->build(build));
            return kernel;
        } catch (const dnnl::error& e) {
            return tl::unexpected<Error>(errorOf(e, node.name));
        } catch (const std::bad_alloc&) {
            return fail(ErrorCode::OutOfMemory, node.name, "no memory to compile this node");
        } catch (const std::exception& e) {
            return fail(ErrorCode::Internal, node.name, "compiling for oneDNN failed: {}", e.what());
        }
    }

private:
    /// A kernel when every output is empty; null when there is something to compute.
    static std::unique_ptr<Kernel> emptyKernel(const Build& build) {
        std::vector<std::pair<std::size_t, Dims>> outputs;
        for (std::size_t i = 0; i < build.outputCount(); ++i) {
            if (!build.hasOutput(i)) continue;
            if (!isEmpty(build.outDims(i))) return nullptr;
            outputs.emplace_back(i, build.outDims(i));
        }
        return std::make_unique<EmptyKernel>(std::move(outputs));
    }
};

}  // namespace

std::shared_ptr<const Executor> makeOneDnnExecutor() {
    return std::make_shared<const OneDnnExecutor>();
}

}  // namespace hs
