#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/watch/active_finding.hpp"

namespace batchscope::watch {

// How busy a GPU was, in parts: those of the last ten windows as they were read, and of earlier
// ones those in which something stood that is told with them, merged by pairs again and again, so
// that a week takes no more room than an hour.
class BusyHistory {
 public:
  struct Part {
    int64_t began_ns = 0, ended_ns = 0;
    double mean = 0;
    double seconds = 0;  // of it that count
  };
  // Whether a loop makes no steps in most of this time.
  using IsPaused = std::function<bool(int64_t from_ns, int64_t to_ns)>;
  // What stood then; empty: nothing, or it is not told with parts.
  using KindAt = std::function<std::string_view(int64_t time_ns)>;

  void add(const Part& part);
  // To be called after each part, once it is known what stands.
  void settle(const KindAt& kind_at, const IsPaused& is_paused);
  // All in which this kind stood, and those that are not settled yet and lie in one of these times
  // by more than half, and hold no pause.
  std::vector<Part> during(std::string_view kind, std::span<const Episode> times,
                           const IsPaused& is_paused) const;
  // Those that are not settled, from then on, without pauses.
  std::vector<Part> since(int64_t from_ns, const IsPaused& is_paused) const;

 private:
  std::deque<Part> recent_;
  std::map<std::string, std::vector<Part>, std::less<>> settled_;  // by kind
};

}  // namespace batchscope::watch
