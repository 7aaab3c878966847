// SPDX-License-Identifier: Apache-2.0
// oneDNN 3.x: primitive descriptors are made at once, engine first; pooling and softmax need no "_v2"; both sides have a
// descriptor of their own; post-ops carry no scale.
#include "executors/onednn/dnnl_adapter.h"

namespace hs::dnn {
namespace {

using dnnl::engine;
using dnnl::primitive_attr;
constexpr auto kInference = dnnl::prop_kind::forward_inference;

}  // namespace

Primitive convolution(const engine& engine, const Desc& src, const Desc& weights, const Desc& bias, const Desc& dst, const Window& w,
                      const primitive_attr& attr) {
    using Op = dnnl::convolution_forward;
    return Op::primitive_desc(engine, kInference, dnnl::algorithm::convolution_direct, src, weights, bias, dst, w.strides, w.dilations, w.padBegin, w.padEnd,
                              attr);
}

Primitive deconvolution(const engine& engine, const Desc& src, const Desc& weights, const Desc& bias, const Desc& dst, const Window& w,
                        const primitive_attr& attr) {
    using Op = dnnl::deconvolution_forward;
    return Op::primitive_desc(engine, kInference, dnnl::algorithm::deconvolution_direct, src, weights, bias, dst, w.strides, w.dilations, w.padBegin, w.padEnd,
                              attr);
}

Primitive matmul(const engine& engine, const Desc& src, const Desc& weights, const Desc& bias, const Desc& dst, const primitive_attr& attr) {
    return dnnl::matmul::primitive_desc(engine, src, weights, bias, dst, attr);
}

Primitive pooling(const engine& engine, dnnl::algorithm algorithm, const Desc& src, const Desc& dst, const MemoryDims& kernel, const Window& w,
                  const primitive_attr& attr) {
    return dnnl::pooling_forward::primitive_desc(engine, kInference, algorithm, src, dst, w.strides, kernel, w.dilations, w.padBegin, w.padEnd, attr);
}

Primitive batchNormalization(const engine& engine, const Desc& data, float epsilon, dnnl::normalization_flags flags, const primitive_attr& attr) {
    return dnnl::batch_normalization_forward::primitive_desc(engine, kInference, data, data, epsilon, flags, attr);
}

Primitive layerNormalization(const engine& engine, const Desc& data, float epsilon, dnnl::normalization_flags flags, const primitive_attr& attr) {
    return dnnl::layer_normalization_forward::primitive_desc(engine, kInference, data, data, epsilon, flags, attr);
}

Primitive softmax(const engine& engine, bool logarithm, const Desc& data, int axis, const primitive_attr& attr) {
    const auto algorithm = logarithm ? dnnl::algorithm::softmax_log : dnnl::algorithm::softmax_accurate;
    return dnnl::softmax_forward::primitive_desc(engine, kInference, algorithm, data, data, axis, attr);
}

Primitive eltwise(const engine& engine, dnnl::algorithm algorithm, const Desc& data, float alpha, float beta, const primitive_attr& attr) {
    return dnnl::eltwise_forward::primitive_desc(engine, kInference, algorithm, data, data, alpha, beta, attr);
}

Primitive hardSwish(const engine& engine, const Desc& data, const primitive_attr& attr) {
    return eltwise(engine, dnnl::algorithm::eltwise_hardswish, data, 1.0F / 6, 0.5F, attr);
}

Primitive prelu(const engine& engine, const Desc& data, const Desc& slope, const primitive_attr& attr) {
    return dnnl::prelu_forward::primitive_desc(engine, kInference, data, slope, data, attr);
}

Primitive lrn(const engine& engine, const Desc& data, dnnl::memory::dim size, float alpha, float beta, float k, const primitive_attr& attr) {
    return dnnl::lrn_forward::primitive_desc(engine, kInference, dnnl::algorithm::lrn_across_channels, data, data, size, alpha, beta, k, attr);
}

Primitive binary(const engine& engine, dnnl::algorithm algorithm, const Desc& a, const Desc& b, const Desc& dst, const primitive_attr& attr) {
    return dnnl::binary::primitive_desc(engine, algorithm, a, b, dst, attr);
}

Primitive reduction(const engine& engine, dnnl::algorithm algorithm, const Desc& src, const Desc& dst, float p, const primitive_attr& attr) {
    return dnnl::reduction::primitive_desc(engine, algorithm, src, dst, p, 0.0F, attr);
}

Primitive resampling(const engine& engine, dnnl::algorithm algorithm, const Desc& src, const Desc& dst, const primitive_attr& attr) {
    return dnnl::resampling_forward::primitive_desc(engine, kInference, algorithm, src, dst, attr);
}

Primitive concat(const engine& engine, const Desc& dst, int axis, const std::vector<Desc>& sources, const primitive_attr& attr) {
    return dnnl::concat::primitive_desc(engine, dst, axis, sources, attr);
}

Primitive reorder(const engine& engine, const Desc& src, const Desc& dst, const primitive_attr& attr) {
    return dnnl::reorder::primitive_desc(engine, src, engine, dst, attr);
}

Primitive rnn(const engine& engine, RnnKind kind, dnnl::rnn_direction direction, const RnnDescs& d, const primitive_attr& attr) {
    switch (kind) {
        case RnnKind::Lstm:
            return dnnl::lstm_forward::primitive_desc(engine, kInference, direction, d.srcLayer, d.srcIter, d.srcCell, d.weightsLayer, d.weightsIter, d.bias,
                                                      d.dstLayer, d.dstIter, d.dstCell, attr);
        case RnnKind::Gru:
            return dnnl::gru_forward::primitive_desc(engine, kInference, direction, d.srcLayer, d.srcIter, d.weightsLayer, d.weightsIter, d.bias, d.dstLayer,
                                                     d.dstIter, attr);
        case RnnKind::GruLinearBeforeReset:
            return dnnl::lbr_gru_forward::primitive_desc(engine, kInference, direction, d.srcLayer, d.srcIter, d.weightsLayer, d.weightsIter, d.bias,
                                                         d.dstLayer, d.dstIter, attr);
        case RnnKind::Tanh:
        case RnnKind::Relu: break;
    }
    const auto activation = kind == RnnKind::Relu ? dnnl::algorithm::eltwise_relu : dnnl::algorithm::eltwise_tanh;
    return dnnl::vanilla_rnn_forward::primitive_desc(engine, kInference, activation, direction, d.srcLayer, d.srcIter, d.weightsLayer, d.weightsIter, d.bias,
                                                     d.dstLayer, d.dstIter, attr);
}

void appendEltwise(dnnl::post_ops& ops, dnnl::algorithm algorithm, float alpha, float beta) {
    ops.append_eltwise(algorithm, alpha, beta);
}

}  // namespace hs::dnn
