// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/exec/engine.h"
#include "core/exec/tensor_ops.h"

namespace hs {
namespace {

Result<bool> readFlag(const Tensor& tensor) {
    if (tensor.dtype() != DType::Bool || tensor.count() != 1)
        return fail(ErrorCode::BadInput, "", "a condition must be one bool, this is {}", tensor.type().text());
    return tensor.data<std::uint8_t>()[0] != 0;
}

Result<std::int64_t> readCount(const Tensor& tensor) {
    const auto values = toInt64s(tensor);
    if (values.size() != 1) return fail(ErrorCode::BadInput, "", "a trip count must be one integer, this is {}", tensor.type().text());
    return values[0];
}

/// A scalar in the shape that the body declares for it ([] mostly, [1] in older exports).
Tensor shapedLike(Tensor scalar, const ValueType& type) {
    return type.shape.ranked() && type.shape.rank() == 1 ? scalar.reshaped({1}) : scalar;
}

Tensor boolScalar(bool value) {
    Tensor out = Tensor::allocate(DType::Bool, {}).value();
    out.data<std::uint8_t>()[0] = value ? 1 : 0;
    return out;
}

}  // namespace

Status Engine::bindBodyInput(ValueId id, Tensor tensor, const std::string& label) {
    const ValueType& type = m_plan->types.type(id);
    if (type.isStaticTensor() && (type.dtype != tensor.dtype() || *type.shape.concrete() != tensor.dims()))
        return fail(ErrorCode::BadInput, label, "the body expects {} for \"{}\" and gets {}", type.text(), m_plan->model->value(id).name, tensor.type().text());
    m_slots[m_slotOf[id.index()]] = std::move(tensor);
    return {};
}

/// The body's outputs; its slots are empty afterwards.
Result<std::vector<Tensor>> Engine::takeBodyOutputs(GraphId body) {
    std::vector<Tensor> out;
    for (const ValueId id : m_plan->model->graph(body).outputs) {
        out.push_back(slot(id));
        if (!out.back().valid()) return fail(ErrorCode::Internal, m_plan->model->value(id).name, "the body did not make this output: please report this");
    }
    clearGraph(body);
    return out;
}

Status Engine::runIf(StepState& step, const Node& node) {
    HS_TRY(const bool condition, readFlag(*step.inputs[0]));
    const GraphId* branch = node.get<GraphId>(condition ? "then_branch" : "else_branch");
    if (branch == nullptr) return fail(ErrorCode::BadInput, "", "If lacks its {} branch", condition ? "then" : "else");
    HS_CHECK(runGraph(*branch));
    HS_TRY(const auto results, takeBodyOutputs(*branch));
    if (results.size() < step.outputs.size()) return fail(ErrorCode::BadInput, "", "a branch has {} outputs, not {}", results.size(), step.outputs.size());
    std::copy_n(results.begin(), step.outputs.size(), step.outputs.begin());
    return {};
}

Result<Tensor> Engine::scanOutput(const std::vector<Tensor>& parts, std::size_t axis, ValueId element) {
    if (!parts.empty()) return stack(parts, axis);
    // No iteration: no rows of the element's shape, as far as it is known.
    const ValueType& type = m_plan->types.type(element);
    Dims dims;
    for (const Dim& dim : type.shape.dims())
        dims.push_back(dim.known() ? dim.value() : 0);
    dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(std::min(axis, dims.size())), 0);
    return Tensor::allocate(type.dtype, dims);
}

Status Engine::runLoop(StepState& step, const Node& node) {
    const GraphId* bodyId = node.get<GraphId>("body");
    if (bodyId == nullptr) return fail(ErrorCode::BadInput, "", "Loop lacks its body");
    const Graph& body = m_plan->model->graph(*bodyId);
    const std::size_t carriedCount = step.inputs.size() > 2 ? step.inputs.size() - 2 : 0;
    if (body.inputs.size() != carriedCount + 2 || body.outputs.size() < carriedCount + 1)
        return fail(ErrorCode::BadInput, "", "the body has {} inputs and {} outputs, which does not fit {} carried values", body.inputs.size(),
                    body.outputs.size(), carriedCount);
    std::int64_t trips = -1;
    bool goOn = true;
    if (!step.inputs.empty() && step.inputs[0] != nullptr) {
        HS_TRY(trips, readCount(*step.inputs[0]));
        trips = std::max<std::int64_t>(trips, 0);
    }
    if (step.inputs.size() > 1 && step.inputs[1] != nullptr) {
        HS_TRY(goOn, readFlag(*step.inputs[1]));
    }
    std::vector<Tensor> carried;
    for (std::size_t i = 0; i < carriedCount; ++i)
        carried.push_back(step.inputs[i + 2] != nullptr ? *step.inputs[i + 2] : Tensor());
    const std::size_t scans = body.outputs.size() - carriedCount - 1;
    std::vector<std::vector<Tensor>> rows(scans);

    for (std::int64_t i = 0; goOn && (trips < 0 || i < trips); ++i) {
        if (m_options.cancel != nullptr && m_options.cancel->load(std::memory_order_relaxed)) return fail(ErrorCode::Cancelled, "", "the run was cancelled");
        const TypeTable& types = m_plan->types;
        HS_CHECK(bindBodyInput(body.inputs[0], shapedLike(Tensor::scalar<std::int64_t>(i), types.type(body.inputs[0])), step.plan->label));
        HS_CHECK(bindBodyInput(body.inputs[1], shapedLike(boolScalar(goOn), types.type(body.inputs[1])), step.plan->label));
        for (std::size_t c = 0; c < carriedCount; ++c)
            HS_CHECK(bindBodyInput(body.inputs[c + 2], carried[c], step.plan->label));
        HS_CHECK(runGraph(*bodyId));
        HS_TRY(auto results, takeBodyOutputs(*bodyId));
        HS_TRY(goOn, readFlag(results[0]));
        for (std::size_t c = 0; c < carriedCount; ++c)
            carried[c] = std::move(results[c + 1]);
        for (std::size_t s = 0; s < scans; ++s)
            rows[s].push_back(std::move(results[carriedCount + 1 + s]));
    }
    for (std::size_t i = 0; i < step.outputs.size(); ++i) {
        if (i < carriedCount) {
            step.outputs[i] = std::move(carried[i]);
        } else if (i - carriedCount < scans) {
            HS_TRY(step.outputs[i], scanOutput(rows[i - carriedCount], 0, body.outputs[i + 1]));
        }
    }
    return {};
}

/// SequenceMap: the body once for each item of the first sequence; further inputs are sequences of that length, or tensors
/// that every call gets.
Status Engine::runSequenceMap(StepState& step, const Node& node) {
    const GraphId* bodyId = node.get<GraphId>("body");
    if (bodyId == nullptr) return fail(ErrorCode::BadInput, "", "SequenceMap lacks its body");
    const Graph& body = m_plan->model->graph(*bodyId);
    if (body.inputs.size() != step.inputs.size() || body.outputs.size() < step.outputs.size())
        return fail(ErrorCode::BadInput, "", "the body has {} inputs and {} outputs for {} and {}", body.inputs.size(), body.outputs.size(), step.inputs.size(),
                    step.outputs.size());
    if (step.inputs.empty() || step.inputs[0] == nullptr || step.inputs[0]->kind() != TypeKind::Sequence)
        return fail(ErrorCode::BadInput, "", "the first input must be a sequence");
    const std::size_t length = step.inputs[0]->items().size();
    std::vector<std::vector<Tensor>> made(step.outputs.size());
    for (std::size_t n = 0; n < length; ++n) {
        for (std::size_t i = 0; i < step.inputs.size(); ++i) {
            const Tensor* input = step.inputs[i];
            if (input == nullptr) return fail(ErrorCode::BadInput, "", "input {} is absent", i);
            if (!input->isTensor() && input->items().size() != length)
                return fail(ErrorCode::BadInput, "", "input {} has {} items, the first input has {}", i, input->items().size(), length);
            HS_CHECK(bindBodyInput(body.inputs[i], input->isTensor() ? *input : input->items()[n], step.plan->label));
        }
        HS_CHECK(runGraph(*bodyId));
        HS_TRY(auto results, takeBodyOutputs(*bodyId));
        for (std::size_t i = 0; i < made.size(); ++i) {
            // A sequence's items outlive the memory that the body's values share.
            if (!results[i].owned()) {
                HS_TRY(results[i], deepCopy(results[i]));
            }
            made[i].push_back(std::move(results[i]));
        }
    }
    for (std::size_t i = 0; i < made.size(); ++i) {
        const DType type = made[i].empty() ? m_plan->types.type(body.outputs[i]).dtype : made[i].front().dtype();
        step.outputs[i] = Tensor::sequence(type, std::move(made[i]));
    }
    return {};
}

}  // namespace hs
