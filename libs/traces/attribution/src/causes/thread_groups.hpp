#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "activity/host_states.hpp"
#include "batchscope/trace/trace.hpp"

namespace batchscope::attribution {

// Threads of one process that start something on a device, in teams. Those of one team take turns,
// as the thread that trains and the one that autograd runs the backward pass on: what one does
// keeps the others waiting. Threads that work at once go their own ways.
class ThreadGroups {
 public:
  using StatesOf = std::function<const std::vector<HostSpan>&(uint32_t track)>;
  // `launchers`: the busiest first.
  ThreadGroups(const trace::Trace& trace, const std::vector<uint32_t>& launchers,
               const StatesOf& states_of);

  // By number; of a launcher.
  size_t number_of(uint32_t track) const { return numbers_.at(track); }
  const std::vector<uint32_t>& members(size_t number) const { return teams_[number]; }
  size_t size() const { return teams_.size(); }

 private:
  std::vector<std::vector<uint32_t>> teams_;
  std::map<uint32_t, size_t> numbers_;
};

}  // namespace batchscope::attribution
