// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "executors/reference/call.h"
#include "executors/reference/type_set.h"

namespace hs::ref {

/// An operator of ai.onnx: what it is called, which types it takes, and the function that computes it.
struct Operator {
    std::string_view name;
    Status (*run)(Call&);
    TypeSet types = kAny;       ///< Types allowed for the type input.
    Widen widen = Widen::None;  ///< What `run` sees of narrow types.
    std::size_t typeInput = 0;  ///< The input that decides the operator's type T.
    int since = 1;              ///< First opset …
    int until = 1 << 20;        ///< … and last one of this meaning.
};

/// The operator in force at an opset, or null.
const Operator* findOperator(std::string_view name, int opset);
/// True when some opset has the operator.
bool knowsOperator(std::string_view name);

// One list per family of operators.
std::span<const Operator> attentionOperators();
std::span<const Operator> binaryOperators();
std::span<const Operator> castOperators();
std::span<const Operator> convOperators();
std::span<const Operator> einsumOperators();
std::span<const Operator> gatherOperators();
std::span<const Operator> imageOperators();
std::span<const Operator> linearAttentionOperators();
std::span<const Operator> logicOperators();
std::span<const Operator> lossOperators();
std::span<const Operator> matmulOperators();
std::span<const Operator> miscOperators();
std::span<const Operator> normOperators();
std::span<const Operator> poolOperators();
std::span<const Operator> quantOperators();
std::span<const Operator> reduceOperators();
std::span<const Operator> regionOperators();
std::span<const Operator> resizeOperators();
std::span<const Operator> rnnOperators();
std::span<const Operator> scanOperators();
std::span<const Operator> shapeOperators();
std::span<const Operator> signalOperators();
std::span<const Operator> selectOperators();
std::span<const Operator> sliceOperators();
std::span<const Operator> softmaxOperators();
std::span<const Operator> textOperators();
std::span<const Operator> unaryOperators();
std::span<const Operator> variadicOperators();

}  // namespace hs::ref
