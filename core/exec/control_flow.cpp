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

Result<std::size_t> axisOf(const std::vector<std::int64_t>& axes, std::size_t i, std::size_t rank) {
    const std::int64_t axis = i < axes.size() ? axes[i] : 0;
    const auto signedRank = static_cast<std::int64_t>(rank);
    if (axis < -signedRank || axis >= signedRank) return fail(ErrorCode::BadInput, "", "scan axis {} is outside of rank {}", axis, rank);
    return static_cast<std::size_t>(axis < 0 ? axis + signedRank : axis);
}

/// The parts of one scanned tensor, in the order of the iterations.
struct Scanned {
    const Tensor* tensor;
    std::size_t axis;
    bool isReversed;
    std::int64_t length() const { return tensor->dims()[axis]; }
    Result<Tensor> at(std::int64_t i) const { return sliceAt(*tensor, axis, isReversed ? length() - 1 - i : i); }
};

}  // namespace

Status Engine::bindBodyInput(ValueId id, Tensor tensor, const std::string& label) {
    const ValueType& type = m_plan->types.type(id);
    if (type.isStaticTensor() && (type.dtype != tensor.dtype() || *type.shape.concrete() != tensor.dims()))
        return fail(ErrorCode::BadInput, label, "the body expects {} for \"{}\" and gets {}", type.text(), m_plan->model->value(id).name, tensor.type().text());
    m_slots[m_slotOf[id.index()]] = std::move(tensor);
    return {};
}

std::vector<Tensor> Engine::bodyOutputs(GraphId body) {
    std::vector<Tensor> out;
    for (const ValueId id : m_plan->model->graph(body).outputs)
        out.push_back(slot(id));
    return out;
}

Status Engine::runIf(StepState& step, const Node& node) {
    HS_TRY(const bool condition, readFlag(*step.inputs[0]));
    const GraphId* branch = node.get<GraphId>(condition ? "then_branch" : "else_branch");
    if (branch == nullptr) return fail(ErrorCode::BadInput, "", "If lacks its {} branch", condition ? "then" : "else");
    HS_CHECK(runGraph(*branch));
    const auto results = bodyOutputs(*branch);
    if (results.size() < step.outputs.size()) return fail(ErrorCode::BadInput, "", "a branch has {} outputs, not {}", results.size(), step.outputs.size());
    std::copy_n(results.begin(), step.outputs.size(), step.outputs.begin());
    clearGraph(*branch);
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
        auto results = bodyOutputs(*bodyId);
        clearGraph(*bodyId);
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

Status Engine::runScan(StepState& step, const Node& node) {
    const GraphId* bodyId = node.get<GraphId>("body");
    if (bodyId == nullptr) return fail(ErrorCode::BadInput, "", "Scan lacks its body");
    const Graph& body = m_plan->model->graph(*bodyId);
    const std::int64_t scanInputs = node.intOr("num_scan_inputs", 0);
    if (scanInputs < 1 || static_cast<std::size_t>(scanInputs) > step.inputs.size() || body.inputs.size() != step.inputs.size())
        return fail(ErrorCode::BadInput, "", "num_scan_inputs {} does not fit {} inputs", scanInputs, step.inputs.size());
    const std::size_t states = step.inputs.size() - static_cast<std::size_t>(scanInputs);
    if (body.outputs.size() < states) return fail(ErrorCode::BadInput, "", "the body returns fewer values than it carries");
    const auto inputAxes = node.intsOr("scan_input_axes");
    const auto inputDirections = node.intsOr("scan_input_directions");
    std::vector<Scanned> scanned;
    for (std::size_t i = 0; i < static_cast<std::size_t>(scanInputs); ++i) {
        const Tensor* tensor = step.inputs[states + i];
        if (tensor == nullptr) return fail(ErrorCode::BadInput, "", "a scan input is absent");
        HS_TRY(const std::size_t axis, axisOf(inputAxes, i, tensor->rank()));
        scanned.push_back({tensor, axis, i < inputDirections.size() && inputDirections[i] == 1});
        if (scanned[i].length() != scanned[0].length())
            return fail(ErrorCode::BadInput, "", "scan inputs have lengths {} and {}", scanned[0].length(), scanned[i].length());
    }
    std::vector<Tensor> carried;
    for (std::size_t i = 0; i < states; ++i)
        carried.push_back(step.inputs[i] != nullptr ? *step.inputs[i] : Tensor());
    std::vector<std::vector<Tensor>> rows(body.outputs.size() - states);
    for (std::int64_t i = 0; i < scanned[0].length(); ++i) {
        for (std::size_t c = 0; c < states; ++c)
            HS_CHECK(bindBodyInput(body.inputs[c], carried[c], step.plan->label));
        for (std::size_t s = 0; s < scanned.size(); ++s) {
            HS_TRY(Tensor part, scanned[s].at(i));
            HS_CHECK(bindBodyInput(body.inputs[states + s], std::move(part), step.plan->label));
        }
        HS_CHECK(runGraph(*bodyId));
        auto results = bodyOutputs(*bodyId);
        clearGraph(*bodyId);
        for (std::size_t c = 0; c < states; ++c)
            carried[c] = std::move(results[c]);
        for (std::size_t s = 0; s < rows.size(); ++s)
            rows[s].push_back(std::move(results[states + s]));
    }
    const auto outputAxes = node.intsOr("scan_output_axes");
    const auto outputDirections = node.intsOr("scan_output_directions");
    for (std::size_t i = 0; i < step.outputs.size(); ++i) {
        if (i < states) {
            step.outputs[i] = std::move(carried[i]);
            continue;
        }
        const std::size_t s = i - states;
        if (s < outputDirections.size() && outputDirections[s] == 1) std::reverse(rows[s].begin(), rows[s].end());
        const std::size_t rank = rows[s].empty() ? m_plan->types.type(body.outputs[i]).shape.rank() : rows[s][0].rank();
        HS_TRY(const std::size_t axis, axisOf(outputAxes, s, rank + 1));
        HS_TRY(step.outputs[i], scanOutput(rows[s], axis, body.outputs[i]));
    }
    return {};
}

}  // namespace hs
