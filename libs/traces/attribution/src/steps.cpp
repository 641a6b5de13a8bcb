#include "steps.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "batchscope/base/parse_number.hpp"
#include "top_level_repeats.hpp"

namespace batchscope::attribution {
namespace {

using trace::ActivityKind;

constexpr size_t kFewestRuns = 4;     // of the kernel that marks the steps
constexpr double kAlike = 0.9;        // of the kernels of a step and the next
constexpr size_t kMostMarks = 50;     // names that are tried
constexpr size_t kFewestKernels = 8;  // of a step

// Rows of the kernels of one stream, in the order of time.
std::vector<size_t> kernels_of_busiest_stream(const trace::Trace& trace) {
  std::vector<size_t> busiest;
  const auto& rows = trace.activities;
  for (size_t track = 0; track < trace.tracks.size(); ++track) {
    if (!trace.tracks[track].on_device()) continue;
    std::vector<size_t> kernels;
    for (size_t row = trace.first_of_track[track]; row < trace.first_of_track[track + 1]; ++row) {
      if (rows.kind[row] == ActivityKind::kernel) kernels.push_back(row);
    }
    if (kernels.size() > busiest.size()) busiest = std::move(kernels);
  }
  return busiest;
}

// Each is about as far from the next as all others are.
bool come_regularly(const std::vector<size_t>& places) {
  std::vector<size_t> apart;
  for (size_t i = 1; i < places.size(); ++i) apart.push_back(places[i] - places[i - 1]);
  const auto [least, most] = std::minmax_element(apart.begin(), apart.end());
  return *most - *least <= 1 + *most / 50;
}

// Whether what follows each place is what follows the next one.
bool repeat(const trace::Trace& trace, const std::vector<size_t>& kernels,
            const std::vector<size_t>& places) {
  size_t alike = 0;
  size_t all = 0;
  for (size_t i = 0; i + 2 < places.size(); ++i) {
    const size_t length = std::min(places[i + 1] - places[i], places[i + 2] - places[i + 1]);
    for (size_t k = 0; k < length; ++k) {
      const auto name = [&](size_t at) { return trace.activities.name[kernels[at]]; };
      alike += name(places[i] + k) == name(places[i + 1] + k) ? 1U : 0U;
      ++all;
    }
  }
  return static_cast<double>(alike) >= kAlike * static_cast<double>(all);
}

// Whether a call starts each of them: what one graph repeats within itself are no steps.
bool are_started_apart(const trace::Trace& trace, const std::vector<size_t>& kernels,
                       const std::vector<size_t>& places) {
  std::set<int64_t> calls;
  size_t known = 0;
  for (const size_t place : places) {
    const int64_t correlation = trace.activities.correlation[kernels[place]];
    if (correlation < 0) continue;
    ++known;
    calls.insert(correlation);
  }
  return calls.size() == known;
}

// Steps of a trace that names none: where the kernels of the busiest stream come again in the same
// order, at least four times. A step lasts from one run of the kernel that is rarest to the next.
// Empty where nothing repeats.
std::vector<Step> inferred_steps(const trace::Trace& trace) {
  const std::vector<size_t> kernels = kernels_of_busiest_stream(trace);
  std::map<uint32_t, std::vector<size_t>> places_of;  // name -> indices into `kernels`
  for (size_t i = 0; i < kernels.size(); ++i) {
    places_of[trace.activities.name[kernels[i]]].push_back(i);
  }
  std::vector<const std::vector<size_t>*> marks;
  for (const auto& [name, places] : places_of) {
    if (places.size() >= kFewestRuns) marks.push_back(&places);
  }
  std::stable_sort(marks.begin(), marks.end(), [](const auto* a, const auto* b) {
    return std::pair(a->size(), a->front()) < std::pair(b->size(), b->front());
  });
  if (marks.size() > kMostMarks) marks.resize(kMostMarks);
  for (const std::vector<size_t>* const places : marks) {
    if (places->size() * kFewestKernels > kernels.size()) continue;
    if (!come_regularly(*places) || !repeat(trace, kernels, *places)) continue;
    if (!are_started_apart(trace, kernels, *places)) continue;
    if (!repeats_at_top_level(trace, kernels, *places)) continue;
    std::vector<Step> steps;
    for (size_t i = 0; i + 1 < places->size(); ++i) {
      Step step;
      step.number = static_cast<int64_t>(i);
      step.name = "step";
      step.start_ns = trace.activities.start_ns[kernels[(*places)[i]]];
      step.end_ns = trace.activities.start_ns[kernels[(*places)[i + 1]]];
      if (step.end_ns > step.start_ns) steps.push_back(std::move(step));
    }
    return steps;
  }
  return {};
}

// 552 of "ProfilerStep#552"; -1 where no number stands at the end.
int64_t number_at_end(std::string_view name) {
  const size_t last = name.find_last_not_of("0123456789");
  const size_t first = last == std::string_view::npos ? 0 : last + 1;
  return base::parse_number<int64_t>(name.substr(first)).value_or(-1);
}

bool may_be_a_step(ActivityKind kind) {
  return kind == ActivityKind::range || kind == ActivityKind::op;
}

template <class Wanted>
std::vector<Step> ranges(const trace::Trace& trace, Wanted wanted) {
  std::vector<Step> steps;
  const auto& rows = trace.activities;
  for (size_t row = 0; row < rows.size(); ++row) {
    if (!may_be_a_step(rows.kind[row]) || !wanted(rows.name[row])) continue;
    Step step;
    step.name = trace.name_of(row);
    step.number = number_at_end(step.name);
    step.start_ns = rows.start_ns[row];
    step.end_ns = rows.end_ns(row);
    steps.push_back(std::move(step));
  }
  std::stable_sort(steps.begin(), steps.end(),
                   [](const Step& a, const Step& b) { return a.start_ns < b.start_ns; });
  return steps;
}

// Each lasts until the next begins. One that lies within another, as ranges of several threads do,
// is the other's.
void set_apart(StepRanges& ranges) {
  std::vector<Step> apart;
  std::vector<int64_t>& ends = ranges.range_ends;
  ends.clear();
  for (Step& step : ranges.steps) {
    if (step.end_ns <= step.start_ns) continue;
    if (!apart.empty() && step.start_ns < apart.back().end_ns) {
      // Rounding makes ends overlap a little; a range that begins well within is none.
      const int64_t length = apart.back().end_ns - apart.back().start_ns;
      if (apart.back().end_ns - step.start_ns > length / 10) continue;
    }
    if (!apart.empty()) apart.back().end_ns = step.start_ns;
    ends.push_back(step.end_ns);
    apart.push_back(std::move(step));
  }
  for (size_t i = 0; i < apart.size(); ++i) {
    if (apart[i].number < 0) apart[i].number = static_cast<int64_t>(i);
  }
  ranges.steps = std::move(apart);
}

}  // namespace

StepRanges find_steps(const trace::Trace& trace, const std::vector<NameClass>& classes,
                      const std::string& prefix) {
  StepRanges found;
  if (!prefix.empty()) {
    found.steps =
        ranges(trace, [&](uint32_t name) { return trace.names[name].starts_with(prefix); });
    found.source = StepSource::named;
    set_apart(found);
  }
  if (found.steps.empty()) {
    found.steps = ranges(trace, [&](uint32_t name) { return classes[name].is_recorded_step; });
    found.source = StepSource::recorded;
    set_apart(found);
  }
  if (found.steps.empty()) {
    found.steps = inferred_steps(trace);
    found.source = StepSource::inferred;
  }
  if (found.steps.empty()) found.source = StepSource::none;
  return found;
}

}  // namespace batchscope::attribution
