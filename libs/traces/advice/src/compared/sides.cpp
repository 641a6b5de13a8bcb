#include "sides.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace batchscope::advice {
namespace {

using attribution::HostParts;
using attribution::kHostParts;
using attribution::kParts;
using attribution::Part;
using attribution::TimeParts;
using Times = std::vector<double>;  // by part: they sum to a wall

constexpr size_t kFewestToCut = 5;

void add(const Times& more, double weight, Times& to) {
  for (size_t i = 0; i < to.size(); ++i) to[i] += weight * more[i];
}

double sum(const Times& times) {
  return std::accumulate(times.begin(), times.end(), 0.0);
}

// A mean over the devices.
Times of_devices(const std::vector<TimeParts>& devices) {
  Times times(kParts);
  for (const TimeParts& parts : devices) {
    const Times own(parts.ns.begin(), parts.ns.end());
    add(own, 1.0 / static_cast<double>(devices.size()), times);
  }
  return times;
}

Times of_host(const HostParts& parts) {
  return {parts.ns.begin(), parts.ns.end()};
}

Times of_all(const TraceSummary& summary, Scale scale) {
  if (scale.what == Compared::host) return of_host(summary.host->parts);
  std::vector<TimeParts> devices;
  for (const auto& device : summary.attribution.devices) devices.push_back(device.parts);
  const Times times = of_devices(devices);
  if (scale.what == Compared::devices) return times;
  return {summary.host ? static_cast<double>(summary.host->wall_ns()) : sum(times)};
}

std::vector<Times> of_steps(const TraceSummary& summary, Scale scale) {
  std::vector<Times> steps;
  if (scale.what == Compared::host) {
    for (const auto& step : summary.host->steps) steps.push_back(of_host(step.parts));
    return steps;
  }
  for (const attribution::Step& step : summary.attribution.steps) {
    const bool of_device = scale.what == Compared::devices;
    steps.push_back(of_device ? of_devices(step.devices)
                              : Times{static_cast<double>(step.wall_ns())});
  }
  return steps;
}

std::vector<Times> without_edges(std::vector<Times> steps) {
  if (steps.size() < kFewestToCut) return steps;
  steps.pop_back();
  steps.erase(steps.begin());
  return steps;
}

// The step in the middle by length, or the two.
Times median_of(std::vector<Times> steps) {
  std::stable_sort(steps.begin(), steps.end(),
                   [](const Times& a, const Times& b) { return sum(a) < sum(b); });
  Times times(steps.front().size());
  add(steps[(steps.size() - 1) / 2], 0.5, times);
  add(steps[steps.size() / 2], 0.5, times);
  return times;
}

template <class Is>
bool all(const Files& files, Is is) {
  return std::all_of(files.begin(), files.end(), is);
}

bool has_host(const TraceSummary& file) {
  return file.host.has_value();
}

Compared what_of(const Files& before, const Files& after) {
  const auto has_device = [](const TraceSummary& file) {
    return !file.attribution.devices.empty();
  };
  if (all(before, has_device) && all(after, has_device)) return Compared::devices;
  return all(before, has_host) && all(after, has_host) ? Compared::host : Compared::host_wall;
}

// What the steps of a file are: recorded or named ones, what repeats on a device, or on the host.
// What is inferred on one side may be a part of what was recorded as a step on the other.
std::string kind_of_steps(const TraceSummary& file, Scale scale) {
  if (scale.what == Compared::host) return file.host->steps_named;
  const bool is_inferred = file.attribution.step_source == attribution::StepSource::inferred;
  return is_inferred ? "inferred" : "";
}

}  // namespace

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

size_t step_count(const TraceSummary& summary, Scale scale) {
  return scale.what == Compared::host ? summary.host->steps.size()
                                      : summary.attribution.steps.size();
}

Scale scale_of(const Files& before, const Files& after) {
  Scale scale;
  scale.what = what_of(before, after);
  const auto has_steps = [&](const TraceSummary& file) { return step_count(file, scale) > 0; };
  scale.by_step = all(before, has_steps) && all(after, has_steps) &&
                  kind_of_steps(before.front(), scale) == kind_of_steps(after.front(), scale);
  return scale;
}

Side side_of(const Files& files, Scale scale) {
  Side side;
  side.parts.resize(part_names(scale).size());
  const auto recordings = recordings_of(files);
  for (const auto& ranks : recordings) {
    Times own(side.parts.size());
    for (const TraceSummary* const rank : ranks) {
      const std::vector<Times> steps = of_steps(*rank, scale);
      const std::vector<Times> inner = without_edges(steps);
      add(scale.by_step ? median_of(inner) : of_all(*rank, scale),
          1.0 / static_cast<double>(ranks.size()), own);
      for (const Times& step : steps) side.step_walls.push_back(sum(step));
      for (const Times& step : inner) side.inner_walls.push_back(sum(step));
    }
    side.walls.push_back(sum(own));
    add(own, 1.0 / static_cast<double>(recordings.size()), side.parts);
  }
  side.wall_ns = sum(side.parts);
  side.files = files.size();
  return side;
}

// For readers: "idle data loading".
std::vector<std::string> part_names(Scale scale) {
  if (scale.what == Compared::host_wall) return {"all of the host"};
  std::vector<std::string> names;
  const bool of_host = scale.what == Compared::host;
  for (size_t i = 0; i < (of_host ? kHostParts : kParts); ++i) {
    const auto part = static_cast<Part>(i);
    names.push_back(of_host ? std::string(to_string(static_cast<attribution::HostPart>(i)))
                            : (is_idle(part) ? "idle " : "") + in_words(part));
  }
  return names;
}

}  // namespace batchscope::advice
