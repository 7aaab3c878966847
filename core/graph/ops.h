// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

#include "core/graph/op_registry.h"

/// Private to core/graph: helpers of the shape functions, and the registration function of each operator family.
namespace hs::ops {

using InferFn = Status (*)(InferContext&);
using FlopsFn = double (*)(const Model&, const Node&, const TypeTable&);

/// Least and most inputs and outputs, over every version of the operator; -1: any number.
struct Arity {
    int minIn;
    int maxIn;
    int minOut = 1;
    int maxOut = 1;
};

inline constexpr int kMany = -1;

void define(OpRegistry& registry, std::string_view name, Arity arity, InferFn infer, FlopsFn flops = nullptr, std::string_view domain = "");
/// The same for operators that take sequences or optionals.
void defineAnyKind(OpRegistry& registry, std::string_view name, Arity arity, InferFn infer, FlopsFn flops, std::string_view domain = "");

double noFlops(const Model&, const Node&, const TypeTable&);  ///< Data movement.

/// A BadInput that names the node and its operator.
template <class... Args>
tl::unexpected<Error> bad(const InferContext& c, fmt::format_string<Args...> format, Args&&... args) {
    return tl::unexpected<Error>(Error{ErrorCode::BadInput, c.node().opType + ": " + fmt::format(format, std::forward<Args>(args)...), c.node().name});
}

// Facts about inputs.
inline const Shape& shapeOf(const InferContext& c, std::size_t i) {
    return c.inputType(i).shape;
}
inline DType dtypeOf(const InferContext& c, std::size_t i) {
    return c.inputType(i).dtype;
}
/// "A" of rank `rank` when its rank is known.
Status wantRank(const InferContext& c, std::size_t i, std::size_t rank);
Status wantMinRank(const InferContext& c, std::size_t i, std::size_t rank);
/// The listed inputs have one element type as far as known; absent inputs do not count.
Status wantSameDType(const InferContext& c, std::initializer_list<std::size_t> inputs);
Status wantFloat(const InferContext& c, std::size_t i);
/// -rank … rank-1 to 0 … rank-1.
Result<std::size_t> axisOf(const InferContext& c, std::int64_t axis, std::size_t rank);
Result<std::vector<std::size_t>> axesOf(const InferContext& c, const std::vector<std::int64_t>& axes, std::size_t rank);

// Facts about sizes.
Result<Dim> broadcastDim(const InferContext& c, const Dim& a, const Dim& b);
/// Numpy broadcasting; unknown rank when one is unknown.
Result<Shape> broadcast(const InferContext& c, const Shape& a, const Shape& b);
/// Can `from` be broadcast to `to` without growing it?
Status wantBroadcastsTo(const InferContext& c, const Shape& from, const Shape& to);
/// Two sizes that must be equal: the better known one.
Result<Dim> sameDim(const InferContext& c, std::string_view what, const Dim& a, const Dim& b);
Dim productOf(const Shape& shape, std::size_t from, std::size_t to);
/// An unknown shape of this rank.
Shape unknownOfRank(std::size_t rank);
/// What both shapes agree on; the rest is unknown.
Shape generalise(const Shape& a, const Shape& b);
Shape withDim(const Shape& shape, std::size_t axis, Dim dim);

/// Ints of an attribute, or else of an input; nullopt when neither is known. `given`: was there any at all?
struct AxesSource {
    bool given = false;
    std::optional<std::vector<std::int64_t>> values;
};
AxesSource intsFrom(const InferContext& c, std::string_view attribute, std::size_t input);

// Frequent shape functions.
Status inferSame(InferContext& c);             ///< Output 0 is like input 0.
Status inferSameFloat(InferContext& c);        ///< The same, floats only.
Status inferUnknownTensor(InferContext& c);    ///< Element type of input 0, unknown shape.
Status inferBroadcastBinary(InferContext& c);  ///< Two inputs of one type.

// Shapes that more than one family needs.
/// Numpy matmul: 1-D operands gain an axis that is dropped again; leading axes broadcast.
Result<Shape> matMulShape(const InferContext& c, const Shape& a, const Shape& b);
/// Convolution of [batch, channels, spatial…] with weights [filters, channels/group, kernel…] by the node's window attributes.
Result<Shape> convolvedShape(const InferContext& c, const Shape& in, const Shape& weight);
/// Pooling of [batch, channels, spatial…] by the node's window attributes.
Result<Shape> pooledShape(const InferContext& c, const Shape& in);

// Small-data propagation, after the types of a node are known.
void propagate(InferContext& c);

// Families.
void registerElementwise(OpRegistry& registry);
void registerConvolution(OpRegistry& registry);
void registerNormalization(OpRegistry& registry);
void registerMatrix(OpRegistry& registry);
void registerReduction(OpRegistry& registry);
void registerLayout(OpRegistry& registry);
void registerIndexing(OpRegistry& registry);
void registerResize(OpRegistry& registry);
void registerCreation(OpRegistry& registry);
void registerRecurrent(OpRegistry& registry);
void registerAttention(OpRegistry& registry);
void registerQuantization(OpRegistry& registry);
void registerDetection(OpRegistry& registry);
void registerSignal(OpRegistry& registry);
void registerControlFlow(OpRegistry& registry);
void registerSequence(OpRegistry& registry);
void registerText(OpRegistry& registry);
void registerTraining(OpRegistry& registry);
void registerMl(OpRegistry& registry);
// Operators of com.microsoft. They come last: some are twins of operators of ai.onnx.
void registerContrib(OpRegistry& registry);
void registerContribAttention(OpRegistry& registry);
void registerContribQuantization(OpRegistry& registry);

}  // namespace hs::ops
