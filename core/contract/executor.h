// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/reason.h"
#include "core/base/result.h"
#include "core/graph/model.h"
#include "core/graph/op_registry.h"

namespace hs {

/// Version of the interfaces in core/contract. A plugin built for another one is not loaded.
inline constexpr int kAbiVersion = 1;

/// A question about one node: could you run this?
struct NodeQuery {
    const Model* model = nullptr;
    const Node* node = nullptr;
    const TypeTable* types = nullptr;  ///< Symbolic or concrete, as far as known when the question is asked.
};

/// The answer. No "unsupported" without a reason.
struct Support {
    bool supported = false;
    Reason reason;  ///< Why not.
    static Support yes() { return {true, {}}; }
    static Support no(std::string code, std::vector<std::string> args) { return {false, {std::move(code), std::move(args)}}; }
};

/// An input or output of a step at compile time.
struct Argument {
    ValueId value;                     ///< Invalid: an absent optional one.
    ValueType type;                    ///< May have unknown dimensions when the executor accepts dynamic shapes.
    const Tensor* constant = nullptr;  ///< Set when the value is known now (weights): may be prepacked.
};

/// What to compile: one step, made of one node or of a fused group in topological order.
struct CompileRequest {
    const Model* model = nullptr;
    std::span<const NodeId> nodes;
    std::span<const Argument> inputs;   ///< For a single node: one per node input, absent ones invalid.
    std::span<const Argument> outputs;  ///< For a single node: one per node output.
    int threads = 1;
};

/// What a kernel sees while it runs. Lives as long as the call.
class KernelContext {
public:
    KernelContext(std::span<const Tensor* const> inputs, std::span<Tensor> outputs, void* scratch, int threads, std::uint64_t seed)
        : m_inputs(inputs), m_outputs(outputs), m_scratch(scratch), m_threads(threads), m_seed(seed) {}

    std::size_t inputCount() const { return m_inputs.size(); }
    std::size_t outputCount() const { return m_outputs.size(); }
    bool hasInput(std::size_t i) const { return i < m_inputs.size() && m_inputs[i] != nullptr; }
    const Tensor& input(std::size_t i) const { return *m_inputs[i]; }
    /// The i-th output with this type and shape: planned memory when the plan knew the shape, newly allocated otherwise.
    Result<Tensor*> output(std::size_t i, DType type, const Dims& dims);
    /// The i-th output as the plan laid it out; only for kernels compiled with static output shapes.
    Tensor& planned(std::size_t i) { return m_outputs[i]; }
    /// Makes output i share the data of `tensor` (reshape, identity). Valid until the inputs' owner releases them.
    void setOutput(std::size_t i, Tensor tensor) { m_outputs[i] = std::move(tensor); }
    bool wants(std::size_t i) const { return i < m_outputs.size(); }

    void* scratch() const { return m_scratch; }
    int threads() const { return m_threads; }
    std::uint64_t seed() const { return m_seed; }  ///< For operators with random output.

private:
    std::span<const Tensor* const> m_inputs;
    std::span<Tensor> m_outputs;
    void* m_scratch;
    int m_threads;
    std::uint64_t m_seed;
};

/// A compiled step. Called by one thread at a time; keeps no state between calls other than caches.
class Kernel {
public:
    virtual ~Kernel() = default;
    /// For people: "onednn:convolution/brgconv:avx512_core", "reference:Conv".
    virtual std::string name() const = 0;
    virtual std::size_t scratchBytes() const { return 0; }
    /// Bytes of weights that it packed into its own memory.
    virtual std::size_t packedBytes() const { return 0; }
    virtual Status run(KernelContext& context) = 0;
};

/// Knows the kernels of one kind of device. Thread-safe.
class Executor {
public:
    virtual ~Executor() = default;
    virtual std::string_view id() const = 0;          ///< "onednn", "reference"
    virtual std::string_view deviceKind() const = 0;  ///< DeviceInfo::kind that it runs on.
    /// True when it can compile steps whose shapes are not all known (allocates outputs itself).
    virtual bool acceptsDynamicShapes() const { return false; }
    virtual Support supports(const NodeQuery& query) const = 0;
    virtual Result<std::unique_ptr<Kernel>> compile(const CompileRequest& request) const = 0;
};

}  // namespace hs
