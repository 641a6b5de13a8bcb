// Policies that take requests in the order in which they came.

#include <fmt/format.h>

#include "prefix.hpp"

namespace batchscope::serving {
namespace {

class FixedTimeoutPolicy : public Policy {
 public:
  explicit FixedTimeoutPolicy(const FixedTimeout& options) : options_(options) {}

  Decision decide(std::span<const Waiting> queue, base::Nanoseconds now,
                  const Limits& limits) const override {
    const Limits all = tighter({.max_batch = options_.max_batch}, limits);
    const Prefix prefix = longest_prefix(queue, all);
    const auto wake_at = static_cast<std::size_t>(std::min(all.max_batch, wake_limit(all, queue)));
    return now_or_wait(first_places(prefix.count), prefix.full, queue.front().arrival,
                       options_.max_delay, now, wake_at);
  }
  std::string_view name() const override { return "fixed-timeout"; }
  std::string settings() const override {
    return fmt::format("max_batch {}, max_delay {}", options_.max_batch,
                       base::format_duration(options_.max_delay));
  }
  PolicySettings values() const override {
    return {.max_batch = options_.max_batch, .max_delay = options_.max_delay};
  }

 private:
  // With a limit on tokens every request may fill the batch.
  static int64_t wake_limit(const Limits& limits, std::span<const Waiting> queue) {
    const bool tokens = limits.max_tokens < std::numeric_limits<int64_t>::max();
    return tokens ? static_cast<int64_t>(queue.size()) + 1 : std::numeric_limits<int64_t>::max();
  }

  FixedTimeout options_;
};

class TakeAllPolicy : public Policy {
 public:
  explicit TakeAllPolicy(const TakeAll& options) : options_(options) {}

  Decision decide(std::span<const Waiting> queue, base::Nanoseconds,
                  const Limits& limits) const override {
    const Limits all = tighter({.max_batch = options_.max_batch}, limits);
    return {.members = first_places(longest_prefix(queue, all).count)};
  }
  std::string_view name() const override { return "take-all"; }
  std::string settings() const override { return fmt::format("max_batch {}", options_.max_batch); }
  PolicySettings values() const override { return {.max_batch = options_.max_batch}; }

 private:
  TakeAll options_;
};

}  // namespace

std::shared_ptr<const Policy> make_policy(const FixedTimeout& options) {
  return std::make_shared<FixedTimeoutPolicy>(options);
}

std::shared_ptr<const Policy> make_policy(const TakeAll& options) {
  return std::make_shared<TakeAllPolicy>(options);
}

}  // namespace batchscope::serving
