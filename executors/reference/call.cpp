// SPDX-License-Identifier: Apache-2.0
#include "executors/reference/call.h"

#include <algorithm>

#include "executors/reference/convert.h"
#include "executors/reference/type_set.h"
#include "executors/reference/walk.h"

namespace hs::ref {
namespace {

DType widened(DType type, Widen mode) {
    if (mode == Widen::None) return type;
    if (mode == Widen::Packed) return contains(kPacked, type) ? DType::U8 : type;
    if (type == DType::F16 || type == DType::BF16) return DType::F32;
    if (mode == Widen::Numbers && contains(kInts, type) && type != DType::U64) return DType::I64;
    return type;
}

/// An empty tensor may name any sizes beside its zero; bounded, no product of sizes can overflow in an operator.
bool isSane(const Dims& dims) {
    constexpr std::int64_t kMost = std::int64_t{1} << 26;
    if (std::find(dims.begin(), dims.end(), 0) == dims.end()) return true;
    std::int64_t rest = 1;
    for (const std::int64_t d : dims) {
        if (d > kMost) return false;
        rest *= std::max<std::int64_t>(d, 1);
        if (rest > kMost) return false;
    }
    return true;
}

Result<Tensor> widen(const Tensor& from, Widen mode, DType to) {
    HS_TRY(Tensor out, Tensor::allocate(to, from.dims()));
    if (mode == Widen::Packed)
        unpackRaw(from, out);
    else
        HS_CHECK(convert(from, out));
    return out;
}

}  // namespace

Status Call::begin(Widen mode, std::size_t typeInput) {
    if (m_context.hasInput(typeInput)) m_narrow = m_context.input(typeInput).dtype();
    m_wide = widened(m_narrow, mode);
    m_widened.reserve(m_context.inputCount());
    for (std::size_t i = 0; i < m_context.inputCount(); ++i) {
        m_inputs.push_back(m_context.hasInput(i) ? &m_context.input(i) : nullptr);
        if (m_inputs[i] == nullptr || !m_inputs[i]->isTensor()) continue;
        if (!isSane(m_inputs[i]->dims())) return bad("input {} has the shape {}, which is out of range", i, toString(m_inputs[i]->dims()));
        const DType type = m_inputs[i]->dtype();
        const DType wide = widened(type, type == m_narrow ? mode : mode == Widen::None || mode == Widen::Packed ? Widen::None : Widen::Floats);
        if (wide == type) continue;
        HS_TRY(Tensor tensor, widen(*m_inputs[i], mode, wide));
        m_widened.push_back(std::move(tensor));
        m_inputs[i] = &m_widened.back();
    }
    m_narrowed.reserve(m_node.outputs.size());
    return {};
}

Status Call::finish() {
    for (Narrowed& result : m_narrowed) {
        HS_TRY(Tensor * to, m_context.output(result.output, m_narrow, result.wide.dims()));
        if (contains(kPacked, m_narrow))
            packRaw(result.wide, *to);
        else
            HS_CHECK(convert(result.wide, *to));
    }
    return {};
}

Result<Tensor*> Call::out(std::size_t i, DType type, const Dims& dims) {
    return m_context.output(i, type, dims);
}

Result<Tensor*> Call::outT(std::size_t i, const Dims& dims) {
    if (m_wide == m_narrow) return m_context.output(i, m_narrow, dims);
    HS_TRY(Tensor wide, Tensor::allocate(m_wide, dims));
    m_narrowed.push_back({i, std::move(wide)});
    return &m_narrowed.back().wide;
}

Status Call::share(std::size_t i, Tensor value) {
    if (wants(i)) m_context.setOutput(i, std::move(value));
    return {};
}

Result<Tensor> Call::kept(const Tensor& value) const {
    if (!value.isTensor() || value.owned()) return value;
    HS_TRY(Tensor out, Tensor::allocate(value.dtype(), value.dims()));
    copyAll(value, out);
    return out;
}

Status Call::need(std::size_t count) const {
    for (std::size_t i = 0; i < count; ++i)
        if (!has(i)) return bad("input {} is missing", i);
    return {};
}

Result<std::vector<std::int64_t>> Call::ints(std::size_t i) const {
    if (!has(i)) return bad("input {} is missing", i);
    if (!isInteger(in(i).dtype()) && in(i).dtype() != DType::Bool) return bad("input {} must hold integers, not {}", i, dtypeName(in(i).dtype()));
    return toInt64s(in(i));
}

Result<std::size_t> Call::axis(std::int64_t axis, std::size_t rank) const {
    const auto r = static_cast<std::int64_t>(rank);
    if (axis < -r || axis >= r) return bad("axis {} is out of range for rank {}", axis, rank);
    return static_cast<std::size_t>(axis < 0 ? axis + r : axis);
}

Result<std::vector<std::int64_t>> Call::axesFrom(std::size_t i) const {
    if (has(i)) return ints(i);
    return m_node.intsOr("axes");
}

Result<std::vector<std::size_t>> Call::axes(const std::vector<std::int64_t>& axes, std::size_t rank) const {
    std::vector<std::size_t> out;
    for (const std::int64_t a : axes) {
        HS_TRY(const std::size_t one, axis(a, rank));
        if (std::find(out.begin(), out.end(), one) != out.end()) return bad("axis {} is given twice", a);
        out.push_back(one);
    }
    std::sort(out.begin(), out.end());
    return out;
}

Result<double> Call::number(std::size_t i) const {
    if (!has(i) || in(i).count() < 1) return bad("input {} must hold a number", i);
    HS_TRY(const std::vector<double> values, toDoubles(in(i)));
    return values.front();
}

}  // namespace hs::ref
