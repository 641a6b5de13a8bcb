#include "batchscope/attribution/collectives.hpp"

#include <algorithm>

#include "activity/index_found.hpp"

namespace batchscope::attribution {

std::vector<Collective> collectives(const TraceIndex& index) {
  const trace::Trace& trace = index.trace();
  const std::vector<NameClass>& classes = index.found().classes;
  std::vector<Collective> found;
  const auto& rows = trace.activities;
  for (size_t row = 0; row < rows.size(); ++row) {
    if (rows.kind[row] != trace::ActivityKind::kernel) continue;
    const trace::LaunchFacts* const launch = trace.launch_of(row);
    const bool said = launch != nullptr && launch->is_collective;
    if (!said && !classes[rows.name[row]].communicates) continue;
    found.push_back({std::string(trace.name_of(row)), rows.start_ns[row], rows.end_ns(row)});
  }
  std::stable_sort(found.begin(), found.end(), [](const Collective& a, const Collective& b) {
    return a.start_ns < b.start_ns;
  });
  return found;
}

}  // namespace batchscope::attribution
