#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/base/units.hpp"
#include "batchscope/serving/cost_table.hpp"
#include "batchscope/serving/split.hpp"

namespace batchscope::serving {

// A request in the queue, as far as a policy cares.
struct Waiting {
  base::Nanoseconds arrival{0};  // on whatever clock `now` is read from
  int64_t tokens = 1;            // its length; 1 where requests have none
};

// What to do with a queue while an instance is free.
struct Decision {
  // Run these now: places in the queue, ascending. Empty: wait.
  std::vector<std::size_t> members{};
  // When waiting: ask again at this time, or as soon as the queue holds `wake_at` requests.
  base::Nanoseconds until{base::Nanoseconds::max()};
  std::size_t wake_at = std::numeric_limits<std::size_t>::max();
};

// Later than every delay: who is asked at this time is not to wait any more.
inline constexpr base::Nanoseconds kNoMoreWaiting = base::Nanoseconds::max() / 2;

// The settings of a policy for programs; absent and empty: it has no such setting.
struct PolicySettings {
  std::optional<int64_t> max_batch{};
  std::optional<base::Nanoseconds> max_delay{};
  std::optional<int64_t> max_tokens{};
  std::vector<int64_t> sizes{};
  std::vector<int64_t> bucket_ends{};
};

// How a batcher forms batches: a pure decision, so that the batcher and the simulator of it take
// the same. Policies have no state and may be shared between threads.
class Policy {
 public:
  virtual ~Policy() = default;
  // `queue` is not empty and in order of arrival; `limits` come on top of the policy's own (memory
  // that ran out). A batch that the limits cut short is formed at once.
  // Whatever the queue, it has to name members once `now` is late enough, at kNoMoreWaiting at the
  // latest: a queue to which nothing is added any more is asked about then, and where the answer is
  // still to wait the oldest request runs alone.
  virtual Decision decide(std::span<const Waiting> queue, base::Nanoseconds now,
                          const Limits& limits) const = 0;
  virtual std::string_view name() const = 0;
  // Its settings in words: "max_batch 8, delay 5.00 ms".
  virtual std::string settings() const = 0;
  virtual PolicySettings values() const { return {}; }
};

// As Triton's dynamic batcher: a batch of `max_batch` at once, else all that wait when the oldest
// has waited for `max_delay`.
struct FixedTimeout {
  int64_t max_batch = 8;
  base::Nanoseconds max_delay{0};  // Nanoseconds::max(): until the batch is full
};
std::shared_ptr<const Policy> make_policy(const FixedTimeout& options);

// All that wait, up to `max_batch`, as soon as an instance is free.
struct TakeAll {
  int64_t max_batch = 8;
};
std::shared_ptr<const Policy> make_policy(const TakeAll& options);

// Only sizes that are worth forming: the queue is cut by optimal_split, and the batch with the most
// requests a second goes first (Smith's rule, the least mean latency) where requests are alike; the
// one that holds the oldest request where they have lengths. `max_delay` as above.
struct GoodSizes {
  BatchCosts costs;
  // Allowed, ascending. Those above costs.largest_batch(), whose times it does not have, are left
  // out; where none is left, requests run one by one.
  std::vector<int64_t> sizes{};
  base::Nanoseconds max_delay{0};
  bool by_length = false;  // requests differ in length: sorted before the split
};
std::shared_ptr<const Policy> make_policy(GoodSizes options);

// Batches up to a number of padded tokens, of requests whose lengths are in the same bucket.
struct TokenBudget {
  int64_t max_tokens = 512;
  int64_t max_batch = 32;
  base::Nanoseconds max_delay{0};
  // Upper ends of the buckets, tokens, ascending; beyond the last is one more. Empty: one bucket.
  std::vector<int64_t> bucket_ends{};
};
std::shared_ptr<const Policy> make_policy(TokenBudget options);

// How many requests from the front of a queue a policy looks at, so that its work is bounded; as
// many as its largest batch holds where that is more.
inline constexpr std::size_t kPolicyWindow = 256;

}  // namespace batchscope::serving
