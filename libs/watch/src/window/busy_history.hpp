#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "batchscope/watch/standing.hpp"

namespace batchscope::watch {

// How busy a GPU was, in parts: those of the last ten windows as they were read, earlier ones
// merged by pairs again and again, so that a week takes no more room than an hour.
class BusyHistory {
 public:
  struct Part {
    int64_t began_ns = 0, ended_ns = 0;
    double mean = 0;
    double seconds = 0;       // of it that count
    bool is_settled = false;  // holds no pause
  };
  // Whether a loop makes no steps in most of this time.
  using IsPaused = std::function<bool(int64_t from_ns, int64_t to_ns)>;

  void add(int64_t began_ns, int64_t ended_ns, double mean, const IsPaused& is_paused);
  // Those that lie in one of these times by more than half, and hold no pause.
  std::vector<Part> during(std::span<const Stretch> times, const IsPaused& is_paused) const;

 private:
  void merge_oldest(const IsPaused& is_paused);

  std::vector<Part> parts_;
};

}  // namespace batchscope::watch
