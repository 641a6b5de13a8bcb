#include "batchscope/charts/memory_kinds.hpp"

#include <algorithm>

namespace batchscope::charts {

using findings::ConfigRow;
using findings::Group;

constexpr double kFarLimit = 3;  // times the largest peak

double largest_peak(const std::vector<Group>& groups) {
  double most = 0;
  for (const Group& group : groups) {
    for (const ConfigRow& row : group.rows) {
      for (const MemoryKind& kind : kMemoryKinds) {
        const auto bytes = row.memory.*kind.bytes;
        if (bytes) most = std::max(most, static_cast<double>(*bytes));
      }
    }
  }
  return most;
}

double memory_unit(const std::vector<Group>& groups) {
  return largest_peak(groups) >= 2 * kGibibyte ? kGibibyte : kMebibyte;
}

std::optional<int64_t> near_memory_limit(const std::vector<Group>& groups) {
  if (groups.size() != 1 || groups.front().memory_laws.empty()) return {};
  const auto limit = groups.front().memory_laws.front().limit_bytes;
  if (!limit || static_cast<double>(*limit) > kFarLimit * largest_peak(groups)) return {};
  return limit;
}

}  // namespace batchscope::charts
