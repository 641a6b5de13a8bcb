#include "top_level_repeats.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "batchscope/base/strings.hpp"

namespace batchscope::attribution {
namespace {

using base::contains_any_text;
using trace::ActivityKind;

// Ranges that people put around a whole loop.
constexpr std::array<std::string_view, 6> kLoops{"epoch", "loop",      "fit",
                                                 "main",  "benchmark", "profile"};

bool may_hold_one(const trace::Trace& trace, size_t row) {
  const std::string_view name = trace.name_of(row);
  switch (trace.activities.kind[row]) {
    case ActivityKind::range:
      return !contains_any_text(base::to_lower(name), kLoops);
    case ActivityKind::python:
      return name.starts_with("nn.Module: ") || name.ends_with(": forward");
    default:
      return false;
  }
}

// The calls that start the kernels at these places, in the order of the table.
std::vector<size_t> calls_of(const trace::Trace& trace, const std::vector<size_t>& kernels,
                             const std::vector<size_t>& places) {
  std::set<int64_t> wanted;
  for (const size_t place : places) wanted.insert(trace.activities.correlation[kernels[place]]);
  wanted.erase(-1);
  std::vector<size_t> calls;
  const auto& rows = trace.activities;
  for (size_t row = 0; row < rows.size(); ++row) {
    const bool is_call = rows.kind[row] == ActivityKind::runtime && rows.correlation[row] >= 0;
    if (is_call && wanted.erase(rows.correlation[row]) > 0) calls.push_back(row);
  }
  return calls;
}

// How many of the calls each range or module holds that holds any.
std::map<size_t, size_t> held_by(const trace::Trace& trace, const std::vector<size_t>& calls) {
  std::map<size_t, size_t> held;
  const auto& rows = trace.activities;
  std::vector<size_t> open;
  size_t row = 0;
  for (const size_t call : calls) {
    row = std::max(row, trace.first_of_track[rows.track[call]]);
    if (!open.empty() && rows.track[open.back()] != rows.track[call]) open.clear();
    for (; row < call; ++row) {
      if (may_hold_one(trace, row)) open.push_back(row);
    }
    std::erase_if(open, [&](size_t each) { return rows.end_ns(each) < rows.end_ns(call); });
    for (const size_t each : open) ++held[each];
  }
  return held;
}

using Counts = std::map<uint32_t, int64_t>;

// Of the kernels between two places, how many have no counterpart of their name in `cycle`.
int64_t apart_from(Counts cycle, const trace::Trace& trace, const std::vector<size_t>& kernels,
                   size_t first, size_t last) {
  int64_t apart = 0;
  for (size_t i = first; i < last; ++i) {
    apart += --cycle[trace.activities.name[kernels[i]]] < 0 ? 1 : 0;
  }
  return apart;
}

bool covers_all(const trace::Trace& trace, const std::vector<size_t>& kernels,
                const std::vector<size_t>& places) {
  Counts cycle;
  for (size_t i = places[0]; i < places[1]; ++i) ++cycle[trace.activities.name[kernels[i]]];
  const int64_t apart = apart_from(cycle, trace, kernels, 0, places.front()) +
                        apart_from(cycle, trace, kernels, places.back(), kernels.size());
  return 20 * apart <= static_cast<int64_t>(places[1] - places[0]);
}

}  // namespace

bool repeats_at_top_level(const trace::Trace& trace, const std::vector<size_t>& kernels,
                          const std::vector<size_t>& places) {
  const std::map<size_t, size_t> held = held_by(trace, calls_of(trace, kernels, places));
  const bool within_one =
      std::any_of(held.begin(), held.end(), [](const auto& each) { return each.second > 1; });
  if (within_one) return false;
  return 2 * held.size() >= places.size() || covers_all(trace, kernels, places);
}

}  // namespace batchscope::attribution
