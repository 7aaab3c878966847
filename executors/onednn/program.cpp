// SPDX-License-Identifier: Apache-2.0
#include "executors/onednn/program.h"

#include <algorithm>
#include <cstring>
#include <omp.h>

namespace hs::dnn {
namespace {

constexpr std::size_t kAlignment = 64;

std::size_t aligned(std::size_t bytes) {
    return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

}  // namespace

const dnnl::engine& cpuEngine() {
    static const dnnl::engine kEngine(dnnl::engine::kind::cpu, 0);
    return kEngine;
}

void useThreads(int threads) {
    if (omp_get_max_threads() != threads) omp_set_num_threads(threads);
}

Error errorOf(const dnnl::error& error, const std::string& node) {
    ErrorCode code = ErrorCode::Internal;
    if (error.status == dnnl_unimplemented || error.status == dnnl_invalid_arguments) code = ErrorCode::Unsupported;
    if (error.status == dnnl_out_of_memory) code = ErrorCode::OutOfMemory;
    return {code, fmt::format("oneDNN: {}", error.what()), node};
}

Desc plain(const MemoryDims& dims, dnnl::memory::data_type type) {
    const MemoryDims sizes = dims.empty() ? MemoryDims{1} : dims;
    MemoryDims strides(sizes.size(), 1);
    for (std::size_t i = sizes.size() - 1; i > 0; --i)
        strides[i - 1] = strides[i] * std::max<dnnl::memory::dim>(1, sizes[i]);
    return {sizes, type, strides};
}

Desc strided(const MemoryDims& dims, const MemoryDims& strides) {
    return {dims, dnnl::memory::data_type::f32, strides};
}

Desc anyLayout(const MemoryDims& dims) {
    return {dims, dnnl::memory::data_type::f32, dnnl::memory::format_tag::any};
}

Program::Program(std::string node, std::string what, int threads)
    : m_node(std::move(node)), m_name("onednn:" + std::move(what)), m_threads(std::max(1, threads)), m_engine(cpuEngine()), m_stream(m_engine) {}

dnnl::primitive_attr Program::attributes() {
    dnnl::primitive_attr attr;
    attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    return attr;
}

Slot Program::output(std::size_t i, DType type, Dims dims, const Desc& desc) {
    const auto known = std::any_of(m_outputs.begin(), m_outputs.end(), [&](const OutputInfo& info) { return info.index == i; });
    if (!known) m_outputs.push_back({i, type, std::move(dims)});
    return {Slot::Kind::Output, i, desc};
}

Slot Program::temp(const Desc& desc) {
    m_tempOffsets.push_back(m_tempBytes);
    m_tempBytes += aligned(desc.get_size());
    return {Slot::Kind::Temp, m_tempOffsets.size() - 1, desc};
}

Slot Program::constant(const Desc& desc, const void* data) {
    dnnl::memory memory(desc, m_engine);
    std::memcpy(memory.get_data_handle(), data, desc.get_size());
    m_constants.push_back(std::move(memory));
    return {Slot::Kind::Constant, m_constants.size() - 1, desc};
}

Slot Program::zeros(const Desc& desc) {
    const std::vector<char> bytes(desc.get_size(), 0);
    return constant(desc, bytes.data());
}

dnnl_memory_t Program::operandFor(const Slot& slot) {
    if (slot.kind == Slot::Kind::Constant) return m_constants[slot.index].get();
    const std::size_t offset = slot.kind == Slot::Kind::Temp ? m_tempOffsets[slot.index] : 0;
    for (const Operand& operand : m_operands)
        if (operand.kind == slot.kind && operand.index == slot.index && operand.memory.get_desc() == slot.desc) return operand.memory.get();
    m_operands.push_back({slot.kind, slot.index, offset, dnnl::memory(slot.desc, m_engine, nullptr), nullptr});
    return m_operands.back().memory.get();
}

void Program::add(const Primitive& primitive, const std::vector<std::pair<int, Slot>>& args, bool main) {
    Operation operation;
    operation.primitive = dnnl::primitive(primitive.get());
    for (const auto& [arg, slot] : args)
        operation.args.push_back({arg, operandFor(slot)});
    if (const Desc scratchpad = primitive.scratchpad_desc(); scratchpad.get_size() > 0) {
        m_scratchpads.emplace_back(scratchpad, m_engine, nullptr);
        m_scratchpadBytes = std::max(m_scratchpadBytes, aligned(scratchpad.get_size()));
        operation.args.push_back({DNNL_ARG_SCRATCHPAD, m_scratchpads.back().get()});
    }
    m_operations.push_back(std::move(operation));
    if (!m_named || main) {
        const auto end = m_named ? m_name.rfind('/') : std::string::npos;
        m_name = m_name.substr(0, end) + "/" + primitive.impl_info_str();
        m_named = true;
    }
}

void Program::addLoop(std::string_view name, const Loop& loop, const Slot& from, const Slot& to, std::size_t count) {
    Operation operation;
    operation.args = {{DNNL_ARG_FROM, operandFor(from)}, {DNNL_ARG_TO, operandFor(to)}};
    operation.loop = loop;
    operation.count = count;
    m_operations.push_back(std::move(operation));
    if (!std::exchange(m_named, true)) m_name += "/loop:" + std::string(name);
}

Slot Program::inLayout(const Slot& from, const Desc& wanted) {
    if (from.desc == wanted) return from;
    Slot to = temp(wanted);
    const bool named = std::exchange(m_named, true);  // a reorder at the border is not what the step is named for
    add(reorder(m_engine, from.desc, wanted, attributes()), {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}});
    m_named = named;
    return to;
}

Slot Program::packed(const Desc& desc, const void* data, const Desc& wanted) {
    dnnl::memory from(desc, m_engine, const_cast<void*>(data));  // only read
    dnnl::memory to(wanted, m_engine);
    dnnl::reorder(from, to).execute(m_stream, from, to);
    m_stream.wait();
    m_constants.push_back(std::move(to));
    return {Slot::Kind::Constant, m_constants.size() - 1, wanted};
}

std::size_t Program::packedBytes() const {
    std::size_t bytes = 0;
    for (const dnnl::memory& memory : m_constants)
        bytes += memory.get_desc().get_size();
    return bytes;
}

void Program::bindScratch(void* scratch) {
    if (scratch == m_boundScratch) return;
    m_boundScratch = scratch;
    auto* bytes = static_cast<std::byte*>(scratch);
    for (Operand& operand : m_operands)
        if (operand.kind == Slot::Kind::Temp) operand.bind(bytes + operand.offset);
    for (dnnl::memory& scratchpad : m_scratchpads)
        scratchpad.set_data_handle(bytes + m_tempBytes);
}

Status Program::bind(KernelContext& context) {
    if (scratchBytes() > 0) {
        void* scratch = context.scratch();
        if (scratch == nullptr) {
            if (!m_ownScratch.valid()) {
                HS_TRY(m_ownScratch, Tensor::allocate(DType::U8, {static_cast<std::int64_t>(scratchBytes())}));
            }
            scratch = m_ownScratch.raw();
        }
        bindScratch(scratch);
    }
    for (const OutputInfo& info : m_outputs) {
        HS_TRY(Tensor * tensor, context.output(info.index, info.type, info.dims));
        for (Operand& operand : m_operands)
            if (operand.kind == Slot::Kind::Output && operand.index == info.index) operand.bind(tensor->raw());
    }
    for (Operand& operand : m_operands)  // primitives take inputs through a pointer to non-const and do not write there
        if (operand.kind == Slot::Kind::Input) operand.bind(const_cast<void*>(context.input(operand.index).raw()));
    return {};
}

void Program::execute(const Operation& operation) const {
    if (operation.loop.f != nullptr) {
        const auto dataOf = [](const dnnl_exec_arg_t& arg) {
            void* data = nullptr;
            dnnl::error::wrap_c_api(dnnl_memory_get_data_handle(arg.memory, &data), "no address of a memory");
            return static_cast<float*>(data);
        };
        return runLoop(operation.loop, dataOf(operation.args[0]), dataOf(operation.args[1]), operation.count, m_threads);
    }
    // the C call, because the C++ one builds a map and a vector each time
    dnnl::error::wrap_c_api(dnnl_primitive_execute(operation.primitive.get(), m_stream.get(), static_cast<int>(operation.args.size()), operation.args.data()),
                            "a primitive failed to run");
}

Status Program::run(KernelContext& context) {
    try {
        useThreads(m_threads);  // the layouts and scratchpads were made for this number
        HS_CHECK(bind(context));
        for (const Operation& operation : m_operations)
            execute(operation);
        m_stream.wait();
        return {};
    } catch (const dnnl::error& e) {
        Error error = errorOf(e, m_node);
        if (error.code == ErrorCode::Unsupported) error.code = ErrorCode::DeviceFailed;
        return tl::unexpected<Error>(std::move(error));
    } catch (const std::exception& e) {
        return fail(ErrorCode::DeviceFailed, m_node, "oneDNN kernel failed: {}", e.what());
    }
}

}  // namespace hs::dnn
