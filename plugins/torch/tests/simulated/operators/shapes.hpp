#pragma once

#include <optional>

#include "call.hpp"

namespace batchscope::simulated {

// The results of a call as meta tensors, from its arguments' shapes alone; nothing where nobody
// tells: then the host has to wait for the kernel.
std::optional<Stack> shapes_of(const Call& call);

}  // namespace batchscope::simulated
