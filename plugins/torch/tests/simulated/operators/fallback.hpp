#pragma once

#include "call.hpp"

namespace batchscope::simulated {

// Fills memory with a value: done even where nothing is computed.
bool fills(const c10::OperatorHandle& op);

// A boxed kernel.
void fallback(const c10::OperatorHandle& op, Stack* stack);

}  // namespace batchscope::simulated
