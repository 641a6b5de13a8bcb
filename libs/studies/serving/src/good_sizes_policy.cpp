#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "batchscope/base/lists.hpp"
#include "prefix.hpp"

namespace batchscope::serving {
namespace {

// A split looks at twice the largest batch: what comes after waits for a later decision anyway.
constexpr std::size_t kSplitWindow = 2;

class GoodSizesPolicy : public Policy {
 public:
  explicit GoodSizesPolicy(GoodSizes options) : options_(std::move(options)) {
    const int64_t largest = options_.costs.largest_batch();
    std::erase_if(options_.sizes, [&](int64_t size) { return size < 1 || size > largest; });
    if (options_.sizes.empty()) options_.sizes = {1};
    if (!options_.by_length) fill_first_of();
  }

  Decision decide(std::span<const Waiting> queue, base::Nanoseconds now,
                  const Limits& limits) const override {
    const bool due = is_due(queue.front().arrival, options_.max_delay, now);
    const bool full =
        longest_prefix(queue, tighter({.max_batch = options_.sizes.back()}, limits)).full;
    if (!full && !due) {
      const auto largest = static_cast<std::size_t>(options_.sizes.back());
      const bool tokens = limits.max_tokens < std::numeric_limits<int64_t>::max();
      return {.members = {},
              .until = later(queue.front().arrival, options_.max_delay),
              .wake_at = tokens ? queue.size() + 1 : largest};
    }
    const auto seen = queue.first(std::min(queue.size(), split_window()));
    return {.members = options_.by_length ? by_length(seen, limits) : alike(seen, limits)};
  }

  std::string_view name() const override { return "good-sizes"; }
  std::string settings() const override {
    return fmt::format("sizes {}, max_delay {}",
                       fmt::join(base::format_integers(options_.sizes), ","),
                       base::format_duration(options_.max_delay));
  }
  PolicySettings values() const override {
    return {.max_delay = options_.max_delay, .sizes = options_.sizes};
  }

 private:
  BatchCost cost() const {
    return [this](int64_t count, int64_t longest) { return options_.costs(count, longest); };
  }

  // Never less than the largest batch, which could not be formed otherwise.
  std::size_t split_window() const {
    const auto largest = static_cast<std::size_t>(options_.sizes.back());
    return std::max(largest, std::min(kPolicyWindow, kSplitWindow * largest));
  }

  void fill_first_of() {
    for (const int64_t size :
         optimal_batches(static_cast<int64_t>(split_window()), cost(), options_.sizes)) {
      const auto left = first_of_.size() + 1 - static_cast<std::size_t>(size);
      first_of_.push_back(left == 0 ? size : more_efficient(size, first_of_[left - 1]));
    }
  }

  // With more requests a second; of equals the larger.
  int64_t more_efficient(int64_t a, int64_t b) const {
    const double cost_a = options_.costs(a, 1) * static_cast<double>(b);
    const double cost_b = options_.costs(b, 1) * static_cast<double>(a);
    if (cost_a == cost_b) return std::max(a, b);
    return cost_a < cost_b ? a : b;
  }

  std::vector<std::size_t> alike(std::span<const Waiting> queue, const Limits& limits) const {
    const int64_t planned = first_of_[queue.size() - 1];
    const std::size_t within = longest_prefix(queue, limits).count;
    if (static_cast<int64_t>(within) >= planned) {
      return first_places(static_cast<std::size_t>(planned));
    }
    // Memory ran out at this size: the largest allowed size below.
    const auto above = std::upper_bound(options_.sizes.begin(), options_.sizes.end(),
                                        static_cast<int64_t>(within));
    const bool has = above != options_.sizes.begin();
    return first_places(has ? static_cast<std::size_t>(*(above - 1)) : within);
  }

  std::vector<std::size_t> by_length(std::span<const Waiting> queue, const Limits& limits) const {
    std::vector<std::size_t> order = first_places(queue.size());
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return queue[a].tokens < queue[b].tokens;
    });
    std::vector<int64_t> lengths;
    for (const std::size_t place : order) lengths.push_back(queue[place].tokens);
    auto begin = order.begin();
    for (const int64_t size : optimal_split(lengths, cost(), options_.sizes, limits)) {
      const auto end = begin + size;
      if (std::find(begin, end, std::size_t{0}) != end) {
        std::sort(begin, end);
        return {begin, end};
      }
      begin = end;
    }
    return first_places(1);
  }

  GoodSizes options_;
  std::vector<int64_t> first_of_;  // the size to run first of a queue of n, at n - 1
};

}  // namespace

std::shared_ptr<const Policy> make_policy(GoodSizes options) {
  return std::make_shared<GoodSizesPolicy>(std::move(options));
}

}  // namespace batchscope::serving
