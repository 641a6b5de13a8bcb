#include "sides.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace batchscope::advice {
namespace {

using attribution::kParts;
using attribution::Part;
using attribution::TimeParts;
using Times = std::vector<double>;

constexpr size_t kFewestToCut = 5;

Times zeros(Scale scale) {
  return Times(scale.of_host ? 2 : kParts);
}

void add(const Times& more, double weight, Times& to) {
  for (size_t i = 0; i < to.size(); ++i) to[i] += weight * more[i];
}

// A mean over the devices.
Times of_devices(const std::vector<TimeParts>& devices) {
  Times times(kParts);
  for (const TimeParts& parts : devices) {
    for (size_t i = 0; i < kParts; ++i) {
      times[i] += static_cast<double>(parts.ns[i]) / static_cast<double>(devices.size());
    }
  }
  return times;
}

// Loading, and all else.
Times of_host(int64_t wall_ns, int64_t loading_ns) {
  const int64_t loading = std::min(loading_ns, wall_ns);
  return {static_cast<double>(loading), static_cast<double>(wall_ns - loading)};
}

Times of_step(const TraceSummary& summary, size_t number, Scale scale) {
  const attribution::Step& step = summary.attribution.steps[number];
  if (!scale.of_host) return of_devices(step.devices);
  const auto& loading = summary.loading.in_steps;
  return of_host(step.wall_ns(), number < loading.size() ? loading[number] : 0);
}

// The step in the middle by length, or the two.
Times of_median_step(const TraceSummary& summary, Scale scale) {
  std::vector<size_t> steps = counted_steps(summary);
  std::stable_sort(steps.begin(), steps.end(), [&](size_t a, size_t b) {
    return summary.attribution.steps[a].wall_ns() < summary.attribution.steps[b].wall_ns();
  });
  Times times = zeros(scale);
  for (const size_t at : {(steps.size() - 1) / 2, steps.size() / 2}) {
    add(of_step(summary, steps[at], scale), 0.5, times);
  }
  return times;
}

Times of_whole(const TraceSummary& summary, Scale scale) {
  if (scale.of_host) return of_host(summary.loading.host.length_ns(), summary.loading.all_ns);
  std::vector<TimeParts> devices;
  for (const auto& device : summary.attribution.devices) devices.push_back(device.parts);
  return of_devices(devices);
}

double sum(const Times& times) {
  return std::accumulate(times.begin(), times.end(), 0.0);
}

// The files of each recording: the k-th file of every rank.
std::vector<std::vector<const TraceSummary*>> recordings_of(const Files& files) {
  std::vector<std::vector<const TraceSummary*>> recordings;
  std::map<int, size_t> seen;
  for (const TraceSummary& file : files) {
    const size_t at = seen[file.rank.value_or(-1)]++;
    if (at == recordings.size()) recordings.emplace_back();
    recordings[at].push_back(&file);
  }
  return recordings;
}

}  // namespace

std::vector<size_t> counted_steps(const TraceSummary& summary) {
  const size_t all = summary.attribution.steps.size();
  std::vector<size_t> steps(all);
  std::iota(steps.begin(), steps.end(), size_t{0});
  if (all < kFewestToCut) return steps;
  steps.pop_back();
  steps.erase(steps.begin());
  return steps;
}

Side side_of(const Files& files, Scale scale) {
  Side side;
  side.parts = zeros(scale);
  const auto recordings = recordings_of(files);
  for (const auto& ranks : recordings) {
    Times own = zeros(scale);
    for (const TraceSummary* const rank : ranks) {
      const Times times = scale.by_step ? of_median_step(*rank, scale) : of_whole(*rank, scale);
      add(times, 1.0 / static_cast<double>(ranks.size()), own);
      side.steps += static_cast<int64_t>(rank->attribution.steps.size());
    }
    side.walls.push_back(sum(own));
    add(own, 1.0 / static_cast<double>(recordings.size()), side.parts);
  }
  side.wall_ns = sum(side.parts);
  return side;
}

// For readers: "idle data loading".
std::vector<std::string> part_names(Scale scale) {
  if (scale.of_host) return {"loading data", "everything else"};
  std::vector<std::string> names;
  for (size_t i = 0; i < kParts; ++i) {
    const auto part = static_cast<Part>(i);
    names.push_back((is_idle(part) ? "idle " : "") + in_words(part));
  }
  return names;
}

}  // namespace batchscope::advice
