#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "batchscope/trace/trace.hpp"

namespace batchscope::attribution {

// Finds the call of the host that started what a device did.
class Correlations {
 public:
  explicit Correlations(const trace::Trace& trace);

  // Its row; nothing where the trace does not hold it, as at the edge of what was recorded.
  std::optional<size_t> launch_of(size_t device_row) const;

 private:
  struct Slot {
    int64_t correlation = -1;
    uint32_t row = trace::kNone;
  };
  void insert(size_t row);
  // Of the calls of that number, each of another thread, the first that is wanted; all of them.
  template <class Is>
  std::optional<size_t> first_call(int64_t correlation, Is is) const;
  template <class Use>
  void for_each_call(int64_t correlation, Use use) const;
  // Of calls of several processes that have one number the latest before the work began.
  std::optional<size_t> nearest_call(size_t device_row) const;
  void find_processes();

  const trace::Trace& trace_;
  std::vector<Slot> slots_;
  bool has_repeats_ = false;                      // processes use the same numbers
  std::map<int64_t, int64_t> process_of_device_;  // who starts most of its work, where they do
};

}  // namespace batchscope::attribution
