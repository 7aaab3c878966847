// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <numeric>

#include "executors/onednn/op_table.h"
#include "executors/onednn/window.h"

namespace hs::dnn {
namespace {

Support supportsConvolution(const Asked& asked) {
    const Shape& x = asked.in(0).shape;
    if (!asked.hasInput(1)) return asked.noShape("there are no weights");
    const Shape& w = asked.in(1).shape;
    if (x.rank() < 3 || x.rank() > 5) return asked.noShape("only one to three spatial axes");
    if (w.rank() != x.rank()) return asked.noShape("weights of another rank than the input");
    return Support::yes();
}

MemoryDims joined(std::initializer_list<dnnl::memory::dim> front, const MemoryDims& tail) {
    MemoryDims out(front);
    out.insert(out.end(), tail.begin(), tail.end());
    return out;
}

/// Descriptor of ONNX weights for oneDNN: [G, out/G, in/G, k…] (without G when there is one group).
struct WeightsDesc {
    MemoryDims dims;
    Desc plainDesc;
};

WeightsDesc forwardWeights(const Dims& w, dnnl::memory::dim groups) {
    const MemoryDims kernel = spatialOf(w);
    WeightsDesc out;
    out.dims = groups == 1 ? w : joined({groups, w[0] / groups, w[1]}, kernel);
    out.plainDesc = plain(out.dims);
    return out;
}

/// ONNX keeps transposed weights as [in, out/G, k…]: the same memory with in and out exchanged.
WeightsDesc transposedWeights(const Dims& w, dnnl::memory::dim groups) {
    const MemoryDims kernel = spatialOf(w);
    const auto kernelSize = std::accumulate(kernel.begin(), kernel.end(), dnnl::memory::dim{1}, std::multiplies<>());
    const auto in = w[0] / groups;
    const auto out = w[1];
    MemoryDims tailStrides(kernel.size(), 1);
    for (std::size_t i = kernel.size(); i-- > 1;)
        tailStrides[i - 1] = tailStrides[i] * kernel[i];
    WeightsDesc result;
    MemoryDims strides = joined({kernelSize, out * kernelSize}, tailStrides);
    result.dims = joined({out, in}, kernel);
    if (groups != 1) {
        result.dims.insert(result.dims.begin(), groups);
        strides.insert(strides.begin(), in * out * kernelSize);
    }
    result.plainDesc = strided(result.dims, strides);
    return result;
}

/// oneDNN's own (blocked) layouts cost a pass over input and output each. On plain ones it multiplies matrices after
/// spreading the windows out, which a dense pointwise convolution does not need: measured on resnet50's layers that one is
/// as fast plain, while wider windows, strides and above all depthwise kernels gain more than the passes cost.
bool wantsOwnLayout(const Dims& w, dnnl::memory::dim groups, const Window& window) {
    const auto all = [](const MemoryDims& values, dnnl::memory::dim wanted) {
        return std::all_of(values.begin(), values.end(), [&](auto value) { return value == wanted; });
    };
    const bool pointwise = groups == 1 && all(spatialOf(w), 1) && all(window.strides, 1) && all(window.padBegin, 0) && all(window.padEnd, 0);
    return !pointwise;
}

using Make = Primitive (*)(const dnnl::engine&, const Desc&, const Desc&, const Desc&, const Desc&, const Window&, const dnnl::primitive_attr&);

Result<std::unique_ptr<Program>> build(const Build& b, const char* what, Make make, const WeightsDesc& w, const Window& window, bool ownLayout) {
    auto program = b.program(what);
    const Desc x = plain(b.inDims(0));
    const Desc y = plain(b.outDims(0));
    const bool known = b.constant(1) != nullptr;
    const Desc bias = b.hasInput(2) ? plain(b.inDims(2)) : Desc();
    const Desc wantedX = ownLayout ? anyLayout(b.inDims(0)) : x;
    const Desc wantedY = ownLayout ? anyLayout(b.outDims(0)) : y;
    const Primitive primitive =
        make(program->engine(), wantedX, known || ownLayout ? anyLayout(w.dims) : w.plainDesc, bias, wantedY, window, Program::attributes());

    std::vector<std::pair<int, Slot>> args;
    args.emplace_back(DNNL_ARG_SRC, program->inLayout(program->input(0, x), primitive.src_desc(0)));
    args.emplace_back(DNNL_ARG_WEIGHTS, b.weights(*program, 1, w.plainDesc, primitive.weights_desc(0)));
    if (b.hasInput(2)) args.emplace_back(DNNL_ARG_BIAS, program->input(2, bias));
    const Slot result = b.result(*program, y);
    const bool direct = primitive.dst_desc(0) == y;
    const Slot inner = direct ? result : program->temp(primitive.dst_desc(0));
    args.emplace_back(DNNL_ARG_DST, inner);
    program->add(primitive, args, true);
    if (!direct) program->add(reorder(program->engine(), inner.desc, y, Program::attributes()), {{DNNL_ARG_FROM, inner}, {DNNL_ARG_TO, result}});
    return program;
}

Result<std::unique_ptr<Program>> buildConvolution(const Build& b) {
    const auto groups = b.node().intOr("group", 1);
    const WindowAttributes attributes = windowAttributes(b.node(), spatialOf(b.inDims(1)));
    if (groups < 1 || b.inDims(1)[0] % groups != 0) return b.unsupported("the output channels do not divide into the groups");
    const Window window = forwardWindow(attributes, spatialOf(b.inDims(0)));
    return build(b, "convolution", convolution, forwardWeights(b.inDims(1), groups), window, wantsOwnLayout(b.inDims(1), groups, window));
}

Result<std::unique_ptr<Program>> buildTransposed(const Build& b) {
    const auto groups = b.node().intOr("group", 1);
    const WindowAttributes attributes = windowAttributes(b.node(), spatialOf(b.inDims(1)));
    if (groups < 1 || b.inDims(1)[0] % groups != 0) return b.unsupported("the input channels do not divide into the groups");
    const bool shapeGiven = b.node().find("output_shape") != nullptr;
    const Window window = transposedWindow(attributes, spatialOf(b.inDims(0)), spatialOf(b.outDims(0)), shapeGiven);
    return build(b, "deconvolution", deconvolution, transposedWeights(b.inDims(1), groups), window, true);
}

constexpr std::array kOps = {
    OpEntry{"Conv", supportsConvolution, buildConvolution},
    OpEntry{"ConvTranspose", supportsConvolution, buildTransposed},
};

}  // namespace

std::span<const OpEntry> convolutionOps() {
    return kOps;
}

}  // namespace hs::dnn
