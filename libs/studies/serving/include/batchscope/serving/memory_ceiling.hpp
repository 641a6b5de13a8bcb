#pragma once

#include <cstdint>
#include <limits>

namespace batchscope::serving {

// How large a batch may be after memory ran out. Sizes are padded tokens (requests x the longest),
// or requests where they have no lengths. Not safe to share between threads.
class MemoryCeiling {
 public:
  static constexpr int64_t kNone = std::numeric_limits<int64_t>::max();

  struct Options {
    // Batches of at least half the ceiling that have to go well before it is raised once. Doubled,
    // up to 64 times, whenever raising it ended in another failure: what fails stays rare.
    int64_t recover_after = 64;
    double growth = 1.125;
  };

  MemoryCeiling() : MemoryCeiling(Options()) {}
  explicit MemoryCeiling(const Options& options);

  // The largest size to try; kNone while nothing has failed, and once twice the size that failed
  // has been reached again.
  int64_t limit() const { return limit_; }
  // A batch of this size did not fit: the ceiling is at most half of it from now on.
  void out_of_memory(int64_t size);
  void success(int64_t size);

 private:
  Options options_;
  int64_t limit_ = kNone;
  int64_t failed_ = kNone;
  int64_t patience_ = 0;
  int64_t successes_ = 0;
  bool raised_ = false;  // since the last failure
};

}  // namespace batchscope::serving
