// SPDX-License-Identifier: Apache-2.0
#include "executors/reference/registry.h"
namespace hs::ref {
std::span<const Operator> attentionOperators() { return {}; }
std::span<const Operator> einsumOperators() { return {}; }
std::span<const Operator> imageOperators() { return {}; }
std::span<const Operator> lossOperators() { return {}; }
std::span<const Operator> signalOperators() { return {}; }
}
