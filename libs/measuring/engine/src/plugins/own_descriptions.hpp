#pragma once

#include <span>
#include <string_view>

namespace batchscope::engine {

// The texts of the files engine.json that CMakeLists.txt lists, in its order.
std::span<const std::string_view> own_descriptions();

}  // namespace batchscope::engine
