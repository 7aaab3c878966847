// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "executors/onednn/broadcast.h"
#include "executors/onednn/op_table.h"

namespace hs::dnn {
namespace {

using dnnl::algorithm;

algorithm algorithmOf(const std::string& op) {
    if (op == "Sub") return algorithm::binary_sub;
    if (op == "Mul") return algorithm::binary_mul;
    if (op == "Div") return algorithm::binary_div;
    if (op == "Min") return algorithm::binary_min;
    if (op == "Max") return algorithm::binary_max;
    return algorithm::binary_add;
}

bool commutes(algorithm kind) {
    return kind != algorithm::binary_sub && kind != algorithm::binary_div;
}

void addBinary(Program& program, algorithm kind, const Slot& a, const Slot& b, const Slot& out) {
    program.add(binary(program.engine(), kind, a.desc, b.desc, out.desc, Program::attributes()),
                {{DNNL_ARG_SRC_0, a}, {DNNL_ARG_SRC_1, b}, {DNNL_ARG_DST, out}});
    // of two operands oneDNN's min and max return the second when either is NaN
    if (kind == algorithm::binary_min || kind == algorithm::binary_max) program.addLoop("nan", keepNanLoop(), a, out, out.desc.get_size() / sizeof(float));
}

/// out = a ∘ b. oneDNN spreads only the second operand: a commutative operation swaps, a - b becomes -(b - a), and what
/// remains first spreads `a` over the output's sizes (by adding it to zeros).
void addBroadcast(Program& program, algorithm kind, Slot a, Slot b, const MemoryDims& outDims, const MemoryDims& aDims, const MemoryDims& bDims,
                  const Slot& out) {
    if (aDims == outDims) return addBinary(program, kind, a, b, out);
    if (bDims == outDims && commutes(kind)) return addBinary(program, kind, b, a, out);
    if (bDims == outDims && kind == algorithm::binary_sub) {
        addBinary(program, kind, b, a, out);
        program.add(eltwise(program.engine(), algorithm::eltwise_linear, out.desc, -1, 0, Program::attributes()), {{DNNL_ARG_SRC, out}, {DNNL_ARG_DST, out}});
        return;
    }
    const Slot spread = program.temp(plain(outDims));
    addBinary(program, algorithm::binary_add, program.zeros(plain(outDims)), a, spread);
    addBinary(program, kind, spread, b, out);
}

Support supportsBinary(const Asked& asked) {
    for (std::size_t i = 0; i < asked.node().inputs.size(); ++i)
        if (!asked.hasInput(i)) return asked.noShape("an operand is absent");
    const std::string& op = asked.node().opType;
    if ((op == "Min" || op == "Max") && asked.node().inputs.size() > 2) return asked.noShape("more than two operands (NaN would get lost)");
    if (asked.node().opset < 7 && asked.node().intOr("broadcast", 0) != 0) return asked.noAttribute("broadcast (before opset 7)");
    return Support::yes();
}

/// Operands are folded from the left: Add, Sub, Mul, Div have two, Min and Max one or two here, Sum any number.
Result<std::unique_ptr<Program>> buildBinary(const Build& b) {
    const algorithm kind = algorithmOf(b.node().opType);
    const Dims& out = b.outDims(0);
    auto program = b.program("binary");
    if (b.inputCount() == 1) {
        const Desc desc = plain({*elementCount(out)});
        program->add(reorder(program->engine(), desc, desc, Program::attributes()),
                     {{DNNL_ARG_FROM, program->input(0, desc)}, {DNNL_ARG_TO, b.result(*program, desc)}});
        return program;
    }
    Broadcast sizes = mergedBroadcast(b.inDims(0), b.inDims(1), out);
    addBroadcast(*program, kind, program->input(0, plain(sizes.a)), program->input(1, plain(sizes.b)), sizes.out, sizes.a, sizes.b,
                 b.result(*program, plain(sizes.out)));
    for (std::size_t i = 2; i < b.inputCount(); ++i) {
        sizes = mergedBroadcast(out, b.inDims(i), out);
        const Slot sum = b.result(*program, plain(sizes.out));
        addBinary(*program, kind, sum, program->input(i, plain(sizes.b)), sum);
    }
    return program;
}

constexpr std::array kOps = {
    OpEntry{"Add", supportsBinary, buildBinary}, OpEntry{"Sub", supportsBinary, buildBinary}, OpEntry{"Mul", supportsBinary, buildBinary},
    OpEntry{"Div", supportsBinary, buildBinary}, OpEntry{"Min", supportsBinary, buildBinary}, OpEntry{"Max", supportsBinary, buildBinary},
    OpEntry{"Sum", supportsBinary, buildBinary},
};

}  // namespace

std::span<const OpEntry> binaryOps() {
    return kOps;
}

}  // namespace hs::dnn
