#include "steps.hpp"

#include <algorithm>
#include <map>

#include "batchscope/base/parse_number.hpp"
#include "inferred_steps.hpp"

namespace batchscope::attribution {
namespace {

using trace::ActivityKind;

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
void set_apart(std::vector<Step>& steps) {
  std::vector<Step> apart;
  for (Step& step : steps) {
    if (step.end_ns <= step.start_ns) continue;
    if (!apart.empty() && step.start_ns < apart.back().end_ns) {
      // Rounding makes ends overlap a little; a range that begins well within is none.
      const int64_t length = apart.back().end_ns - apart.back().start_ns;
      if (apart.back().end_ns - step.start_ns > length / 10) continue;
    }
    if (!apart.empty()) apart.back().end_ns = step.start_ns;
    apart.push_back(std::move(step));
  }
  for (size_t i = 0; i < apart.size(); ++i) {
    if (apart[i].number < 0) apart[i].number = static_cast<int64_t>(i);
  }
  steps = std::move(apart);
}

}  // namespace

StepRanges find_steps(const trace::Trace& trace, const std::vector<NameClass>& classes,
                      const std::string& prefix) {
  StepRanges found;
  if (!prefix.empty()) {
    found.steps =
        ranges(trace, [&](uint32_t name) { return trace.names[name].starts_with(prefix); });
    found.source = StepSource::named;
    set_apart(found.steps);
  }
  if (found.steps.empty()) {
    found.steps = ranges(trace, [&](uint32_t name) { return classes[name].is_recorded_step; });
    found.source = StepSource::recorded;
    set_apart(found.steps);
  }
  if (found.steps.empty()) {
    found.steps = inferred_steps(trace);
    found.source = StepSource::inferred;
  }
  if (found.steps.empty()) found.source = StepSource::none;
  return found;
}

}  // namespace batchscope::attribution
