// SPDX-License-Identifier: Apache-2.0
// Scan: a body run once for every slice of its scanned inputs. Opset 8 has a batch axis in front of everything.
#include <algorithm>
#include <cstring>

#include "core/exec/engine.h"
#include "core/exec/tensor_ops.h"

namespace hs {
namespace {

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
    Result<Tensor> at(std::int64_t i, std::int64_t count) const { return sliceAt(*tensor, axis, isReversed ? count - 1 - i : i); }
};

bool flagAt(const std::vector<std::int64_t>& flags, std::size_t i) {
    return i < flags.size() && flags[i] == 1;
}

Result<std::vector<Scanned>> scannedInputs(const ScanCall& call) {
    std::vector<Scanned> out;
    for (std::size_t i = call.states; i < call.inputs.size(); ++i) {
        const Tensor* tensor = call.inputs[i];
        if (tensor == nullptr) return fail(ErrorCode::BadInput, "", "a scan input is absent");
        HS_TRY(const std::size_t axis, axisOf(call.inputAxes, i - call.states, tensor->rank()));
        out.push_back({tensor, axis, flagAt(call.inputDirections, i - call.states)});
        if (out.back().length() != out.front().length())
            return fail(ErrorCode::BadInput, "", "scan inputs have lengths {} and {}", out.front().length(), out.back().length());
    }
    return out;
}

/// The tensor with zeros behind its last entry along axis 0, up to `size` entries.
Result<Tensor> padded(const Tensor& tensor, std::int64_t size) {
    if (tensor.rank() == 0 || tensor.dims()[0] >= size) return tensor;
    if (tensor.dtype() == DType::String || dtypeBits(tensor.dtype()) < 8)
        return fail(ErrorCode::Unsupported, "", "scan outputs of unequal length are not supported for {}", dtypeName(tensor.dtype()));
    Dims dims = tensor.dims();
    dims[0] = size;
    HS_TRY(Tensor out, Tensor::allocate(tensor.dtype(), dims));
    std::memset(out.raw(), 0, out.bytes());
    if (tensor.bytes() > 0) std::memcpy(out.raw(), tensor.raw(), tensor.bytes());
    return out;
}

}  // namespace

/// Runs the body over one sequence; the outputs are the last states and the stacked scan outputs.
Result<std::vector<Tensor>> Engine::scanOnce(const ScanCall& call) {
    const Graph& body = m_plan->model->graph(call.body);
    HS_TRY(const std::vector<Scanned> scanned, scannedInputs(call));
    const std::int64_t length = call.length >= 0 ? std::min(call.length, scanned[0].length()) : scanned[0].length();
    std::vector<Tensor> out;
    for (std::size_t i = 0; i < call.states; ++i)
        out.push_back(call.inputs[i] != nullptr ? *call.inputs[i] : Tensor());
    std::vector<std::vector<Tensor>> rows(body.outputs.size() - call.states);
    for (std::int64_t i = 0; i < length; ++i) {
        for (std::size_t c = 0; c < call.states; ++c)
            HS_CHECK(bindBodyInput(body.inputs[c], out[c], call.label));
        for (std::size_t s = 0; s < scanned.size(); ++s) {
            HS_TRY(Tensor part, scanned[s].at(i, length));
            HS_CHECK(bindBodyInput(body.inputs[call.states + s], std::move(part), call.label));
        }
        HS_CHECK(runGraph(call.body));
        HS_TRY(auto results, takeBodyOutputs(call.body));
        std::move(results.begin(), results.begin() + static_cast<std::ptrdiff_t>(call.states), out.begin());
        for (std::size_t s = 0; s < rows.size(); ++s)
            rows[s].push_back(std::move(results[call.states + s]));
    }
    for (std::size_t s = 0; s < rows.size(); ++s) {
        if (flagAt(call.outputDirections, s)) std::reverse(rows[s].begin(), rows[s].end());
        const ValueId element = body.outputs[call.states + s];
        const std::size_t rank = rows[s].empty() ? m_plan->types.type(element).shape.rank() : rows[s][0].rank();
        HS_TRY(const std::size_t axis, axisOf(call.outputAxes, s, rank + 1));
        HS_TRY(Tensor stacked, scanOutput(rows[s], axis, element));
        out.push_back(std::move(stacked));
    }
    return out;
}

/// Opset 8: every entry of the batch on its own, up to its length; shorter scan outputs are filled up with zeros.
Result<std::vector<Tensor>> Engine::scanBatch(const ScanCall& whole, const Tensor* lengths) {
    const Tensor& first = *whole.inputs.back();
    if (first.rank() < 2) return fail(ErrorCode::BadInput, "", "a scan input needs a batch and a sequence axis");
    const std::int64_t batch = first.dims()[0];
    const std::vector<std::int64_t> counts =
        lengths != nullptr ? toInt64s(*lengths) : std::vector<std::int64_t>(static_cast<std::size_t>(batch), first.dims()[1]);
    if (static_cast<std::int64_t>(counts.size()) != batch || batch == 0)
        return fail(ErrorCode::BadInput, "", "there are {} sequence lengths for a batch of {}", counts.size(), batch);
    std::vector<std::vector<Tensor>> parts;
    for (std::int64_t b = 0; b < batch; ++b) {
        ScanCall one = whole;
        std::vector<Tensor> inputs;
        inputs.reserve(whole.inputs.size());
        for (std::size_t i = 0; i < whole.inputs.size(); ++i) {
            if (whole.inputs[i] == nullptr || whole.inputs[i]->rank() == 0 || whole.inputs[i]->dims()[0] != batch)
                return fail(ErrorCode::BadInput, "", "input {} has no batch axis of {}", i + 1, batch);
            HS_TRY(Tensor part, sliceAt(*whole.inputs[i], 0, b));
            inputs.push_back(std::move(part));
            one.inputs[i] = &inputs.back();
        }
        one.length = std::max<std::int64_t>(counts[static_cast<std::size_t>(b)], 0);
        HS_TRY(auto results, scanOnce(one));
        for (std::size_t i = whole.states; i < results.size(); ++i) {
            HS_TRY(results[i], padded(results[i], first.dims()[1]));
        }
        parts.resize(results.size());
        for (std::size_t i = 0; i < results.size(); ++i)
            parts[i].push_back(std::move(results[i]));
    }
    std::vector<Tensor> out;
    for (const auto& each : parts) {
        HS_TRY(Tensor stacked, stack(each, 0));
        out.push_back(std::move(stacked));
    }
    return out;
}

Status Engine::runScan(StepState& step, const Node& node) {
    const GraphId* bodyId = node.get<GraphId>("body");
    if (bodyId == nullptr) return fail(ErrorCode::BadInput, "", "Scan lacks its body");
    const Graph& body = m_plan->model->graph(*bodyId);
    const std::size_t first = node.opset < 9 ? 1 : 0;
    const std::size_t count = step.inputs.size() - std::min(first, step.inputs.size());
    const std::int64_t scanInputs = node.intOr("num_scan_inputs", 0);
    if (scanInputs < 1 || static_cast<std::size_t>(scanInputs) > count || body.inputs.size() != count)
        return fail(ErrorCode::BadInput, "", "num_scan_inputs {} does not fit {} inputs", scanInputs, count);
    ScanCall call;
    call.body = *bodyId;
    call.label = step.plan->label;
    call.states = count - static_cast<std::size_t>(scanInputs);
    call.inputs.assign(step.inputs.begin() + static_cast<std::ptrdiff_t>(first), step.inputs.end());
    if (body.outputs.size() < call.states) return fail(ErrorCode::BadInput, "", "the body returns fewer values than it carries");
    if (call.inputs.back() == nullptr) return fail(ErrorCode::BadInput, "", "a scan input is absent");
    call.inputDirections = node.intsOr(first == 1 ? "directions" : "scan_input_directions");
    if (first == 0) {
        call.inputAxes = node.intsOr("scan_input_axes");
        call.outputAxes = node.intsOr("scan_output_axes");
        call.outputDirections = node.intsOr("scan_output_directions");
    }
    HS_TRY(auto results, first == 1 ? scanBatch(call, step.inputs[0]) : scanOnce(call));
    if (results.size() < step.outputs.size()) return fail(ErrorCode::BadInput, "", "the body has {} outputs, not {}", results.size(), step.outputs.size());
    std::move(results.begin(), results.begin() + static_cast<std::ptrdiff_t>(step.outputs.size()), step.outputs.begin());
    return {};
}

}  // namespace hs
