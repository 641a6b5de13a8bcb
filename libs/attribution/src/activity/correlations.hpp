#pragma once

#include <cstdint>
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

  const trace::Trace& trace_;
  std::vector<Slot> slots_;
};

}  // namespace batchscope::attribution
