#include "family.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace batchscope::ranges {
namespace {

std::pair<int, int64_t> key_of(const RangeRecord& range) {
  return {range.thread, range.number};
}

}  // namespace

Family::Family(const Recording& recording)
    : recording_(recording), in_order_(recording.ranges.size()) {
  std::iota(in_order_.begin(), in_order_.end(), std::size_t{0});
  std::stable_sort(in_order_.begin(), in_order_.end(), [&](std::size_t a, std::size_t b) {
    return key_of(recording.ranges[a]) < key_of(recording.ranges[b]);
  });
}

std::optional<std::size_t> Family::around(std::size_t place) const {
  const RangeRecord& range = recording_.ranges[place];
  if (!range.parent) return std::nullopt;
  const std::pair wanted(range.thread, *range.parent);
  const auto found = std::lower_bound(
      in_order_.begin(), in_order_.end(), wanted,
      [&](std::size_t at, const auto& key) { return key_of(recording_.ranges[at]) < key; });
  if (found == in_order_.end() || key_of(recording_.ranges[*found]) != wanted) return std::nullopt;
  return *found;
}

}  // namespace batchscope::ranges
