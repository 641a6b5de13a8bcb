#include "losses.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace batchscope::trace_simulator {
namespace {

bool is_graph(const Timeline& line, int64_t correlation) {
  return std::any_of(line.host.begin(), line.host.end(), [&](const HostEvent& event) {
    return event.correlation == correlation && event.name == "cudaGraphLaunch";
  });
}

// Numbers of the calls that start kernels, in their order.
std::vector<int64_t> launches_of(const Timeline& line) {
  std::set<int64_t> calls;
  for (const DeviceEvent& event : line.device) {
    if (event.kind == DeviceKind::kernel) calls.insert(event.correlation);
  }
  return {calls.begin(), calls.end()};
}

std::set<int64_t> drawn_of(const std::vector<int64_t>& calls, double share, Random& random) {
  std::set<int64_t> drawn;
  for (const int64_t call : calls) {
    if (random.chance(share)) drawn.insert(call);
  }
  return drawn;
}

int64_t moment_of(const Timeline& line, Random& random) {
  int64_t last = 0;
  for (const DeviceEvent& event : line.device) last = std::max(last, event.end_ns);
  const auto first = static_cast<double>(std::max<int64_t>(0, line.recorded_from_ns));
  return static_cast<int64_t>(random.uniform(first, static_cast<double>(last)));
}

std::set<int64_t> lost_calls(Loss loss, Random& random, const Timeline& line) {
  const std::vector<int64_t> calls = launches_of(line);
  if (loss == Loss::some) return drawn_of(calls, random.log_uniform(0.005, 0.5), random);
  if (loss == Loss::time) return drawn_of(calls, random.log_uniform(0.005, 0.5), random);
  std::set<int64_t> lost;
  if (loss == Loss::graphs) {
    for (const int64_t call : calls) {
      if (is_graph(line, call)) lost.insert(call);
    }
  }
  if (loss == Loss::run) {
    const int last = static_cast<int>(calls.size()) - 1;
    const int from = random.full(0, last);
    lost.insert(calls.begin() + from, calls.begin() + random.full(from, last));
  }
  if (loss == Loss::end || loss == Loss::begin) {
    const int64_t moment = moment_of(line, random);
    for (const DeviceEvent& event : line.device) {
      const bool is_later = event.end_ns > moment;
      if (is_later == (loss == Loss::end)) lost.insert(event.correlation);
    }
  }
  return lost;
}

bool keeps_some_of_each(const Timeline& line) {
  std::map<int, int> kept;
  for (const DeviceEvent& event : line.device) {
    const bool is_kept = !event.is_lost && event.start_ns >= line.recorded_from_ns;
    kept[event.place.device] += is_kept ? 1 : 0;
  }
  return std::all_of(kept.begin(), kept.end(), [](const auto& each) { return each.second > 0; });
}

}  // namespace

void lose(Loss loss, Random& random, Timeline& line) {
  if (loss == Loss::none || line.device.empty()) return;
  const std::set<int64_t> lost = lost_calls(loss, random, line);
  for (DeviceEvent& event : line.device) {
    event.is_lost = lost.contains(event.correlation);
    event.lacks_time = event.is_lost && loss == Loss::time;
  }
  if (keeps_some_of_each(line)) return;
  for (DeviceEvent& event : line.device) event.is_lost = event.lacks_time = false;
}

}  // namespace batchscope::trace_simulator
