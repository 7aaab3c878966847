// SPDX-License-Identifier: Apache-2.0
// If, Loop and Scan: types flow through the bodies. FLOPs: none of their own, the bodies' nodes have theirs.
#include <algorithm>

#include "core/graph/ops.h"

namespace hs::ops {
namespace {

/// Loops whose carried types have not settled by then are taken as unknown.
constexpr int kMaxRounds = 4;

ValueType generalised(const ValueType& a, const ValueType& b) {
    ValueType out = a;
    const bool knowsA = a.dtype != DType::Undefined || a.shape.ranked();
    const bool knowsB = b.dtype != DType::Undefined || b.shape.ranked();
    if (!knowsA) out.kind = b.kind;
    // One of them may be empty: what it is otherwise, as an optional.
    if (knowsA && knowsB && a.kind != b.kind) {
        const auto isList = [](TypeKind kind) { return kind == TypeKind::Sequence || kind == TypeKind::OptionalSequence; };
        out.kind = isList(a.kind) || isList(b.kind) ? TypeKind::OptionalSequence : TypeKind::Optional;
    }
    if (out.dtype == DType::Undefined) out.dtype = b.dtype;
    out.shape = generalise(a.shape, b.shape);
    return out;
}

Result<GraphId> bodyOf(const InferContext& c, std::string_view attribute) {
    const auto* body = c.node().get<GraphId>(attribute);
    if (body == nullptr) return bad(c, "the body \"{}\" is missing", attribute);
    if (c.bodies() == nullptr) return bad(c, "its body cannot be inferred on its own");
    return *body;
}

const InferredValue& bodyOutput(const InferContext& c, GraphId body, std::size_t i) {
    return c.inferred(c.model().graph(body).outputs[i]);
}

Status wantBodyOutputs(const InferContext& c, GraphId body, std::size_t count) {
    const std::size_t given = c.model().graph(body).outputs.size();
    if (given != count) return bad(c, "its body has {} outputs, {} are needed", given, count);
    return {};
}

/// With a known condition only the live branch counts; the other may contradict itself.
Status inferIf(InferContext& c) {
    HS_TRY(const GraphId yes, bodyOf(c, "then_branch"));
    HS_TRY(const GraphId no, bodyOf(c, "else_branch"));
    HS_CHECK(wantBodyOutputs(c, yes, c.outputCount()));
    HS_CHECK(wantBodyOutputs(c, no, c.outputCount()));
    const auto condition = c.inputInts(0);
    const bool known = condition && condition->size() == 1;
    const bool isYes = known && condition->front() != 0;
    HS_CHECK(c.bodies()->inferBody(yes, {}, !(known && isYes)));
    HS_CHECK(c.bodies()->inferBody(no, {}, !(known && !isYes)));
    for (std::size_t i = 0; i < c.outputCount(); ++i) {
        if (known) {
            const InferredValue live = bodyOutput(c, isYes ? yes : no, i);
            c.setOutput(i, live.type);
            if (live.data) c.setOutputData(i, *live.data);
            if (live.floats) c.setOutputFloats(i, *live.floats);
            continue;
        }
        const ValueType& a = bodyOutput(c, yes, i).type;
        const ValueType& b = bodyOutput(c, no, i).type;
        if (a.dtype != DType::Undefined && b.dtype != DType::Undefined && a.dtype != b.dtype)
            return bad(c, "output {} is {} in one branch and {} in the other", i, a.text(), b.text());
        c.setOutput(i, generalised(a, b));
    }
    return {};
}

/// One value carried around a loop: what the body may assume about it.
void settle(InferredValue& assumed, const ValueType& next, bool& changed, bool lastRound) {
    assumed.data.reset();
    assumed.floats.reset();
    ValueType merged = generalised(assumed.type, next);
    if (lastRound && merged != assumed.type) merged.shape = Shape();
    if (merged != assumed.type) {
        assumed.type = std::move(merged);
        changed = true;
    }
}

/// A loop whose condition is true from the start and stays true runs exactly its trip count.
struct LoopFacts {
    bool alwaysTrue = false;
    Dim trips;
};

Status inferLoopRounds(InferContext& c, GraphId body, std::vector<InferredValue>& inputs, LoopFacts& facts) {
    const std::size_t carried = inputs.size() - 2;
    for (int round = 0;; ++round) {
        HS_CHECK(c.bodies()->inferBody(body, inputs, false));
        bool changed = false;
        for (std::size_t i = 0; i < carried; ++i) {
            const ValueType& next = bodyOutput(c, body, 1 + i).type;
            const DType was = inputs[2 + i].type.dtype;
            if (was != DType::Undefined && next.dtype != DType::Undefined && was != next.dtype)
                return bad(c, "carried value {} starts as {}, but the body makes it {}", i, dtypeName(was), dtypeName(next.dtype));
            settle(inputs[2 + i], next, changed, round >= kMaxRounds);
        }
        const auto& condition = bodyOutput(c, body, 0).data;
        const bool stays = condition && condition->size() == 1 && condition->front().known() && condition->front().value() != 0;
        if (facts.alwaysTrue && !stays) {
            facts.alwaysTrue = false;
            inputs[1].data.reset();
            changed = true;
        }
        if (!changed || round > kMaxRounds) return {};
    }
}

/// Older exporters declare the body's iteration number and condition with the shape [1] and rely on it.
Shape scalarOrOne(const InferContext& c, GraphId body, std::size_t i) {
    const auto& inputs = c.model().graph(body).inputs;
    const bool isVector = i < inputs.size() && c.model().value(inputs[i]).type.shape.rank() == 1;
    return isVector ? Shape({Dim(1)}) : Shape::scalar();
}

/// Inputs: trip count?, condition?, carried … Body: (iteration, condition, carried …) to (condition, carried …, scanned …).
Status inferLoop(InferContext& c) {
    HS_TRY(const GraphId body, bodyOf(c, "body"));
    const std::size_t carried = c.inputCount() > 2 ? c.inputCount() - 2 : 0;
    const std::size_t outputs = c.outputCount();
    if (outputs < carried) return bad(c, "it has {} outputs for {} carried values", outputs, carried);
    HS_CHECK(wantBodyOutputs(c, body, 1 + outputs));
    std::vector<InferredValue> inputs(2 + carried);
    inputs[0].type = {TypeKind::Tensor, DType::I64, scalarOrOne(c, body, 0)};
    inputs[1].type = {TypeKind::Tensor, DType::Bool, scalarOrOne(c, body, 1)};
    for (std::size_t i = 0; i < carried; ++i)
        inputs[2 + i].type = c.inputType(2 + i);
    LoopFacts facts;
    const auto start = c.inputInts(1);
    facts.alwaysTrue = !c.hasInput(1) || (start && start->size() == 1 && start->front() != 0);
    if (facts.alwaysTrue) inputs[1].data = {Element(1)};
    HS_CHECK(inferLoopRounds(c, body, inputs, facts));
    if (const auto* trips = c.inputData(0); facts.alwaysTrue && trips != nullptr && trips->size() == 1)
        facts.trips = trips->front().known() ? Dim(std::max<std::int64_t>(0, trips->front().value())) : trips->front().dim();
    for (std::size_t i = 0; i < carried; ++i)
        c.setOutput(i, inputs[2 + i].type);
    for (std::size_t i = carried; i < outputs; ++i) {
        ValueType type = bodyOutput(c, body, 1 + i).type;
        if (type.shape.ranked()) {
            std::vector<Dim> dims = type.shape.dims();
            dims.insert(dims.begin(), facts.trips);
            type.shape = Shape(std::move(dims));
        }
        c.setOutput(i, std::move(type));
    }
    return {};
}

std::int64_t entryOr(const std::vector<std::int64_t>& list, std::size_t i, std::int64_t fallback) {
    return i < list.size() ? list[i] : fallback;
}

/// What Scan's inputs look like inside the body, and how long the scan is.
struct ScanFacts {
    std::vector<InferredValue> inputs;
    Dim length, batch;
    std::size_t states = 0;
    bool batched = false;  ///< Opset 8: sequence lengths first, a batch axis everywhere.
};

ValueType withoutAxis(ValueType type, std::size_t axis) {
    std::vector<Dim> dims = type.shape.dims();
    dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(axis));
    type.shape = Shape(std::move(dims));
    return type;
}

Result<ScanFacts> scanFacts(const InferContext& c) {
    ScanFacts facts;
    facts.batched = c.node().opset == 8;
    const std::size_t first = facts.batched ? 1 : 0;
    if (c.inputCount() <= first) return bad(c, "it has nothing to scan");
    const std::size_t count = c.inputCount() - first;
    const std::int64_t scanned = c.node().intOr("num_scan_inputs", 0);
    if (scanned < 1 || scanned > static_cast<std::int64_t>(count)) return bad(c, "num_scan_inputs {} does not fit {} inputs", scanned, count);
    facts.states = count - static_cast<std::size_t>(scanned);
    const auto axes = c.node().intsOr("scan_input_axes");
    for (std::size_t i = 0; i < count; ++i) {
        InferredValue value;
        value.type = c.inputType(first + i);
        const Shape shape = value.type.shape;
        if (shape.ranked() && facts.batched) {
            if (shape.rank() < 1) return bad(c, "input {} has no batch axis", first + i);
            HS_TRY(facts.batch, sameDim(c, "batch sizes", facts.batch, shape[0]));
            value.type = withoutAxis(value.type, 0);
        }
        if (i >= facts.states && value.type.shape.ranked()) {
            const Shape& inner = value.type.shape;
            HS_TRY(const std::size_t axis, axisOf(c, facts.batched ? 0 : entryOr(axes, i - facts.states, 0), inner.rank()));
            HS_TRY(facts.length, sameDim(c, "lengths of the scanned inputs", facts.length, inner[axis]));
            value.type = withoutAxis(value.type, axis);
        }
        facts.inputs.push_back(std::move(value));
    }
    return facts;
}

Status inferScan(InferContext& c) {
    HS_TRY(const GraphId body, bodyOf(c, "body"));
    HS_TRY(ScanFacts facts, scanFacts(c));
    HS_CHECK(wantBodyOutputs(c, body, c.outputCount()));
    if (c.outputCount() < facts.states) return bad(c, "it has {} outputs for {} states", c.outputCount(), facts.states);
    for (int round = 0;; ++round) {
        HS_CHECK(c.bodies()->inferBody(body, facts.inputs, false));
        bool changed = false;
        for (std::size_t i = 0; i < facts.states; ++i)
            settle(facts.inputs[i], bodyOutput(c, body, i).type, changed, round >= kMaxRounds);
        if (!changed || round > kMaxRounds) break;
    }
    const auto axes = c.node().intsOr("scan_output_axes");
    for (std::size_t i = 0; i < c.outputCount(); ++i) {
        ValueType type = i < facts.states ? facts.inputs[i].type : bodyOutput(c, body, i).type;
        if (type.shape.ranked()) {
            std::vector<Dim> dims = type.shape.dims();
            if (i >= facts.states) {
                HS_TRY(const std::size_t axis, axisOf(c, facts.batched ? 0 : entryOr(axes, i - facts.states, 0), dims.size() + 1));
                dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(axis), facts.length);
            }
            if (facts.batched) dims.insert(dims.begin(), facts.batch);
            type.shape = Shape(std::move(dims));
        }
        c.setOutput(i, std::move(type));
    }
    return {};
}

/// Body per element of the sequences; other inputs are passed whole.
Status inferSequenceMap(InferContext& c) {
    HS_TRY(const GraphId body, bodyOf(c, "body"));
    std::vector<InferredValue> inputs(c.inputCount());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        inputs[i].type = c.inputType(i);
        if (inputs[i].type.kind == TypeKind::Sequence) inputs[i].type.kind = TypeKind::Tensor;
    }
    HS_CHECK(wantBodyOutputs(c, body, c.outputCount()));
    HS_CHECK(c.bodies()->inferBody(body, inputs, false));
    for (std::size_t i = 0; i < c.outputCount(); ++i) {
        ValueType type = bodyOutput(c, body, i).type;
        type.kind = TypeKind::Sequence;
        c.setOutput(i, std::move(type));
    }
    return {};
}

}  // namespace

void registerControlFlow(OpRegistry& r) {
    defineAnyKind(r, "If", {1, 1, 1, kMany}, inferIf, noFlops);
    defineAnyKind(r, "Loop", {0, kMany, 1, kMany}, inferLoop, noFlops);
    defineAnyKind(r, "Scan", {0, kMany, 1, kMany}, inferScan, noFlops);
    defineAnyKind(r, "SequenceMap", {1, kMany, 1, kMany}, inferSequenceMap, noFlops);
}

}  // namespace hs::ops
