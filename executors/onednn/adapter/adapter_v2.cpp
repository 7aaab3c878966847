// SPDX-License-Identifier: Apache-2.0
// oneDNN 2.x: an operation descriptor first, then its primitive descriptor; dilated pooling and softmax with a choice of
// algorithm are "_v2"; normalisations, softmax and eltwise take one descriptor for both sides; post-ops carry a scale.
#include "executors/onednn/dnnl_adapter.h"

namespace hs::dnn {
namespace {

using dnnl::engine;
using dnnl::primitive_attr;
constexpr auto kInference = dnnl::prop_kind::forward_inference;

template <class Op>
Primitive make(const typename Op::desc& desc, const primitive_attr& attr, const engine& engine) {
    return typename Op::primitive_desc(desc, attr, engine);
}

}  // namespace

Primitive convolution(const engine& engine, const Desc& src, const Desc& weights, const Desc& bias, const Desc& dst, const Window& w,
                      const primitive_attr& attr) {
    using Op = dnnl::convolution_forward;
    return make<Op>({kInference, dnnl::algorithm::convolution_direct, src, weights, bias, dst, w.strides, w.dilations, w.padBegin, w.padEnd}, attr, engine);
}

Primitive deconvolution(const engine& engine, const Desc& src, const Desc& weights, const Desc& bias, const Desc& dst, const Window& w,
                        const primitive_attr& attr) {
    using Op = dnnl::deconvolution_forward;
    return make<Op>({kInference, dnnl::algorithm::deconvolution_direct, src, weights, bias, dst, w.strides, w.dilations, w.padBegin, w.padEnd}, attr, engine);
}

Primitive matmul(const engine& engine, const Desc& src, const Desc& weights, const Desc& bias, const Desc& dst, const primitive_attr& attr) {
    return make<dnnl::matmul>({src, weights, bias, dst}, attr, engine);
}

Primitive pooling(const engine& engine, dnnl::algorithm algorithm, const Desc& src, const Desc& dst, const MemoryDims& kernel, const Window& w,
                  const primitive_attr& attr) {
    return make<dnnl::pooling_v2_forward>({kInference, algorithm, src, dst, w.strides, kernel, w.dilations, w.padBegin, w.padEnd}, attr, engine);
}

Primitive batchNormalization(const engine& engine, const Desc& data, float epsilon, dnnl::normalization_flags flags, const primitive_attr& attr) {
    return make<dnnl::batch_normalization_forward>({kInference, data, epsilon, flags}, attr, engine);
}

Primitive layerNormalization(const engine& engine, const Desc& data, float epsilon, dnnl::normalization_flags flags, const primitive_attr& attr) {
    return make<dnnl::layer_normalization_forward>({kInference, data, epsilon, flags}, attr, engine);
}

Primitive softmax(const engine& engine, bool logarithm, const Desc& data, int axis, const primitive_attr& attr) {
    const auto algorithm = logarithm ? dnnl::algorithm::softmax_log : dnnl::algorithm::softmax_accurate;
    return make<dnnl::softmax_v2_forward>({kInference, algorithm, data, data, axis}, attr, engine);
}

Primitive eltwise(const engine& engine, dnnl::algorithm algorithm, const Desc& data, float alpha, float beta, const primitive_attr& attr) {
    return make<dnnl::eltwise_forward>({kInference, algorithm, data, alpha, beta}, attr, engine);
}

Primitive hardSwish(const engine& engine, const Desc& data, const primitive_attr& attr) {
    return eltwise(engine, dnnl::algorithm::eltwise_hardswish, data, 0, 0, attr);
}

Primitive prelu(const engine& engine, const Desc& data, const Desc& slope, const primitive_attr& attr) {
    return make<dnnl::prelu_forward>({kInference, data, slope}, attr, engine);
}

Primitive lrn(const engine& engine, const Desc& data, dnnl::memory::dim size, float alpha, float beta, float k, const primitive_attr& attr) {
    return make<dnnl::lrn_forward>({kInference, dnnl::algorithm::lrn_across_channels, data, size, alpha, beta, k}, attr, engine);
}

Primitive binary(const engine& engine, dnnl::algorithm algorithm, const Desc& a, const Desc& b, const Desc& dst, const primitive_attr& attr) {
    return make<dnnl::binary>({algorithm, a, b, dst}, attr, engine);
}

Primitive reduction(const engine& engine, dnnl::algorithm algorithm, const Desc& src, const Desc& dst, float p, const primitive_attr& attr) {
    return make<dnnl::reduction>({algorithm, src, dst, p, 0.0F}, attr, engine);
}

Primitive resampling(const engine& engine, dnnl::algorithm algorithm, const Desc& src, const Desc& dst, const primitive_attr& attr) {
    return make<dnnl::resampling_forward>({kInference, algorithm, src, dst}, attr, engine);
}

Primitive concat(const engine& engine, const Desc& dst, int axis, const std::vector<Desc>& sources, const primitive_attr& attr) {
    return dnnl::concat::primitive_desc(dst, axis, sources, engine, attr);
}

Primitive reorder(const engine& engine, const Desc& src, const Desc& dst, const primitive_attr& attr) {
    return dnnl::reorder::primitive_desc(engine, src, engine, dst, attr);
}

Primitive rnn(const engine& engine, RnnKind kind, dnnl::rnn_direction direction, const RnnDescs& d, const primitive_attr& attr) {
    switch (kind) {
        case RnnKind::Lstm:
            return make<dnnl::lstm_forward>(
                {kInference, direction, d.srcLayer, d.srcIter, d.srcCell, d.weightsLayer, d.weightsIter, d.bias, d.dstLayer, d.dstIter, d.dstCell}, attr,
                engine);
        case RnnKind::Gru:
            return make<dnnl::gru_forward>({kInference, direction, d.srcLayer, d.srcIter, d.weightsLayer, d.weightsIter, d.bias, d.dstLayer, d.dstIter}, attr,
                                           engine);
        case RnnKind::GruLinearBeforeReset:
            return make<dnnl::lbr_gru_forward>({kInference, direction, d.srcLayer, d.srcIter, d.weightsLayer, d.weightsIter, d.bias, d.dstLayer, d.dstIter},
                                               attr, engine);
        case RnnKind::Tanh:
        case RnnKind::Relu: break;
    }
    const auto activation = kind == RnnKind::Relu ? dnnl::algorithm::eltwise_relu : dnnl::algorithm::eltwise_tanh;
    return make<dnnl::vanilla_rnn_forward>(
        {kInference, activation, direction, d.srcLayer, d.srcIter, d.weightsLayer, d.weightsIter, d.bias, d.dstLayer, d.dstIter}, attr, engine);
}

void appendEltwise(dnnl::post_ops& ops, dnnl::algorithm algorithm, float alpha, float beta) {
    ops.append_eltwise(1.0F, algorithm, alpha, beta);
}

}  // namespace hs::dnn
