#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>

#include "batchscope/base/units.hpp"
#include "batchscope/base/waitable_clock.hpp"
#include "batchscope/serving/memory_ceiling.hpp"
#include "batchscope/serving/policy.hpp"

namespace batchscope::serving {

enum class WhenFull {
  block,   // submit waits for room: back-pressure on the caller; not so in callbacks, see
           // Batcher::Done
  reject,  // submit answers Refusal::queue_full
};

struct BatcherOptions {
  std::shared_ptr<const Policy> policy = make_policy(TakeAll{});
  int instances = 1;            // threads that run batches, each one at a time
  std::size_t capacity = 4096;  // requests that may wait, without those that run; at least 1
  WhenFull when_full = WhenFull::block;
  MemoryCeiling::Options ceiling{};
  std::shared_ptr<base::WaitableClock> clock = base::waitable_steady_clock();
};

struct SubmitOptions {
  int64_t tokens = 1;  // its length: what it costs in a padded batch
  // From now; a request that still waits when it has passed is answered Refusal::deadline then,
  // whatever the instances are busy with. Absent, or Nanoseconds::max(): it waits as long as it
  // takes.
  std::optional<base::Nanoseconds> timeout{};
};

// What happens to requests that still wait when a batcher is shut down.
enum class Pending { run, refuse };

// A snapshot. submitted = responses + the refusals + waiting + running; a caller that waits for
// room counts from when it is let in or refused.
struct BatcherCounters {
  int64_t submitted = 0;
  int64_t responses = 0;
  int64_t failed = 0, out_of_memory = 0, deadline = 0, cancelled = 0, queue_full = 0, shut_down = 0;
  int64_t waiting = 0, running = 0;
  int64_t batches = 0;  // runs that ended, well or not; pieces of a batch count each
  int64_t out_of_memory_runs = 0;
  int64_t tokens = 0;         // of all requests in those runs
  int64_t padded_tokens = 0;  // requests x the longest of them, of those runs
  // The most padded tokens a batch may have after memory ran out; absent: no such limit.
  std::optional<int64_t> ceiling{};
  std::map<int64_t, int64_t> batch_sizes{};  // how many runs there were of each size
};

}  // namespace batchscope::serving
