// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/graph/op_registry.h"

/// Private to core/graph: FLOP formulas. All give 0 while a shape that they need is not static. A multiply-add counts two.
namespace hs::ops {

double elements(const ValueType& type);  ///< 0 when not static.

double inputElements(const Model&, const Node&, const TypeTable&);  ///< One per element of input 0: reductions, global pooling.
/// Two per multiply-add: 2 * outputs * (channels/group * kernel area), plus one per output for a bias.
double convFlops(const Model&, const Node&, const TypeTable&);
/// Two per multiply-add: 2 * inputs * (output channels/group * kernel area), plus one per output for a bias.
double convTransposeFlops(const Model&, const Node&, const TypeTable&);
double poolFlops(const Model&, const Node&, const TypeTable&);    ///< Kernel area per output element.
double matMulFlops(const Model&, const Node&, const TypeTable&);  ///< 2 * outputs * K.
double gemmFlops(const Model&, const Node&, const TypeTable&);    ///< 2 * M * N * K, plus M * N for C.
double einsumFlops(const Model&, const Node&, const TypeTable&);  ///< 2 * product of every index's size.
/// LSTM, GRU, RNN: steps * batch * directions * gates * hidden * 2 * (input + hidden).
double recurrentFlops(const Model&, const Node&, const TypeTable&);
/// Scores and weighted sum: 2 * B * H * S * T * (d_k + d_v), plus 5 per score for the softmax.
double attentionFlops(const Model&, const Node&, const TypeTable&);

/// N per element of input 0: normalisations (a mean, a variance, a scale and a shift), softmax (max, subtract, exp, sum, divide).
template <int N>
double perInput(const Model& model, const Node& node, const TypeTable& types) {
    return N * inputElements(model, node, types);
}

/// N per element of output 0.
template <int N>
double perOutput(const Model&, const Node& node, const TypeTable& types) {
    return node.outputs.empty() || !node.outputs[0] ? 0 : N * elements(types.type(node.outputs[0]));
}

}  // namespace hs::ops
