#pragma once

#include <string_view>

// What batchscope/ranges/nvtx.hpp offers, as nothing at all: what a range costs that nobody could
// be told of.
namespace batchscope::ranges::nvtx {

constexpr bool attached() {
  return false;
}

struct ScopedRange {
  ScopedRange() = default;
  explicit ScopedRange(std::string_view) {}
  void end() noexcept {}
};

}  // namespace batchscope::ranges::nvtx
