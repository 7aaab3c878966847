// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "executors/reference/call.h"
#include "executors/reference/type_set.h"

namespace hs::ref {

inline constexpr int kLatest = 1 << 20;  ///< No last opset yet.

/// An operator: what it is called, which types it takes, and the function that computes it.
struct Operator {
    std::string_view name;
    Status (*run)(Call&);
    TypeSet types = kAny;       ///< Types allowed for the type input.
    Widen widen = Widen::None;  ///< What `run` sees of narrow types.
    std::size_t typeInput = 0;  ///< The input that decides the operator's type T.
    int since = 1;              ///< First opset …
    int until = kLatest;        ///< … and last one of this meaning.
    std::string_view domain = "";
    int meaning = 0;                                ///< For other domains: the opset of ai.onnx by whose rules shared code reads the node.
    std::string (*refuses)(const Node&) = nullptr;  ///< Names the setting of a node that has no code; empty when it can run.
    bool anyKind = false;                           ///< Takes sequences or optionals too.
};

/// An operator of com.microsoft. Shared code reads its nodes by the rules of a recent opset of ai.onnx.
constexpr Operator contrib(std::string_view name, Status (*run)(Call&), TypeSet types, Widen widen = Widen::None, std::size_t typeInput = 0,
                           std::string (*refuses)(const Node&) = nullptr) {
    return {name, run, types, widen, typeInput, 1, kLatest, "com.microsoft", 24, refuses};
}

/// The operator in force at an opset, or null. `domain` "" is ai.onnx.
const Operator* findOperator(std::string_view name, int opset, std::string_view domain = "");
/// True when some opset of ai.onnx has the operator.
bool knowsOperator(std::string_view name);

// One list per family of operators.
std::span<const Operator> attentionOperators();
std::span<const Operator> binaryOperators();
std::span<const Operator> castOperators();
std::span<const Operator> contribActivationOperators();
std::span<const Operator> contribAliasOperators();
std::span<const Operator> contribAttentionOperators();
std::span<const Operator> contribConvOperators();
std::span<const Operator> contribMatmulOperators();
std::span<const Operator> contribMiscOperators();
std::span<const Operator> contribNormOperators();
std::span<const Operator> contribQuantOperators();
std::span<const Operator> contribGroupedOperators();
std::span<const Operator> convOperators();
std::span<const Operator> einsumOperators();
std::span<const Operator> gatherOperators();
std::span<const Operator> imageDecoderOperators();
std::span<const Operator> imageOperators();
std::span<const Operator> linearAttentionOperators();
std::span<const Operator> logicOperators();
std::span<const Operator> lossOperators();
std::span<const Operator> matmulOperators();
std::span<const Operator> miscOperators();
std::span<const Operator> mlOperators();
std::span<const Operator> normOperators();
std::span<const Operator> poolOperators();
std::span<const Operator> quantOperators();
std::span<const Operator> randomOperators();
std::span<const Operator> reduceOperators();
std::span<const Operator> regexOperators();
std::span<const Operator> regionOperators();
std::span<const Operator> resizeOperators();
std::span<const Operator> rnnOperators();
std::span<const Operator> scanOperators();
std::span<const Operator> sequenceOperators();
std::span<const Operator> shapeOperators();
std::span<const Operator> signalOperators();
std::span<const Operator> selectOperators();
std::span<const Operator> sliceOperators();
std::span<const Operator> softmaxOperators();
std::span<const Operator> textOperators();
std::span<const Operator> trainingOperators();
std::span<const Operator> unaryOperators();
std::span<const Operator> variadicOperators();

}  // namespace hs::ref
