#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "batchscope/serving/policy.hpp"

namespace batchscope::serving {

// The first `count` places of a queue.
std::vector<std::size_t> first_places(std::size_t count);

struct Prefix {
  std::size_t count = 0;
  bool full =
      false;  // not even a request of one token more is allowed, or the next one is too long
};
// The requests from the front that make one batch within the limits; at least 1.
Prefix longest_prefix(std::span<const Waiting> queue, const Limits& limits);

// At kNoMoreWaiting every delay has passed, and one that overflows never does before.
bool is_due(base::Nanoseconds oldest, base::Nanoseconds max_delay, base::Nanoseconds now);
// `delay` after `time`, or the end of time where that is nearer.
base::Nanoseconds later(base::Nanoseconds time, base::Nanoseconds delay);

// The rule of every policy with a delay: `full` says that waiting would not make the batch larger.
// Runs the members now, or waits until the oldest has waited for `max_delay`.
Decision now_or_wait(std::vector<std::size_t> members, bool full, base::Nanoseconds oldest,
                     base::Nanoseconds max_delay, base::Nanoseconds now, std::size_t wake_at);

}  // namespace batchscope::serving
