#pragma once

#include <string_view>

// What libs/foundation/nvtx offers, as nothing at all: what a range costs that nobody could be told
// of.
namespace batchscope::nvtx {

constexpr bool attached() {
  return false;
}

struct Range {
  Range() = default;
  explicit Range(std::string_view) {}
  void end() noexcept {}
};

}  // namespace batchscope::nvtx
