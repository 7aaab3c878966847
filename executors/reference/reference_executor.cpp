// SPDX-License-Identifier: Apache-2.0
#include "executors/reference/reference_executor.h"

#include <exception>
#include <new>

#include "executors/reference/registry.h"

namespace hs {
namespace {

class ReferenceKernel : public Kernel {
public:
    ReferenceKernel(Node node, const ref::Operator& op) : m_node(std::move(node)), m_op(op) {}

    std::string name() const override { return "reference:" + m_node.opType; }

    Status run(KernelContext& context) override {
        try {
            Status status = compute(context);
            if (!status && status.error().where.empty()) status.error().where = m_node.name;
            return status;
        } catch (const std::bad_alloc&) {
            return fail(ErrorCode::OutOfMemory, m_node.name, "{}: no memory for its working buffers: use a smaller batch or model", m_node.opType);
        } catch (const std::exception& error) {
            return fail(ErrorCode::Internal, m_node.name, "{}: {}", m_node.opType, error.what());
        }
    }

private:
    Status compute(KernelContext& context) const {
        ref::Call call(m_node, context);
        HS_CHECK(call.begin(m_op.widen, m_op.typeInput));
        if (call.has(m_op.typeInput) && !ref::contains(m_op.types, call.declared())) return call.noType(call.declared());
        HS_CHECK(m_op.run(call));
        return call.finish();
    }

    Node m_node;
    const ref::Operator& m_op;
};

const ref::Operator* operatorOf(const Node& node) {
    return ref::findOperator(node.opType, node.opset, node.domain == "ai.onnx" ? std::string_view() : std::string_view(node.domain));
}

class ReferenceExecutor : public Executor {
public:
    std::string_view id() const override { return "reference"; }
    std::string_view deviceKind() const override { return "cpu"; }
    bool acceptsDynamicShapes() const override { return true; }

    Support supports(const NodeQuery& query) const override {
        const Node& node = *query.node;
        const ref::Operator* op = operatorOf(node);
        if (op == nullptr) return Support::no("kernel.operator", {"reference", node.domain.empty() ? node.opType : node.domain + "." + node.opType});
        if (op->refuses != nullptr)
            if (std::string setting = op->refuses(node); !setting.empty())
                return Support::no("kernel.attribute", {"reference", node.opType, std::move(setting)});
        if (query.types == nullptr) return Support::yes();
        for (const ValueId input : node.inputs) {
            if (!input) continue;
            const ValueType& type = query.types->type(input);
            if (type.kind != TypeKind::Tensor && !op->anyKind) return Support::no("kernel.dtype", {"reference", node.opType, type.text()});
        }
        if (op->typeInput >= node.inputs.size() || !node.inputs[op->typeInput]) return Support::yes();
        const DType type = query.types->type(node.inputs[op->typeInput]).dtype;
        if (type != DType::Undefined && !ref::contains(op->types, type))
            return Support::no("kernel.dtype", {"reference", node.opType, std::string(dtypeName(type))});
        return Support::yes();
    }

    Result<std::unique_ptr<Kernel>> compile(const CompileRequest& request) const override {
        if (request.nodes.size() != 1)
            return fail(ErrorCode::Unsupported, "", "the reference executor compiles one node at a time, not {}", request.nodes.size());
        Node node = request.model->node(request.nodes.front());
        const ref::Operator* op = operatorOf(node);
        if (op == nullptr) return fail(ErrorCode::Unsupported, node.name, "the reference executor has no kernel for operator {}", node.opType);
        if (op->refuses != nullptr)
            if (const std::string setting = op->refuses(node); !setting.empty())
                return fail(ErrorCode::Unsupported, node.name, "the reference executor has no kernel for {} with {}", node.opType, setting);
        if (op->meaning != 0) node.opset = op->meaning;
        return std::make_unique<ReferenceKernel>(std::move(node), *op);
    }
};

}  // namespace

std::shared_ptr<const Executor> makeReferenceExecutor() {
    return std::make_shared<const ReferenceExecutor>();
}

}  // namespace hs
