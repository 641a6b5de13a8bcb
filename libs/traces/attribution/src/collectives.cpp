#include "batchscope/attribution/collectives.hpp"

#include <algorithm>

#include "activity/index_found.hpp"
#include "batchscope/attribution/spans.hpp"

namespace batchscope::attribution {

namespace {

void set_exposed(const DeviceTime& device, std::vector<Collective>& collectives) {
  const Spans alone = times_of(device, [](Part part) { return part == Part::communication; });
  int64_t counted_to = INT64_MIN;
  for (Collective& each : collectives) {
    if (each.device != device.id) continue;
    const Span span{std::max(each.start_ns, counted_to), each.end_ns};
    counted_to = std::max(counted_to, each.end_ns);
    if (span.start_ns >= span.end_ns) continue;
    each.exposed_ns = overlap_ns({span}, touching(alone, span.start_ns, span.end_ns));
  }
}

}  // namespace

std::vector<Collective> collectives(const TraceIndex& index,
                                    const std::vector<DeviceTime>& devices) {
  const trace::Trace& trace = index.trace();
  const std::vector<NameClass>& classes = index.found().classes;
  std::vector<Collective> found;
  const auto& rows = trace.activities;
  for (size_t row = 0; row < rows.size(); ++row) {
    if (rows.kind[row] != trace::ActivityKind::kernel) continue;
    const trace::LaunchFacts* const launch = trace.launch_of(row);
    const bool stated = launch != nullptr && launch->is_collective;
    if (!stated && !classes[rows.name[row]].communicates) continue;
    const bool has_group = launch != nullptr && launch->group != trace::kNone;
    found.push_back({std::string(trace.name_of(row)), rows.start_ns[row], rows.end_ns(row),
                     trace.track_of(row).device, 0, has_group ? trace.names[launch->group] : ""});
  }
  std::stable_sort(found.begin(), found.end(), [](const Collective& a, const Collective& b) {
    return a.start_ns < b.start_ns;
  });
  for (const DeviceTime& device : devices) set_exposed(device, found);
  return found;
}

}  // namespace batchscope::attribution
