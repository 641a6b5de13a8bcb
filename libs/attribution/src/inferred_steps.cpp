#include "inferred_steps.hpp"

#include <algorithm>
#include <map>
#include <set>

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

}  // namespace

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

}  // namespace batchscope::attribution
