#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "batchscope/ranges/recording.hpp"

namespace batchscope::ranges {

// Which range lies within which, by their places in Recording::ranges, in whatever order they
// stand there. Lives no longer than the recording.
class Family {
 public:
  explicit Family(const Recording& recording);

  // Places by thread, then by number: a range comes after the one around it.
  const std::vector<std::size_t>& in_order() const { return in_order_; }
  // The place of the range around it; absent when it has none, or when that is not recorded.
  std::optional<std::size_t> around(std::size_t place) const;

 private:
  const Recording& recording_;
  std::vector<std::size_t> in_order_;
};

}  // namespace batchscope::ranges
