// SPDX-License-Identifier: Apache-2.0
#include "core/contract/executor.h"

namespace hs {

Result<Tensor*> KernelContext::output(std::size_t i, DType type, const Dims& dims) {
    Tensor& out = m_outputs[i];
    if (out.valid() && out.isTensor() && out.dtype() == type && out.dims() == dims) return &out;
    HS_TRY(out, Tensor::allocate(type, dims));
    return &out;
}

}  // namespace hs
