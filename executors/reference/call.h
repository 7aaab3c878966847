// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/contract/executor.h"

namespace hs::ref {

/// How narrow element types reach an operator: as they are, or widened first so that few types need code.
enum class Widen : std::uint8_t {
    None,     ///< As they are.
    Floats,   ///< float16 and bfloat16 are computed in float32 and rounded once.
    Numbers,  ///< Also: integers of up to 32 bits are computed in int64 and wrapped.
    Packed,   ///< Sub-byte types are unpacked, one raw element per byte (data movement).
};

/// One call of one operator: the node, its inputs (widened as the operator asked) and its outputs.
class Call {
public:
    Call(const Node& node, KernelContext& context) : m_node(node), m_context(context) {}

    /// Widens the inputs of the type of input `typeInput`, and every half-precision one.
    Status begin(Widen mode, std::size_t typeInput);
    /// Narrows the outputs that outT() made.
    Status finish();

    const Node& node() const { return m_node; }
    int opset() const { return m_node.opset; }
    std::uint64_t seed() const { return m_context.seed(); }
    std::size_t inputCount() const { return m_inputs.size(); }
    std::size_t outputCount() const { return m_node.outputs.size(); }
    bool has(std::size_t i) const { return i < m_inputs.size() && m_inputs[i] != nullptr; }
    const Tensor& in(std::size_t i) const { return *m_inputs[i]; }
    const Dims& dims(std::size_t i) const { return m_inputs[i]->dims(); }
    bool wants(std::size_t i) const { return i < m_node.outputs.size() && m_node.outputs[i].valid() && m_context.wants(i); }
    /// The type of the type input as the model has it, before widening.
    DType declared() const { return m_narrow; }
    /// The type that an input has in the model, before widening.
    DType declared(std::size_t i) const { return m_context.input(i).dtype(); }

    /// Output i of exactly this type.
    Result<Tensor*> out(std::size_t i, DType type, const Dims& dims);
    /// Output i of the operator's own type; while the call lasts it has the widened type.
    Result<Tensor*> outT(std::size_t i, const Dims& dims);

    /// Output i is this value itself: a sequence, an optional, or a tensor that owns its memory.
    Status share(std::size_t i, Tensor value);
    /// An input that may become an item of a sequence: itself, or a copy where its memory will be reused.
    Result<Tensor> kept(const Tensor& value) const;

    /// BadInput unless inputs 0 … count-1 are there.
    Status need(std::size_t count) const;
    /// The values of an integer input.
    Result<std::vector<std::int64_t>> ints(std::size_t i) const;
    /// An axis in [-rank, rank) as one in [0, rank).
    Result<std::size_t> axis(std::int64_t axis, std::size_t rank) const;
    /// Axes from an attribute or, where the opset moved it there, from input i. Empty when neither is given.
    Result<std::vector<std::int64_t>> axesFrom(std::size_t i) const;
    /// Many axes, normalised, each once, sorted.
    Result<std::vector<std::size_t>> axes(const std::vector<std::int64_t>& axes, std::size_t rank) const;
    /// A number from a scalar float or integer input.
    Result<double> number(std::size_t i) const;

    template <class... Args>
    tl::unexpected<Error> bad(fmt::format_string<Args...> format, Args&&... args) const {
        return tl::unexpected<Error>(Error{ErrorCode::BadInput, m_node.opType + ": " + fmt::format(format, std::forward<Args>(args)...), m_node.name});
    }
    template <class... Args>
    tl::unexpected<Error> unsupported(fmt::format_string<Args...> format, Args&&... args) const {
        return tl::unexpected<Error>(Error{ErrorCode::Unsupported, m_node.opType + ": " + fmt::format(format, std::forward<Args>(args)...), m_node.name});
    }
    /// Unsupported: the operator has no code for this element type.
    tl::unexpected<Error> noType(DType type) const { return unsupported("element type {} is not supported", dtypeName(type)); }

private:
    struct Narrowed {
        std::size_t output;
        Tensor wide;
    };

    const Node& m_node;
    KernelContext& m_context;
    std::vector<const Tensor*> m_inputs;
    std::vector<Tensor> m_widened;
    std::vector<Narrowed> m_narrowed;
    DType m_narrow = DType::Undefined;
    DType m_wide = DType::Undefined;
};

}  // namespace hs::ref
