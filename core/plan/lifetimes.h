// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/plan/plan.h"

namespace hs {

/// Fills plan.memory and plan.transfers from its steps, types and aliases: which values of the main graph get a place in
/// their device's arena, for how long, and where. Graph inputs and outputs belong to the caller and get none, nor do
/// strings and values whose size is not known.
void planMemory(Plan& plan);

}  // namespace hs
