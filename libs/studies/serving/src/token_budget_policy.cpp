#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "prefix.hpp"

namespace batchscope::serving {
namespace {

struct Bucket {
  std::vector<std::size_t> members;
  int64_t longest = 1;
  bool full = false;
};

class TokenBudgetPolicy : public Policy {
 public:
  explicit TokenBudgetPolicy(TokenBudget options) : options_(std::move(options)) {}

  Decision decide(std::span<const Waiting> queue, base::Nanoseconds now,
                  const Limits& limits) const override {
    const auto seen = queue.first(std::min(queue.size(), window()));
    std::vector<Bucket> buckets = fill(seen, limits);
    const auto bucket_of = [&](std::size_t place) -> Bucket& {
      return buckets[bucket_index(seen[place].tokens)];
    };
    // The oldest request's delay goes before a bucket that is full.
    Bucket& first = bucket_of(0);
    if (first.full || is_due(seen.front().arrival, options_.max_delay, now)) {
      return {.members = std::move(first.members)};
    }
    // Of several that are full, the one whose oldest request has waited longest.
    for (std::size_t place = 1; place < seen.size(); ++place) {
      if (bucket_of(place).full) return {.members = std::move(bucket_of(place).members)};
    }
    return {.members = {},
            .until = later(seen.front().arrival, options_.max_delay),
            .wake_at = queue.size() + 1};
  }

  std::string_view name() const override { return "token-budget"; }
  std::string settings() const override {
    const std::string buckets =
        options_.bucket_ends.empty()
            ? ""
            : fmt::format(", buckets to {}", fmt::join(options_.bucket_ends, ","));
    return fmt::format("max_tokens {}, max_batch {}, max_delay {}{}", options_.max_tokens,
                       options_.max_batch, base::format_duration(options_.max_delay), buckets);
  }
  PolicySettings values() const override {
    return {.max_batch = options_.max_batch,
            .max_delay = options_.max_delay,
            .max_tokens = options_.max_tokens,
            .bucket_ends = options_.bucket_ends};
  }

 private:
  // Every request has a token: no batch is larger than the budget.
  std::size_t window() const {
    const int64_t largest = std::min(options_.max_batch, options_.max_tokens);
    return std::max(kPolicyWindow, static_cast<std::size_t>(std::max<int64_t>(1, largest)));
  }

  std::size_t bucket_index(int64_t tokens) const {
    const auto& ends = options_.bucket_ends;
    return static_cast<std::size_t>(std::lower_bound(ends.begin(), ends.end(), tokens) -
                                    ends.begin());
  }

  std::vector<Bucket> fill(std::span<const Waiting> queue, const Limits& limits) const {
    const Limits all =
        tighter({.max_batch = options_.max_batch, .max_tokens = options_.max_tokens}, limits);
    std::vector<Bucket> buckets(options_.bucket_ends.size() + 1);
    for (std::size_t place = 0; place < queue.size(); ++place) {
      Bucket& bucket = buckets[bucket_index(queue[place].tokens)];
      if (bucket.full) continue;
      const int64_t longest = std::max(bucket.longest, queue[place].tokens);
      const auto count = static_cast<int64_t>(bucket.members.size());
      if (!all.allow(count + 1, longest)) {
        bucket.full = true;
        continue;
      }
      bucket.members.push_back(place);
      bucket.longest = longest;
      bucket.full = !all.allow(count + 2, longest);
    }
    return buckets;
  }

  TokenBudget options_;
};

}  // namespace

std::shared_ptr<const Policy> make_policy(TokenBudget options) {
  return std::make_shared<TokenBudgetPolicy>(std::move(options));
}

}  // namespace batchscope::serving
