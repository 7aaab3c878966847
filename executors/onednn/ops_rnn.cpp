// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cctype>

#include "executors/onednn/op_table.h"

namespace hs::dnn {
namespace {

using Size = dnnl::memory::dim;

/// One recurrent layer as both sides describe it. ONNX keeps gates as rows [D, G·H, …], oneDNN as columns [1, D, …, G, H] in
/// an order of its own.
struct Layer {
    RnnKind kind = RnnKind::Lstm;
    std::vector<Size> gates;  ///< For each of oneDNN's gates, which of ONNX's it is.
    Size time = 0, batch = 0, inputs = 0, hidden = 0, directions = 1;
    dnnl::rnn_direction direction = dnnl::rnn_direction::unidirectional_left2right;

    Size gateCount() const { return static_cast<Size>(gates.size()); }
    /// The linear-before-reset variant has a second bias for the hidden gate.
    Size biasCount() const { return gateCount() + (kind == RnnKind::GruLinearBeforeReset ? 1 : 0); }
};

bool sameWord(const std::string& a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

std::vector<std::string_view> defaultActivations(const std::string& op) {
    if (op == "LSTM") return {"Sigmoid", "Tanh", "Tanh"};
    if (op == "GRU") return {"Sigmoid", "Tanh"};
    return {"Tanh"};
}

bool activationsAre(const Node& node, const std::vector<std::string_view>& wanted) {
    const auto given = node.getOr<std::vector<std::string>>("activations", {});
    for (std::size_t i = 0; i < given.size(); ++i)
        if (!sameWord(given[i], wanted[i % wanted.size()])) return false;
    return true;
}

Support supportsRnn(const Asked& asked) {
    const Node& node = asked.node();
    const bool relu = node.opType == "RNN" && node.find("activations") != nullptr && activationsAre(node, {"Relu"});
    if (!relu && !activationsAre(node, defaultActivations(node.opType))) return asked.noAttribute("activations other than the default ones");
    if (node.find("clip") != nullptr) return asked.noAttribute("clip");
    if (node.intOr("layout", 0) != 0) return asked.noAttribute("layout=1");
    if (node.intOr("input_forget", 0) != 0) return asked.noAttribute("input_forget");
    if (asked.hasInput(4)) return asked.noAttribute("sequence_lens (an input)");
    if (asked.hasInput(7)) return asked.noAttribute("peepholes (an input)");
    if (asked.in(0).shape.rank() != 3) return asked.noShape("X must have rank 3");
    for (std::size_t i = 1; i < 4; ++i)
        if ((i < 3 || asked.hasInput(i)) && asked.constant(i) == nullptr) return asked.noAttribute("weights that are not constant");
    return Support::yes();
}

Result<Layer> readLayer(const Build& b) {
    const Node& node = b.node();
    const Dims& x = b.inDims(0);
    for (std::size_t i = 1; i < 4; ++i)
        if ((i < 3 || b.hasInput(i)) && b.constant(i) == nullptr) return b.unsupported("its weights are not constant");
    Layer layer;
    if (node.opType == "LSTM") {
        layer.kind = RnnKind::Lstm;
        layer.gates = {0, 2, 3, 1};  // input, forget, cell, output; ONNX: input, output, forget, cell
    } else if (node.opType == "GRU") {
        layer.kind = node.intOr("linear_before_reset", 0) != 0 ? RnnKind::GruLinearBeforeReset : RnnKind::Gru;
        layer.gates = {0, 1, 2};  // update, reset, hidden on both sides
    } else {
        layer.kind = node.find("activations") != nullptr && activationsAre(node, {"Relu"}) ? RnnKind::Relu : RnnKind::Tanh;
        layer.gates = {0};
    }
    layer.time = x[0];
    layer.batch = x[1];
    layer.inputs = x[2];
    layer.directions = b.inDims(2)[0];
    layer.hidden = b.inDims(2).back();
    const std::string direction = node.stringOr("direction", "forward");
    if (direction == "reverse") layer.direction = dnnl::rnn_direction::unidirectional_right2left;
    if (direction == "bidirectional") layer.direction = dnnl::rnn_direction::bidirectional_concat;
    const Dims expectedW = {layer.directions, layer.gateCount() * layer.hidden, layer.inputs};
    if (b.inDims(1) != expectedW || layer.directions != (direction == "bidirectional" ? 2 : 1)) return b.unsupported("the sizes of its weights do not fit");
    return layer;
}

/// ONNX rows [D, G·H, columns] to oneDNN's [1, D, columns, G, H].
std::vector<float> repackedWeights(const Layer& layer, const Tensor& rows, Size columns) {
    const auto from = rows.data<float>();
    std::vector<float> to(from.size());
    auto out = to.begin();
    for (Size d = 0; d < layer.directions; ++d)
        for (Size c = 0; c < columns; ++c)
            for (const Size gate : layer.gates)
                for (Size h = 0; h < layer.hidden; ++h)
                    *out++ = from[static_cast<std::size_t>(((d * layer.gateCount() + gate) * layer.hidden + h) * columns + c)];
    return to;
}

/// ONNX [D, Wb then Rb] to oneDNN's [1, D, gates, H]: the two biases are added, but for the hidden gate of the
/// linear-before-reset variant, whose recurrent one is scaled by the reset gate and stays apart.
std::vector<float> repackedBias(const Layer& layer, const Tensor* rows) {
    std::vector<float> to(static_cast<std::size_t>(layer.directions * layer.biasCount() * layer.hidden), 0.0F);
    if (rows == nullptr) return to;
    const auto from = rows->data<float>();
    const bool apart = layer.kind == RnnKind::GruLinearBeforeReset;
    const Size half = layer.gateCount() * layer.hidden;
    auto out = to.begin();
    for (Size d = 0; d < layer.directions; ++d) {
        const Size base = d * 2 * half;
        const auto at = [&](Size gate, Size h, bool recurrent) {
            return from[static_cast<std::size_t>(base + (recurrent ? half : 0) + gate * layer.hidden + h)];
        };
        for (std::size_t g = 0; g < layer.gates.size(); ++g)
            for (Size h = 0; h < layer.hidden; ++h)
                *out++ = at(layer.gates[g], h, false) + (apart && g == 2 ? 0.0F : at(layer.gates[g], h, true));
        for (Size h = 0; apart && h < layer.hidden; ++h)
            *out++ = at(2, h, true);
    }
    return to;
}

Slot stateIn(const Build& b, Program& program, std::size_t input, const Desc& desc) {
    return b.hasInput(input) ? program.input(input, desc) : program.zeros(desc);
}

Slot stateOut(const Build& b, Program& program, std::size_t output, const Desc& desc) {
    return b.hasOutput(output) ? b.result(program, desc, output) : program.temp(desc);
}

Result<std::unique_ptr<Program>> buildRnn(const Build& b) {
    HS_TRY(const Layer layer, readLayer(b));
    if (layer.time == 0) return b.unsupported("an empty sequence");
    auto program = b.program("rnn");
    const Desc state = plain({1, layer.directions, layer.batch, layer.hidden});
    const bool lstm = layer.kind == RnnKind::Lstm;
    const MemoryDims sizesW = {1, layer.directions, layer.inputs, layer.gateCount(), layer.hidden};
    const MemoryDims sizesR = {1, layer.directions, layer.hidden, layer.gateCount(), layer.hidden};
    RnnDescs descs;
    descs.srcLayer = plain({layer.time, layer.batch, layer.inputs});
    descs.dstLayer = plain({layer.time, layer.batch, layer.directions * layer.hidden});
    descs.srcIter = descs.dstIter = state;
    if (lstm) descs.srcCell = descs.dstCell = state;
    descs.weightsLayer = anyLayout(sizesW);
    descs.weightsIter = anyLayout(sizesR);
    descs.bias = plain({1, layer.directions, layer.biasCount(), layer.hidden});
    const Primitive primitive = rnn(program->engine(), layer.kind, layer.direction, descs, Program::attributes());

    const auto weights = [&](std::size_t input, const MemoryDims& sizes, int arg) {
        const std::vector<float> repacked = repackedWeights(layer, *b.constant(input), sizes[2]);
        return program->packed(plain(sizes), repacked.data(), primitive.query_md(dnnl::query::exec_arg_md, arg));
    };
    const std::vector<float> bias = repackedBias(layer, b.constant(3));
    // Y is [T, D, B, H]: with one direction the same memory as oneDNN's [T, B, D·H], with two it is reordered afterwards
    const bool direct = layer.directions == 1 && b.hasOutput(0);
    const Slot y = direct ? b.result(*program, descs.dstLayer) : program->temp(descs.dstLayer);
    std::vector<std::pair<int, Slot>> args = {{DNNL_ARG_SRC_LAYER, program->input(0, descs.srcLayer)},
                                              {DNNL_ARG_SRC_ITER, stateIn(b, *program, 5, state)},
                                              {DNNL_ARG_WEIGHTS_LAYER, weights(1, sizesW, DNNL_ARG_WEIGHTS_LAYER)},
                                              {DNNL_ARG_WEIGHTS_ITER, weights(2, sizesR, DNNL_ARG_WEIGHTS_ITER)},
                                              {DNNL_ARG_BIAS, program->constant(descs.bias, bias.data())},
                                              {DNNL_ARG_DST_LAYER, y},
                                              {DNNL_ARG_DST_ITER, stateOut(b, *program, 1, state)}};
    if (lstm) {
        args.emplace_back(DNNL_ARG_SRC_ITER_C, stateIn(b, *program, 6, state));
        args.emplace_back(DNNL_ARG_DST_ITER_C, stateOut(b, *program, 2, state));
    }
    program->add(primitive, args, true);
    if (b.hasOutput(0) && !direct) {
        const Size row = layer.directions * layer.hidden;
        Slot view = y;
        const MemoryDims sizes = {layer.time, layer.directions, layer.batch, layer.hidden};
        view.desc = strided(sizes, {layer.batch * row, layer.hidden, row, 1});
        program->add(reorder(program->engine(), view.desc, plain(sizes), Program::attributes()),
                     {{DNNL_ARG_FROM, view}, {DNNL_ARG_TO, b.result(*program, plain(sizes))}});
    }
    return program;
}

constexpr std::array kOps = {
    OpEntry{"LSTM", supportsRnn, buildRnn, 4},
    OpEntry{"GRU", supportsRnn, buildRnn, 4},
    OpEntry{"RNN", supportsRnn, buildRnn, 4},
};

}  // namespace

std::span<const OpEntry> rnnOps() {
    return kOps;
}

}  // namespace hs::dnn
