#include "device_activity.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

namespace batchscope::attribution {
namespace {

using trace::ActivityKind;

enum class Work { compute, memcpy, communication };

Work work_of(const trace::Trace& trace, const std::vector<NameClass>& classes, uint32_t row) {
  const auto& rows = trace.activities;
  if (rows.kind[row] != ActivityKind::kernel) return Work::memcpy;
  const trace::LaunchFacts* const launch = trace.launch_of(row);
  if (launch != nullptr && launch->is_collective) return Work::communication;
  return classes[rows.name[row]].communicates ? Work::communication : Work::compute;
}

DeviceActivity collect(const trace::Trace& trace, const std::vector<NameClass>& classes,
                       std::vector<uint32_t> in_order) {
  std::vector<Span> spans[3];
  const auto& rows = trace.activities;
  for (const uint32_t row : in_order) {
    const auto work = static_cast<size_t>(work_of(trace, classes, row));
    spans[work].push_back({rows.start_ns[row], rows.end_ns(row)});
  }
  DeviceActivity device;
  device.compute = united(std::move(spans[0]));
  device.memcpy = without(united(std::move(spans[1])), device.compute);
  const Spans before = united(device.compute, device.memcpy);
  device.communication = without(united(std::move(spans[2])), before);
  device.busy = united(before, device.communication);
  device.rows = std::move(in_order);
  return device;
}

// How many rows a device has to have to be among the `most` with most.
size_t fewest_rows(const std::map<int64_t, std::vector<uint32_t>>& by_device, size_t most) {
  std::vector<size_t> sizes;
  for (const auto& [id, rows] : by_device) sizes.push_back(rows.size());
  if (sizes.size() <= most) return 0;
  const auto last = sizes.begin() + static_cast<std::ptrdiff_t>(most - 1);
  std::nth_element(sizes.begin(), last, sizes.end(), std::greater<>());
  return *last;
}

// Recorders that lost an end or a start write zero, long before the call for it.
bool says_no_time(const trace::Trace& trace, const Correlations& correlations, size_t row) {
  constexpr int64_t kClocksDiffer = 1'000'000;
  const auto& rows = trace.activities;
  if (rows.start_ns[row] != 0) return false;
  const auto call = correlations.launch_of(row);
  return call && rows.start_ns[*call] > rows.end_ns(row) + kClocksDiffer;
}

}  // namespace

ActivityByDevice activity_by_device(const trace::Trace& trace,
                                    const std::vector<NameClass>& classes,
                                    const Correlations& correlations, size_t most) {
  ActivityByDevice result;
  std::map<int64_t, std::vector<uint32_t>> by_device;
  const auto& rows = trace.activities;
  for (size_t track = 0; track < trace.tracks.size(); ++track) {
    if (!trace.tracks[track].on_device()) continue;
    std::vector<uint32_t>& into = by_device[trace.tracks[track].device];
    for (size_t row = trace.first_of_track[track]; row < trace.first_of_track[track + 1]; ++row) {
      if (!occupies_device(rows.kind[row])) continue;
      if (says_no_time(trace, correlations, row)) {
        ++result.without_time;
      } else {
        into.push_back(static_cast<uint32_t>(row));
      }
    }
  }
  const size_t fewest = fewest_rows(by_device, most);
  for (auto& [id, in_order] : by_device) {
    if (in_order.size() < fewest || result.devices.size() == most) {
      result.left_out += in_order.empty() ? 0 : 1;
      continue;
    }
    std::stable_sort(in_order.begin(), in_order.end(),
                     [&](uint32_t a, uint32_t b) { return rows.start_ns[a] < rows.start_ns[b]; });
    DeviceActivity device = collect(trace, classes, std::move(in_order));
    device.id = id;
    if (!device.busy.empty()) result.devices.push_back(std::move(device));
  }
  return result;
}

}  // namespace batchscope::attribution
