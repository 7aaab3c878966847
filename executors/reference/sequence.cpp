// SPDX-License-Identifier: Apache-2.0
// Sequences and optionals. Items share memory with what they were made from, unless that memory will be reused.
#include <algorithm>
#include <numeric>

#include "executors/reference/registry.h"
#include "executors/reference/walk.h"

namespace hs::ref {
namespace {

Status wantSequence(const Call& c, std::size_t i) {
    HS_CHECK(c.need(i + 1));
    if (c.in(i).kind() != TypeKind::Sequence) return c.bad("input {} is {}, a sequence is needed", i, c.in(i).type().text());
    return {};
}

std::vector<Tensor> itemsOf(const Tensor& sequence) {
    return {sequence.items().begin(), sequence.items().end()};
}

/// A position in a sequence of `size`; negative ones count from the end.
Result<std::size_t> position(const Call& c, std::size_t input, std::size_t size, std::int64_t most) {
    HS_TRY(const std::vector<std::int64_t> given, c.ints(input));
    if (given.size() != 1) return c.bad("the position must be one integer");
    const auto n = static_cast<std::int64_t>(size);
    if (given[0] < -n || given[0] > most) return c.bad("position {} is outside of a sequence of {} items", given[0], size);
    return static_cast<std::size_t>(given[0] < 0 ? given[0] + n : given[0]);
}

Status sequenceEmpty(Call& c) {
    const auto type = dtypeFromOnnx(c.node().intOr("dtype", static_cast<std::int64_t>(DType::F32)));
    if (!type) return c.bad("dtype names no known element type");
    return c.share(0, Tensor::sequence(*type, {}));
}

Status sequenceConstruct(Call& c) {
    HS_CHECK(c.need(std::max<std::size_t>(c.inputCount(), 1)));
    std::vector<Tensor> items;
    for (std::size_t i = 0; i < c.inputCount(); ++i) {
        if (!c.in(i).isTensor() || c.in(i).dtype() != c.declared())
            return c.bad("all items must be tensors of one type, input {} is {}", i, c.in(i).type().text());
        HS_TRY(Tensor item, c.kept(c.in(i)));
        items.push_back(std::move(item));
    }
    return c.share(0, Tensor::sequence(c.declared(), std::move(items)));
}

Status sequenceInsert(Call& c) {
    HS_CHECK(wantSequence(c, 0));
    HS_CHECK(c.need(2));
    std::vector<Tensor> items = itemsOf(c.in(0));
    if (!c.in(1).isTensor() || (!items.empty() && items.front().dtype() != c.in(1).dtype()))
        return c.bad("{} does not fit into {}", c.in(1).type().text(), c.in(0).type().text());
    std::size_t at = items.size();
    if (c.has(2)) {
        HS_TRY(at, position(c, 2, items.size(), static_cast<std::int64_t>(items.size())));
    }
    HS_TRY(Tensor item, c.kept(c.in(1)));
    items.insert(items.begin() + static_cast<std::ptrdiff_t>(at), std::move(item));
    return c.share(0, Tensor::sequence(c.in(1).dtype(), std::move(items)));
}

Status sequenceErase(Call& c) {
    HS_CHECK(wantSequence(c, 0));
    std::vector<Tensor> items = itemsOf(c.in(0));
    if (items.empty()) return c.bad("the sequence is empty");
    std::size_t at = items.size() - 1;
    if (c.has(1)) {
        HS_TRY(at, position(c, 1, items.size(), static_cast<std::int64_t>(items.size()) - 1));
    }
    items.erase(items.begin() + static_cast<std::ptrdiff_t>(at));
    return c.share(0, Tensor::sequence(c.in(0).dtype(), std::move(items)));
}

Status sequenceAt(Call& c) {
    HS_CHECK(wantSequence(c, 0));
    const auto items = c.in(0).items();
    HS_TRY(const std::size_t at, position(c, 1, items.size(), static_cast<std::int64_t>(items.size()) - 1));
    return c.share(0, items[at]);
}

Status sequenceLength(Call& c) {
    HS_CHECK(wantSequence(c, 0));
    HS_TRY(Tensor * y, c.out(0, DType::I64, {}));
    y->data<std::int64_t>()[0] = static_cast<std::int64_t>(c.in(0).items().size());
    return {};
}

/// One part along an axis: elements [from, from + count) of it.
Result<Tensor> partOf(const Tensor& x, std::size_t axis, std::int64_t from, std::int64_t count) {
    Dims dims = x.dims();
    const std::int64_t size = dims[axis];
    dims[axis] = count;
    HS_TRY(Tensor out, Tensor::allocate(x.dtype(), dims));
    const std::int64_t outer = product(dims, 0, axis);
    const std::int64_t inner = product(dims, axis + 1, dims.size());
    const Mover mover(x, out);
    for (std::int64_t o = 0; o < outer; ++o)
        mover.run(o * count * inner, (o * size + from) * inner, count * inner);
    return out;
}

/// Sizes of the parts: given ones, equal ones of a given size (the last may be smaller), or ones.
Result<std::vector<std::int64_t>> partSizes(const Call& c, std::int64_t size) {
    if (!c.has(1)) return std::vector<std::int64_t>(static_cast<std::size_t>(size), 1);
    HS_TRY(std::vector<std::int64_t> given, c.ints(1));
    if (c.dims(1).empty()) {
        if (given[0] < 1) return c.bad("parts of {} elements are not possible", given[0]);
        std::vector<std::int64_t> out(static_cast<std::size_t>(size / given[0]), given[0]);
        if (size % given[0] != 0) out.push_back(size % given[0]);
        return out;
    }
    std::int64_t sum = 0;
    for (const std::int64_t one : given) {
        if (one < 0 || one > size) return c.bad("a part of {} elements does not fit into {}", one, size);
        sum += one;
    }
    if (sum != size) return c.bad("the parts have {} elements in all, the axis has {}", sum, size);
    return given;
}

Status wantBytes(const Call& c, DType type) {
    if (type != DType::String && dtypeBits(type) < 8) return c.noType(type);
    return {};
}

Status splitToSequence(Call& c) {
    HS_CHECK(c.need(1));
    const Tensor& x = c.in(0);
    HS_CHECK(wantBytes(c, x.dtype()));
    HS_TRY(const std::size_t axis, c.axis(c.node().intOr("axis", 0), x.rank()));
    HS_TRY(const std::vector<std::int64_t> sizes, partSizes(c, x.dims()[axis]));
    const bool dropAxis = !c.has(1) && c.node().intOr("keepdims", 1) == 0;
    std::vector<Tensor> items;
    std::int64_t from = 0;
    for (const std::int64_t size : sizes) {
        HS_TRY(Tensor part, partOf(x, axis, from, size));
        from += size;
        if (dropAxis) {
            Dims dims = part.dims();
            dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(axis));
            part = part.reshaped(std::move(dims));
        }
        items.push_back(std::move(part));
    }
    return c.share(0, Tensor::sequence(x.dtype(), std::move(items)));
}

Status concatFromSequence(Call& c) {
    HS_CHECK(wantSequence(c, 0));
    const auto items = c.in(0).items();
    if (items.empty()) return c.bad("the sequence is empty");
    const bool fresh = c.node().intOr("new_axis", 0) != 0;
    const Tensor& first = items.front();
    HS_CHECK(wantBytes(c, first.dtype()));
    HS_TRY(const std::size_t axis, c.axis(c.node().intOr("axis", 0), first.rank() + (fresh ? 1 : 0)));
    Dims dims = first.dims();
    if (fresh) dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(axis), 1);
    std::int64_t total = 0;
    for (const Tensor& item : items) {
        Dims own = item.dims();
        if (fresh && axis <= own.size()) own.insert(own.begin() + static_cast<std::ptrdiff_t>(axis), 1);
        if (own.size() != dims.size() || item.dtype() != first.dtype()) return c.bad("the items {} and {} do not fit", first.type().text(), item.type().text());
        total += own[axis];
        own[axis] = dims[axis];
        if (own != dims) return c.bad("the items {} and {} do not fit", first.type().text(), item.type().text());
    }
    dims[axis] = total;
    if (!elementCount(dims)) return c.bad("the output {} is too large", toString(dims));
    HS_TRY(Tensor * y, c.out(0, first.dtype(), dims));
    const std::int64_t outer = product(dims, 0, axis);
    const std::int64_t inner = product(dims, axis + 1, dims.size());
    std::int64_t at = 0;
    for (const Tensor& item : items) {
        const std::int64_t size = fresh ? 1 : item.dims()[axis];
        const Mover mover(item, *y);
        for (std::int64_t o = 0; o < outer; ++o)
            mover.run((o * total + at) * inner, o * size * inner, size * inner);
        at += size;
    }
    return {};
}

Status optional(Call& c) {
    if (c.has(0)) {
        HS_TRY(Tensor value, c.kept(c.in(0)));
        return c.share(0, std::move(value));
    }
    const auto* type = c.node().get<ValueType>("type");
    if (type == nullptr) return c.bad("an empty optional needs the attribute \"type\"");
    return c.share(0, Tensor::none(type->dtype));
}

Status optionalGetElement(Call& c) {
    HS_CHECK(c.need(1));
    if (c.in(0).kind() == TypeKind::Optional) return c.bad("the optional is empty");
    HS_TRY(Tensor value, c.kept(c.in(0)));
    return c.share(0, std::move(value));
}

Status optionalHasElement(Call& c) {
    HS_TRY(Tensor * y, c.out(0, DType::Bool, {}));
    y->data<std::uint8_t>()[0] = c.has(0) && c.in(0).kind() != TypeKind::Optional ? 1 : 0;
    return {};
}

constexpr Operator anyKind(std::string_view name, Status (*run)(Call&)) {
    return {name, run, kAny, Widen::None, 0, 1, kLatest, "", 0, nullptr, true};
}

const Operator kOperators[] = {
    anyKind("SequenceEmpty", sequenceEmpty),
    anyKind("SequenceConstruct", sequenceConstruct),
    anyKind("SequenceInsert", sequenceInsert),
    anyKind("SequenceErase", sequenceErase),
    anyKind("SequenceAt", sequenceAt),
    anyKind("SequenceLength", sequenceLength),
    anyKind("SplitToSequence", splitToSequence),
    anyKind("ConcatFromSequence", concatFromSequence),
    anyKind("Optional", optional),
    anyKind("OptionalGetElement", optionalGetElement),
    anyKind("OptionalHasElement", optionalHasElement),
};

}  // namespace

std::span<const Operator> sequenceOperators() {
    return kOperators;
}

}  // namespace hs::ref
