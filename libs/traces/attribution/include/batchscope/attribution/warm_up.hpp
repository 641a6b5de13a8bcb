#pragma once

#include <optional>
#include <string_view>

#include "batchscope/attribution/attribution.hpp"

namespace batchscope::attribution {

// Whether a range, a call or a Python function of that name is what programs do once: it compiles
// or tries kernels, makes a graph, or loads modules. Nothing where it is not.
std::optional<ExclusionReason> warm_up_of(std::string_view name, trace::ActivityKind kind);

// Kineto writes as overhead what the driver does too, and not only what recording costs.
bool is_of_driver(std::string_view name);

}  // namespace batchscope::attribution
