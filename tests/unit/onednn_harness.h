// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <vector>

#include "core/contract/executor.h"

namespace hs::test {

/// One operand of a node under test.
struct Operand {
    Tensor tensor;          ///< Not valid: absent.
    bool constant = false;  ///< An initializer, known at compile time.
};

/// A node with its operands; attributes are added by the test.
struct NodeCase {
    Node node;
    std::vector<Operand> inputs;
    std::vector<Dims> outputs;  ///< Sizes of the outputs; an output is absent where `wanted` says so.
    std::vector<bool> wanted;

    NodeCase(std::string op, std::vector<Operand> operands, std::vector<Dims> outputDims);
    template <class T>
    NodeCase& with(std::string name, T value) {
        node.attributes.push_back({std::move(name), AttributeValue(std::move(value))});
        return *this;
    }
    NodeCase& ints(std::string name, std::vector<std::int64_t> values) { return with(std::move(name), std::move(values)); }
    NodeCase& opset(int version) {
        node.opset = version;
        return *this;
    }
};

struct Outcome {
    std::vector<Tensor> outputs;
    std::string kernel;
    std::size_t packedBytes = 0;
};

/// The executor's answer to supports() with the operands' types.
Support ask(const NodeCase& c);
/// Compiles and runs (twice, the second time must give the same).
Result<Outcome> runCase(const NodeCase& c, int threads = 2);
/// What the reference executor gives; it finds the outputs' sizes itself, those of `c` do not matter.
Result<std::vector<Tensor>> runReference(const NodeCase& c);
/// Runs; fails the test when the executor does not support or not run it. Returns output `i`.
std::vector<float> valuesOf(const NodeCase& c, std::size_t i = 0);

/// Seeded values in [-1, 1).
Tensor random(const Dims& dims, unsigned seed = 1);
Tensor floats(const Dims& dims, std::vector<float> values);
Tensor ints64(const Dims& dims, std::vector<std::int64_t> values);
inline Operand variable(Tensor t) {
    return {std::move(t), false};
}
inline Operand constant(Tensor t) {
    return {std::move(t), true};
}
inline Operand absent() {
    return {};
}

std::vector<float> toVector(const Tensor& tensor);
/// |got - want| ≤ atol + rtol·|want| everywhere.
void expectClose(const std::vector<float>& got, const std::vector<float>& want, float rtol = 1e-3F, float atol = 1e-4F);

/// Calls visit with every index of an array of these sizes, in row-major order.
void forEachIndex(const Dims& dims, const std::function<void(const Dims&)>& visit);
std::size_t flatIndex(const Dims& dims, const Dims& index);
/// Element at `index` of a tensor that is spread over the index's space from the right.
float spreadAt(const Tensor& tensor, const Dims& index);

}  // namespace hs::test
