#include "batchscope/compare/comparison_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "batchscope/findings/wording.hpp"

namespace batchscope::compare {
namespace {

using findings::batches;
using findings::Comparison;
using findings::percent;
using findings::percent_range;

bool is_faster(const Comparison& comparison) {
  return comparison.ratio.value < 1;
}

// Whether the two say the same of other batch sizes.
bool same_words(const Comparison& a, const Comparison& b) {
  return a.axis == b.axis && a.base == b.base && a.other == b.other && !a.other_config &&
         !b.other_config && !a.slow_visits && !b.slow_visits && is_faster(a) == is_faster(b) &&
         schema::without_batch_size(a.config) == schema::without_batch_size(b.config);
}

// "At batches 2 and 4 too: 56 to 58 % less."
std::string at_other_sizes(const std::vector<const Comparison*>& others) {
  std::vector<int64_t> sizes;
  stats::Interval range{INFINITY, -INFINITY};
  for (const Comparison* other : others) {
    sizes.push_back(other->config.shape.batch_size);
    const double change = std::abs(1 - other->ratio.value);
    range = {std::min(range.low, change), std::max(range.high, change)};
  }
  const bool one = percent(range.low) == percent(range.high);
  return fmt::format("At {} too: {} {}.", batches(sizes),
                     one ? percent(range.low) : percent_range(range),
                     is_faster(*others.front()) ? "less" : "more");
}

}  // namespace

std::vector<std::string> comparisons_in_short(std::span<const Comparison> comparisons) {
  std::vector<const Comparison*> left;
  for (const Comparison& each : comparisons) {
    if (each.significant || each.slow_visits) left.push_back(&each);
  }
  std::vector<std::string> words;
  while (!left.empty()) {
    const Comparison& first = *left.front();
    const auto others =
        std::stable_partition(left.begin() + 1, left.end(),
                              [&](const Comparison* each) { return !same_words(first, *each); });
    const std::vector<const Comparison*> same(others, left.end());
    words.push_back(first.message);
    // One more is told as well in its own words.
    if (same.size() == 1) words.push_back(same.front()->message);
    if (same.size() > 1) words.back() += " " + at_other_sizes(same);
    left.erase(others, left.end());
    left.erase(left.begin());
  }
  return words;
}

}  // namespace batchscope::compare
