// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <functional>
#include <numeric>

#include "executors/onednn/op_table.h"

namespace hs::dnn {
namespace {

using Size = dnnl::memory::dim;

Support supportsConcat(const Asked& asked) {
    const auto rank = static_cast<std::int64_t>(asked.in(0).shape.rank());
    const std::int64_t axis = asked.node().intOr("axis", 1);
    if (axis < -rank || axis >= rank) return asked.noAttribute("axis=" + std::to_string(axis));
    for (std::size_t i = 0; i < asked.node().inputs.size(); ++i)
        if (!asked.hasInput(i)) return asked.noShape("an operand is absent");
    return Support::yes();
}

Result<std::unique_ptr<Program>> buildConcat(const Build& b) {
    const Dims& out = b.outDims(0);
    const auto rank = static_cast<std::int64_t>(out.size());
    std::int64_t axis = b.node().intOr("axis", 1);
    if (axis < 0) axis += rank;
    const Size outer = std::accumulate(out.begin(), out.begin() + axis, Size{1}, std::multiplies<>());
    const Size inner = std::accumulate(out.begin() + axis + 1, out.end(), Size{1}, std::multiplies<>());
    auto program = b.program("concat");
    std::vector<Desc> sources;
    std::vector<std::pair<int, Slot>> args;
    for (std::size_t i = 0; i < b.inputCount(); ++i) {
        const Size length = b.inDims(i)[static_cast<std::size_t>(axis)];
        if (length == 0) continue;
        sources.push_back(plain({outer, length * inner}));
        args.emplace_back(DNNL_ARG_MULTIPLE_SRC + static_cast<int>(args.size()), program->input(i, sources.back()));
    }
    const Desc y = plain({outer, out[static_cast<std::size_t>(axis)] * inner});
    args.emplace_back(DNNL_ARG_DST, b.result(*program, y));
    program->add(concat(program->engine(), y, 1, sources, Program::attributes()), args);
    return program;
}

std::vector<std::int64_t> permutation(const Node& node, std::size_t rank) {
    std::vector<std::int64_t> perm = node.intsOr("perm");
    if (!perm.empty()) return perm;
    perm.resize(rank);
    std::iota(perm.rbegin(), perm.rend(), 0);
    return perm;
}

bool isPermutation(const std::vector<std::int64_t>& perm, std::size_t rank) {
    std::vector<bool> seen(rank, false);
    for (const std::int64_t axis : perm) {
        if (axis < 0 || axis >= static_cast<std::int64_t>(rank) || seen[static_cast<std::size_t>(axis)]) return false;
        seen[static_cast<std::size_t>(axis)] = true;
    }
    return perm.size() == rank;
}

Support supportsTranspose(const Asked& asked) {
    const std::size_t rank = asked.in(0).shape.rank();
    return isPermutation(permutation(asked.node(), rank), rank) ? Support::yes() : asked.noAttribute("perm that is no permutation");
}

/// A reorder from the input read through permuted strides. Axes that stay neighbours are merged, sizes of 1 dropped.
Result<std::unique_ptr<Program>> buildTranspose(const Build& b) {
    const Dims& in = b.inDims(0);
    const auto perm = permutation(b.node(), in.size());
    if (!isPermutation(perm, in.size())) return b.unsupported("perm is no permutation");
    MemoryDims inStrides(in.size(), 1);
    for (std::size_t i = in.size(); i-- > 1;)
        inStrides[i - 1] = inStrides[i] * in[i];
    MemoryDims sizes;
    MemoryDims strides;
    for (const std::int64_t axis : perm) {
        const Size size = in[static_cast<std::size_t>(axis)];
        const Size stride = inStrides[static_cast<std::size_t>(axis)];
        if (size == 1) continue;
        if (!sizes.empty() && strides.back() == size * stride) {
            sizes.back() *= size;
            strides.back() = stride;
        } else {
            sizes.push_back(size);
            strides.push_back(stride);
        }
    }
    if (sizes.empty()) sizes = strides = {1};
    auto program = b.program("reorder");
    const Desc from = strided(sizes, strides);
    const Desc to = plain(sizes);
    program->add(reorder(program->engine(), from, to, Program::attributes()),
                 {{DNNL_ARG_FROM, program->input(0, from)}, {DNNL_ARG_TO, b.result(*program, to)}});
    return program;
}

constexpr std::array kOps = {
    OpEntry{"Concat", supportsConcat, buildConcat},
    OpEntry{"Transpose", supportsTranspose, buildTranspose},
};

}  // namespace

std::span<const OpEntry> layoutOps() {
    return kOps;
}

}  // namespace hs::dnn
