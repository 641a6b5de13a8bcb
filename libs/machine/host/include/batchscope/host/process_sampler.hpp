#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "batchscope/base/system_root.hpp"
#include "batchscope/telemetry/sample.hpp"

namespace batchscope::host {

// Reads a process and its descendants from /proc, those too whose parent has ended since they were
// first seen. What a thread beside the first began is found within eight readings. Rates are means
// since the call before; a process that is new has none. One that ends while it is read is left
// out, and a number that was given to another process is not followed.
//
// A reading looks at no more than kMostProcesses and kMostThreads: the named process first, then
// those that were busiest in the reading before, then new ones, then idle ones. A process whose
// threads are more than what is left of them goes without what is read by thread, and one that is
// left out altogether begins anew when it is read again.
class ProcessSampler {
 public:
  static constexpr std::size_t kMostProcesses = 512, kMostThreads = 4096;

  ProcessSampler(base::SystemRoot root, int root_pid);
  ~ProcessSampler();
  ProcessSampler(ProcessSampler&&) noexcept;
  ProcessSampler& operator=(ProcessSampler&&) noexcept;

  // `now_ns`: of any clock that does not go back. Empty: the process has ended, and so have all
  // that it left behind.
  std::vector<telemetry::ProcessReading> take(int64_t now_ns);

 private:
  struct State;

  std::unique_ptr<State> state_;
};

}  // namespace batchscope::host
