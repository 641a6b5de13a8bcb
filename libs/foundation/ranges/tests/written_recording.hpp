#pragma once

#include <string>
#include <vector>

#include "batchscope/ranges/recording.hpp"

namespace batchscope::ranges {

// Recordings as a test writes them.
inline RangeRecord range(std::string name, int64_t number, int64_t begin_ns, int64_t end_ns,
                         std::optional<int64_t> parent = std::nullopt) {
  return {.name = std::move(name),
          .number = number,
          .parent = parent,
          .begin_ns = begin_ns,
          .end_ns = end_ns};
}

inline Recording written(std::vector<RangeRecord> ranges) {
  Recording recording;
  recording.threads = {{0, 100}, {1, 101}};
  recording.ranges = std::move(ranges);
  return recording;
}

}  // namespace batchscope::ranges
