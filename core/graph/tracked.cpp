// SPDX-License-Identifier: Apache-2.0
#include "core/graph/tracked.h"

#include <algorithm>

#include "core/graph/ops.h"

namespace hs {

void trackTensor(const Tensor& tensor, InferredValue& known) {
    known.data.reset();
    known.floats.reset();
    if (!tensor.valid() || tensor.count() > static_cast<std::int64_t>(kMaxTracked)) return;
    if (tensor.dtype() == DType::F32) {
        const auto values = tensor.data<float>();
        known.floats.emplace(values.begin(), values.end());
    } else if (tensor.dtype() == DType::F64) {
        const auto values = tensor.data<double>();
        known.floats.emplace(values.begin(), values.end());
    } else if ((isInteger(tensor.dtype()) || tensor.dtype() == DType::Bool) && dtypeBits(tensor.dtype()) >= 8 && tensor.dtype() != DType::U64) {
        const auto values = toInt64s(tensor);
        known.data.emplace(values.begin(), values.end());
    }
}

namespace ops {

bool fits(DType type, std::int64_t value) {
    const int bits = dtypeBits(type);
    if (type == DType::Bool) return value == 0 || value == 1;
    if (isUnsignedInteger(type)) return value >= 0 && (bits >= 63 || value < (std::int64_t{1} << bits));
    if (bits >= 64) return true;
    return value >= -(std::int64_t{1} << (bits - 1)) && value < (std::int64_t{1} << (bits - 1));
}

SliceAxis resolveSlice(std::int64_t size, std::int64_t start, std::int64_t end, std::int64_t step) {
    const auto fromEnd = [size](std::int64_t i) { return i < 0 ? (i < -size ? std::int64_t{-1} : i + size) : i; };
    SliceAxis out;
    if (size == 0) return out;
    // A step longer than the axis picks one element at most; the clamp keeps the arithmetic below from overflowing.
    const std::int64_t limit = std::max<std::int64_t>(size, 1);
    out.step = std::clamp(step, -limit, limit);
    if (out.step > 0) {
        const std::int64_t first = std::clamp<std::int64_t>(fromEnd(start), 0, size);
        const std::int64_t last = std::clamp<std::int64_t>(fromEnd(end), 0, size);
        out.start = first;
        out.count = std::max<std::int64_t>(0, (last - first + out.step - 1) / out.step);
    } else {
        const std::int64_t first = std::clamp<std::int64_t>(start < -size ? 0 : fromEnd(start), 0, size - 1);
        const std::int64_t last = std::clamp<std::int64_t>(fromEnd(end), -1, size - 1);
        out.start = first;
        out.count = std::max<std::int64_t>(0, (first - last - out.step - 1) / -out.step);
    }
    return out;
}

Result<SliceParameters> sliceParameters(const InferContext& c) {
    SliceParameters out;
    const AxesSource starts = intsFrom(c, "starts", 1);
    const AxesSource ends = intsFrom(c, "ends", 2);
    const AxesSource axes = intsFrom(c, "axes", 3);
    if (!starts.given || !ends.given) return bad(c, "starts and ends are missing");
    out.starts = starts.values;
    out.ends = ends.values;
    std::optional<std::size_t> count;
    if (out.starts) count = out.starts->size();
    if (!count && c.inputType(1).shape.ranked() && c.inputType(1).shape.rank() == 1 && c.inputType(1).shape[0].known() &&
        c.inputType(1).shape[0].value() <= kMaxRank)
        count = static_cast<std::size_t>(c.inputType(1).shape[0].value());
    if (axes.given) {
        out.axes = axes.values;
    } else if (count && *count <= static_cast<std::size_t>(kMaxRank)) {
        out.axes.emplace();
        for (std::size_t i = 0; i < *count; ++i)
            out.axes->push_back(static_cast<std::int64_t>(i));
    }
    if (c.hasInput(4))
        out.steps = c.inputInts(4);
    else if (out.axes)
        out.steps.emplace(out.axes->size(), 1);
    const Shape& shape = c.inputType(0).shape;
    if (out.axes && shape.ranked()) {
        HS_TRY(const auto resolved, axesOf(c, *out.axes, shape.rank()));
        out.axes->assign(resolved.begin(), resolved.end());
    }
    if (out.axes && ((out.starts && out.starts->size() != out.axes->size()) || (out.ends && out.ends->size() != out.axes->size()) ||
                     (out.steps && out.steps->size() != out.axes->size())))
        return bad(c, "starts, ends, axes and steps have different lengths");
    if (out.steps && std::find(out.steps->begin(), out.steps->end(), 0) != out.steps->end()) return bad(c, "a step of 0 is not allowed");
    return out;
}

std::vector<std::int64_t> stridesOf(const Dims& dims) {
    std::vector<std::int64_t> out(dims.size(), 1);
    for (std::size_t i = dims.size(); i-- > 1;)
        out[i - 1] = out[i] * dims[i];
    return out;
}

}  // namespace ops
}  // namespace hs
