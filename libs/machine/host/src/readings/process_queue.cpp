#include "readings/process_queue.hpp"

#include <algorithm>
#include <vector>

namespace batchscope::host {

ProcessQueue::ProcessQueue(ProcessCandidate named, const KnownProcesses& known) {
  first_.push_back(named);
  std::vector<std::pair<double, int>> busy;
  for (const auto& [pid, counters] : known) {
    if (pid == named.pid) continue;
    if (counters.cpu_cores > 0) {
      busy.emplace_back(-counters.cpu_cores, pid);
    } else {
      idle_.push_back({pid, counters.start_ticks});
    }
  }
  std::sort(busy.begin(), busy.end());
  for (const auto& [cores, pid] : busy) first_.push_back({pid, known.at(pid).start_ticks});
}

std::optional<ProcessCandidate> ProcessQueue::next() {
  std::deque<ProcessCandidate>& from = first_.empty() ? idle_ : first_;
  if (from.empty()) return std::nullopt;
  const ProcessCandidate candidate = from.front();
  from.pop_front();
  return candidate;
}

}  // namespace batchscope::host
