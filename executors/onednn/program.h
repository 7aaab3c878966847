// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/contract/executor.h"
#include "executors/onednn/dnnl_adapter.h"
#include "executors/onednn/loops.h"

namespace hs::dnn {

/// Where a primitive finds one of its operands.
struct Slot {
    enum class Kind : std::uint8_t { Input, Output, Temp, Constant };
    Kind kind = Kind::Temp;
    std::size_t index = 0;
    Desc desc;
};

/// A short list of primitives that together compute one step, with the memory between them. Built once at compile time,
/// run many times. Temporaries and the primitives' scratchpads live in the scratch memory that the runner lends.
class Program : public Kernel {
public:
    /// `node` names the step in errors, `what` is shown in name() ("convolution").
    Program(std::string node, std::string what, int threads);

    const dnnl::engine& engine() const { return m_engine; }
    int threads() const { return m_threads; }

    /// Plain row-major float32 view of input/output i. The sizes may regroup the tensor's own.
    Slot input(std::size_t i, const Desc& desc) const { return {Slot::Kind::Input, i, desc}; }
    /// `dims` are the tensor's own sizes, `desc` how the primitive sees it.
    Slot output(std::size_t i, DType type, Dims dims, const Desc& desc);
    /// Scratch memory between two primitives.
    Slot temp(const Desc& desc);
    /// Memory that the program owns, filled now.
    Slot constant(const Desc& desc, const void* data);
    Slot zeros(const Desc& desc);

    /// Appends a primitive; `args` maps DNNL_ARG_* to slots. The first one (or one added with `main`) gives the name's tail.
    void add(const Primitive& primitive, const std::vector<std::pair<int, Slot>>& args, bool main = false);
    /// Appends a pass of our own over the first `count` floats of two dense slots, for what oneDNN has no exact primitive for.
    void addLoop(std::string_view name, const Loop& loop, const Slot& from, const Slot& to, std::size_t count);
    /// `from` in the layout `wanted`: itself when it has it already, a reordered copy made at each run otherwise.
    Slot inLayout(const Slot& from, const Desc& wanted);
    /// `data` in the layout `wanted`, reordered once, now.
    Slot packed(const Desc& desc, const void* data, const Desc& wanted);

    /// Attributes that every primitive here shares: scratchpad memory comes from the caller.
    static dnnl::primitive_attr attributes();

    std::string name() const override { return m_name; }
    std::size_t scratchBytes() const override { return m_tempBytes + m_scratchpadBytes; }
    std::size_t packedBytes() const override;
    Status run(KernelContext& context) override;

private:
    struct OutputInfo {
        std::size_t index;
        DType type;
        Dims dims;
    };
    struct Operand {
        Slot::Kind kind;
        std::size_t index;   ///< Input or output number.
        std::size_t offset;  ///< Into scratch, for temporaries.
        dnnl::memory memory;
        void* bound = nullptr;
        /// oneDNN takes 0.1 us to set a handle, and mostly it is the same as in the run before.
        void bind(void* data) {
            if (data == bound) return;
            memory.set_data_handle(data);
            bound = data;
        }
    };
    struct Operation {
        dnnl::primitive primitive;
        std::vector<dnnl_exec_arg_t> args;
        Loop loop;  ///< Set: runs instead of a primitive, on the memory of the two args.
        std::size_t count = 0;
    };

    dnnl_memory_t operandFor(const Slot& slot);
    Status bind(KernelContext& context);
    void bindScratch(void* scratch);
    void execute(const Operation& operation) const;

    std::string m_node;
    std::string m_name;
    bool m_named = false;
    int m_threads;
    dnnl::engine m_engine;
    dnnl::stream m_stream;
    std::vector<OutputInfo> m_outputs;
    std::vector<dnnl::memory> m_constants;
    std::vector<std::size_t> m_tempOffsets;
    std::size_t m_tempBytes = 0;
    std::size_t m_scratchpadBytes = 0;
    std::vector<Operand> m_operands;
    std::vector<dnnl::memory> m_scratchpads;
    std::vector<Operation> m_operations;
    void* m_boundScratch = nullptr;
    Tensor m_ownScratch;  ///< Only when the caller lends none.
};

/// The engine that all kernels share.
const dnnl::engine& cpuEngine();

/// Limits the calling thread's next oneDNN calls (creation and execution) to this many threads.
void useThreads(int threads);

/// The message and kind of a dnnl::error for the node that it came from.
Error errorOf(const dnnl::error& error, const std::string& node);

/// Row-major float32 descriptor; no dimensions become {1}.
Desc plain(const MemoryDims& dims, dnnl::memory::data_type type = dnnl::memory::data_type::f32);
/// Float32 with strides given in elements.
Desc strided(const MemoryDims& dims, const MemoryDims& strides);
/// Float32 in whatever layout the primitive likes best.
Desc anyLayout(const MemoryDims& dims);

}  // namespace hs::dnn
