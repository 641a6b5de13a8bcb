#pragma once

#include <string_view>

namespace batchscope::advice {

// Whether a call gets memory of a device or pinned memory, or returns it.
bool gets_or_returns_memory(std::string_view call);
bool returns_memory(std::string_view call);

}  // namespace batchscope::advice
