// SPDX-License-Identifier: Apache-2.0
// Private to core/import.
#pragma once

namespace hs {

/// Numbers of AttributeProto.type.
enum class AttributeType : int {
    Undefined = 0,
    Float = 1,
    Int = 2,
    String = 3,
    Tensor = 4,
    Graph = 5,
    Floats = 6,
    Ints = 7,
    Strings = 8,
    Tensors = 9,
    Graphs = 10,
    SparseTensor = 11,
    SparseTensors = 12,
    Type = 13,
    Types = 14,
};

}  // namespace hs
