#include "uncounted.hpp"

#include <algorithm>
#include <vector>

namespace batchscope::trace_simulator {
namespace {

struct RecordedStep {
  int64_t start_ns = 0;
  int64_t range_end_ns = 0;
  int64_t end_ns = 0;
};

std::vector<RecordedStep> recorded_steps(const Timeline& line) {
  std::vector<RecordedStep> steps;
  for (const HostEvent& event : line.host) {
    if (!event.name.starts_with("ProfilerStep#") || event.start_ns < line.recorded_from_ns) {
      continue;
    }
    steps.push_back({event.start_ns, event.end_ns, event.end_ns});
  }
  std::sort(steps.begin(), steps.end(),
            [](const RecordedStep& a, const RecordedStep& b) { return a.start_ns < b.start_ns; });
  for (size_t i = 0; i + 1 < steps.size(); ++i) steps[i].end_ns = steps[i + 1].start_ns;
  return steps;
}

int64_t median(std::vector<int64_t> values) {
  std::sort(values.begin(), values.end());
  return values[(values.size() - 1) / 2];
}

bool is_seen(const Timeline& line, const DeviceEvent& event) {
  return event.start_ns >= line.recorded_from_ns && !event.is_lost;
}

// The longest of `whole` in which nothing of the devices, and no range or call, is recorded.
Uncounted longest_hole(const Timeline& line, Uncounted full) {
  std::vector<Uncounted> recorded;
  for (const DeviceEvent& event : line.device) {
    if (is_seen(line, event)) recorded.push_back({event.start_ns, event.end_ns});
  }
  for (const HostEvent& event : line.host) {
    const bool is_around = event.start_ns < full.start_ns && event.end_ns > full.end_ns;
    if (!is_around) recorded.push_back({event.start_ns, event.end_ns});
  }
  std::sort(recorded.begin(), recorded.end(),
            [](const Uncounted& a, const Uncounted& b) { return a.start_ns < b.start_ns; });
  Uncounted longest{full.start_ns, full.start_ns};
  int64_t at = full.start_ns;
  const auto add = [&](int64_t until) {
    if (until - at > longest.end_ns - longest.start_ns) longest = {at, until};
  };
  for (const Uncounted& each : recorded) {
    add(std::min(each.start_ns, full.end_ns));
    at = std::max(at, each.end_ns);
  }
  add(full.end_ns);
  return longest;
}

std::vector<Uncounted> holes_between(const Timeline& line, std::vector<RecordedStep>& steps) {
  std::vector<int64_t> lengths;
  std::vector<int64_t> apart;
  for (size_t i = 0; i < steps.size(); ++i) {
    lengths.push_back(steps[i].range_end_ns - steps[i].start_ns);
    if (i + 1 < steps.size()) apart.push_back(steps[i + 1].start_ns - steps[i].range_end_ns);
  }
  std::vector<Uncounted> holes;
  for (size_t i = 0; i + 1 < steps.size(); ++i) {
    std::vector<int64_t> others = apart;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    const int64_t least = std::max(median(lengths), others.empty() ? 0 : 10 * median(others));
    if (apart[i] < least) continue;
    const Uncounted hole = longest_hole(line, {steps[i].range_end_ns, steps[i + 1].start_ns});
    if (hole.end_ns - hole.start_ns < least) continue;
    holes.push_back(hole);
    steps[i].end_ns = hole.start_ns;
    steps[i + 1].start_ns = hole.end_ns;
  }
  return holes;
}

// How long something runs that no other step does.
int64_t run_once_ns(const Timeline& line) {
  int64_t captures_from = 0;
  for (const HostEvent& event : line.host) {
    const bool runs_once =
        event.name == "_compile.compile_inner (dynamo_timed)" || event.name == "cuModuleLoadData";
    if (runs_once) return event.end_ns - event.start_ns;
    if (event.name == "cudaStreamBeginCapture") captures_from = event.start_ns;
    if (event.name == "cudaStreamEndCapture") return event.end_ns - captures_from;
  }
  return 0;
}

bool begins_slowly(const Timeline& line, const std::vector<RecordedStep>& steps) {
  std::vector<int64_t> others;
  for (size_t i = 1; i < steps.size(); ++i) others.push_back(steps[i].end_ns - steps[i].start_ns);
  const int64_t typical = median(others);
  const int64_t first = steps[0].end_ns - steps[0].start_ns;
  return first / 3 >= typical && run_once_ns(line) >= (first - typical) / 2;
}

// Of what the step calls, or of what runs in it where the call is not recorded.
size_t work_of(const Timeline& line, const RecordedStep& step) {
  return static_cast<size_t>(
      std::count_if(line.device.begin(), line.device.end(), [&](const DeviceEvent& event) {
        const bool knows_call = event.called_ns >= line.recorded_from_ns;
        const int64_t at = knows_call ? event.called_ns : event.start_ns;
        return is_seen(line, event) && at >= step.start_ns && at < step.end_ns;
      }));
}

int64_t done_in(const Timeline& line, const RecordedStep& step) {
  int64_t done = step.start_ns;
  for (const DeviceEvent& event : line.device) {
    if (is_seen(line, event) && event.start_ns < step.end_ns) done = std::max(done, event.end_ns);
  }
  return std::min(done, step.end_ns);
}

void add_steps_without_work(const Timeline& line, const std::vector<RecordedStep>& steps,
                            std::vector<Uncounted>& into) {
  std::vector<size_t> work;
  for (const RecordedStep& step : steps) work.push_back(work_of(line, step));
  std::vector<size_t> some = work;
  std::erase(some, size_t{0});
  if (some.empty()) return;
  std::sort(some.begin(), some.end());
  const size_t usual = some[some.size() / 2];
  for (size_t i = 0; i < steps.size(); ++i) {
    const int64_t done = done_in(line, steps[i]);
    if (20 * work[i] < usual && done < steps[i].end_ns) into.push_back({done, steps[i].end_ns});
  }
}

}  // namespace

std::vector<Uncounted> uncounted_of(const Timeline& line) {
  std::vector<RecordedStep> steps = recorded_steps(line);
  if (steps.size() < 2) return {};
  std::vector<Uncounted> uncounted = holes_between(line, steps);
  if (begins_slowly(line, steps)) {
    uncounted.push_back({steps[0].start_ns, steps[0].end_ns});
    steps.erase(steps.begin());
  }
  if (steps.size() >= 2) add_steps_without_work(line, steps, uncounted);
  std::sort(uncounted.begin(), uncounted.end(),
            [](const Uncounted& a, const Uncounted& b) { return a.start_ns < b.start_ns; });
  return uncounted;
}

}  // namespace batchscope::trace_simulator
