// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <oneapi/dnnl/dnnl.hpp>
#include <vector>

namespace hs::dnn {

using Desc = dnnl::memory::desc;
using MemoryDims = dnnl::memory::dims;
using Primitive = dnnl::primitive_desc_base;  ///< What to create and what it expects; common to both major versions.

/// One spelling for what oneDNN 2 and 3 spell differently; adapter/adapter_v2.cpp and adapter_v3.cpp implement it, and the
/// build picks one by the header's major version. Everything is for inference. All functions throw dnnl::error.

struct Window {
    MemoryDims strides, dilations, padBegin, padEnd;  ///< Per spatial axis; dilation 0 is dense.
};

/// `bias` may be an empty Desc.
Primitive convolution(const dnnl::engine& engine, const Desc& src, const Desc& weights, const Desc& bias, const Desc& dst, const Window& window,
                      const dnnl::primitive_attr& attr);
Primitive deconvolution(const dnnl::engine& engine, const Desc& src, const Desc& weights, const Desc& bias, const Desc& dst, const Window& window,
                        const dnnl::primitive_attr& attr);
Primitive matmul(const dnnl::engine& engine, const Desc& src, const Desc& weights, const Desc& bias, const Desc& dst, const dnnl::primitive_attr& attr);
Primitive pooling(const dnnl::engine& engine, dnnl::algorithm algorithm, const Desc& src, const Desc& dst, const MemoryDims& kernel, const Window& window,
                  const dnnl::primitive_attr& attr);

/// Source and destination share the layout. Flags from use_global_stats, use_scale, use_shift.
Primitive batchNormalization(const dnnl::engine& engine, const Desc& data, float epsilon, dnnl::normalization_flags flags, const dnnl::primitive_attr& attr);
Primitive layerNormalization(const dnnl::engine& engine, const Desc& data, float epsilon, dnnl::normalization_flags flags, const dnnl::primitive_attr& attr);
Primitive softmax(const dnnl::engine& engine, bool logarithm, const Desc& data, int axis, const dnnl::primitive_attr& attr);
Primitive eltwise(const dnnl::engine& engine, dnnl::algorithm algorithm, const Desc& data, float alpha, float beta, const dnnl::primitive_attr& attr);
/// x · max(0, min(1, x/6 + 1/2))
Primitive hardSwish(const dnnl::engine& engine, const Desc& data, const dnnl::primitive_attr& attr);
Primitive prelu(const dnnl::engine& engine, const Desc& data, const Desc& slope, const dnnl::primitive_attr& attr);
Primitive lrn(const dnnl::engine& engine, const Desc& data, dnnl::memory::dim size, float alpha, float beta, float k, const dnnl::primitive_attr& attr);
Primitive binary(const dnnl::engine& engine, dnnl::algorithm algorithm, const Desc& a, const Desc& b, const Desc& dst, const dnnl::primitive_attr& attr);
Primitive reduction(const dnnl::engine& engine, dnnl::algorithm algorithm, const Desc& src, const Desc& dst, float p, const dnnl::primitive_attr& attr);
Primitive resampling(const dnnl::engine& engine, dnnl::algorithm algorithm, const Desc& src, const Desc& dst, const dnnl::primitive_attr& attr);
Primitive concat(const dnnl::engine& engine, const Desc& dst, int axis, const std::vector<Desc>& sources, const dnnl::primitive_attr& attr);
Primitive reorder(const dnnl::engine& engine, const Desc& src, const Desc& dst, const dnnl::primitive_attr& attr);

enum class RnnKind { Tanh, Relu, Lstm, Gru, GruLinearBeforeReset };

/// Layouts of a recurrent layer; the iter descs may be empty (zero start, end not wanted), the cell ones are for Lstm only.
struct RnnDescs {
    Desc srcLayer, srcIter, srcCell, weightsLayer, weightsIter, bias, dstLayer, dstIter, dstCell;
};
Primitive rnn(const dnnl::engine& engine, RnnKind kind, dnnl::rnn_direction direction, const RnnDescs& descs, const dnnl::primitive_attr& attr);

/// Adds dst ← f(dst; alpha, beta) after the primitive.
void appendEltwise(dnnl::post_ops& ops, dnnl::algorithm algorithm, float alpha, float beta);

/// Adds dst ← dst ∘ src1 after the primitive.
inline void appendBinary(dnnl::post_ops& ops, dnnl::algorithm algorithm, const Desc& src1) {
    ops.append_binary(algorithm, src1);
}

}  // namespace hs::dnn
