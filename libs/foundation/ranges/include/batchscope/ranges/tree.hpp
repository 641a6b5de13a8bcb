#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "batchscope/ranges/recording.hpp"

namespace batchscope::ranges {

// All ranges of one name inside the same ranges, on whatever threads. Times are the host's.
struct TreeRow {
  std::vector<std::string> path;  // names, outermost first, its own last
  int64_t calls = 0;              // begun
  int64_t open = 0;               // of these, not ended: their time until the recording counts
  int threads = 0;                // on which they began
  int64_t total_ns = 0;
  int64_t self_ns = 0;  // without the time in which a range directly inside it was running
  double mean_ns = 0;   // total / calls
  int64_t max_ns = 0;   // the longest
  std::optional<int64_t> device_ns{};   // sum over the ranges that have one
  std::optional<int64_t> peak_bytes{};  // the highest of their peaks: of the whole process
};

// Depth first; rows within the same one by total time, the longest first, then by name. A range
// whose enclosing range is not in the recording counts as outermost.
std::vector<TreeRow> tree(const Recording& recording);

// As a table, times in the unit that suits each; columns that are empty everywhere are left out.
std::string tree_text(std::span<const TreeRow> rows);

}  // namespace batchscope::ranges
