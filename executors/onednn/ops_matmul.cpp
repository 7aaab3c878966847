// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <vector>

#include "executors/onednn/op_table.h"

namespace hs::dnn {
namespace {

using Size = dnnl::memory::dim;

Size product(MemoryDims::const_iterator from, MemoryDims::const_iterator to) {
    return std::accumulate(from, to, Size{1}, std::multiplies<>());
}

/// Sizes of A [batch…, M, K], B [batch…, K, N] and the result, of equal rank, with as few batch axes as will do.
struct MatMulSizes {
    MemoryDims a, b, c;
};

MatMulSizes matmulSizes(Dims a, Dims b) {
    if (a.size() == 1) a.insert(a.begin(), 1);
    if (b.size() == 1) b.push_back(1);
    const std::size_t rank = std::max(a.size(), b.size());
    a.insert(a.begin(), rank - a.size(), 1);
    b.insert(b.begin(), rank - b.size(), 1);
    const Size m = a[rank - 2];
    const Size k = a[rank - 1];
    const Size n = b[rank - 1];
    const auto batchA = product(a.begin(), a.end() - 2);
    const auto batchB = product(b.begin(), b.end() - 2);
    if (batchB == 1) return {{batchA * m, k}, {k, n}, {batchA * m, n}};  // one right side for all: a single tall product
    if (std::equal(a.begin(), a.end() - 2, b.begin())) return {{batchA, m, k}, {batchA, k, n}, {batchA, m, n}};
    if (batchA == 1) return {{1, m, k}, {batchB, k, n}, {batchB, m, n}};
    MemoryDims c = a;
    for (std::size_t i = 0; i + 2 < rank; ++i)
        c[i] = std::max(a[i], b[i]);
    c[rank - 1] = n;
    return {a, b, c};
}

Support supportsMatMul(const Asked& asked) {
    for (std::size_t i = 0; i < 2; ++i)
        if (!asked.hasInput(i) || asked.in(i).shape.rank() == 0) return asked.noShape("a scalar operand");
    const auto& k = asked.in(0).shape.dims().back();
    if (k.known() && k.value() == 0) return asked.noShape("an inner size of 0");
    return Support::yes();
}

Result<std::unique_ptr<Program>> buildMatMul(const Build& b) {
    const MatMulSizes sizes = matmulSizes(b.inDims(0), b.inDims(1));
    if (sizes.a.back() == 0) return b.unsupported("an inner size of 0");
    auto program = b.program("matmul");
    const bool known = b.constant(1) != nullptr;
    const Desc plainB = plain(sizes.b);
    const Primitive primitive = matmul(program->engine(), plain(sizes.a), known ? anyLayout(sizes.b) : plainB, Desc(), plain(sizes.c), Program::attributes());
    program->add(primitive, {{DNNL_ARG_SRC, program->input(0, plain(sizes.a))},
                             {DNNL_ARG_WEIGHTS, b.weights(*program, 1, plainB, primitive.weights_desc(0))},
                             {DNNL_ARG_DST, b.result(*program, plain(sizes.c))}});
    return program;
}

Support supportsGemm(const Asked& asked) {
    for (std::size_t i = 0; i < 2; ++i)
        if (!asked.hasInput(i) || asked.in(i).shape.rank() != 2) return asked.noShape("operands must have rank 2");
    if (asked.hasInput(2) && asked.in(2).shape.rank() > 2) return asked.noShape("C must have rank 2 at most");
    return Support::yes();
}

/// C's sizes as rank 2, lined up at the right.
MemoryDims addendSizes(const Dims& c) {
    MemoryDims out = c;
    out.insert(out.begin(), 2 - out.size(), 1);
    return out;
}

/// C scaled by beta: a constant is scaled now, anything else by a pass of its own.
Slot scaledAddend(const Build& b, Program& program, const Desc& desc, float beta) {
    if (beta == 1.0F) return program.input(2, desc);
    if (const Tensor* known = b.constant(2)) {
        const auto values = known->data<float>();
        std::vector<float> scaled(values.begin(), values.end());
        for (float& value : scaled)
            value *= beta;
        return program.constant(desc, scaled.data());
    }
    Slot out = program.temp(desc);
    program.add(eltwise(program.engine(), dnnl::algorithm::eltwise_linear, desc, beta, 0, Program::attributes()),
                {{DNNL_ARG_SRC, program.input(2, desc)}, {DNNL_ARG_DST, out}});
    return out;
}

/// alpha·A·B + beta·C. A whole row as C with alpha 1 is the primitive's own bias, everything else follows as post-ops.
Result<std::unique_ptr<Program>> buildGemm(const Build& b) {
    const Node& node = b.node();
    const bool transA = node.intOr("transA", 0) != 0;
    const bool transB = node.intOr("transB", 0) != 0;
    const float alpha = node.floatOr("alpha", 1.0F);
    const float beta = node.floatOr("beta", 1.0F);
    const Dims& da = b.inDims(0);
    const Dims& db = b.inDims(1);
    const Size m = b.outDims(0)[0];
    const Size n = b.outDims(0)[1];
    const Size k = transA ? da[0] : da[1];
    if (k == 0) return b.unsupported("an inner size of 0");
    auto program = b.program("gemm");
    const Desc descA = transA ? strided({m, k}, {1, da[1]}) : plain({m, k});
    const Desc descB = transB ? strided({k, n}, {1, db[1]}) : plain({k, n});
    const bool addend = b.hasInput(2) && beta != 0.0F;
    const MemoryDims sizesC = addend ? addendSizes(b.inDims(2)) : MemoryDims{};
    const bool asBias = addend && alpha == 1.0F && sizesC == MemoryDims{1, n};
    Slot c;
    if (addend) c = scaledAddend(b, *program, plain(sizesC), beta);

    dnnl::post_ops after;
    if (alpha != 1.0F) appendEltwise(after, dnnl::algorithm::eltwise_linear, alpha, 0);
    const int addendPosition = after.len();
    if (addend && !asBias) appendBinary(after, dnnl::algorithm::binary_add, c.desc);
    dnnl::primitive_attr attr = Program::attributes();
    attr.set_post_ops(after);
    const bool known = b.constant(1) != nullptr;
    const Primitive primitive = matmul(program->engine(), descA, known ? anyLayout({k, n}) : descB, asBias ? c.desc : Desc(), plain({m, n}), attr);
    std::vector<std::pair<int, Slot>> args = {{DNNL_ARG_SRC, program->input(0, descA)},
                                              {DNNL_ARG_WEIGHTS, b.weights(*program, 1, descB, primitive.weights_desc(0))},
                                              {DNNL_ARG_DST, b.result(*program, plain({m, n}))}};
    if (asBias) args.emplace_back(DNNL_ARG_BIAS, c);
    if (addend && !asBias) args.emplace_back(DNNL_ARG_ATTR_MULTIPLE_POST_OP(addendPosition) | DNNL_ARG_SRC_1, c);
    program->add(primitive, args, true);
    return program;
}

constexpr std::array kOps = {
    OpEntry{"MatMul", supportsMatMul, buildMatMul},
    OpEntry{"Gemm", supportsGemm, buildGemm},
};

}  // namespace

std::span<const OpEntry> matmulOps() {
    return kOps;
}

}  // namespace hs::dnn
