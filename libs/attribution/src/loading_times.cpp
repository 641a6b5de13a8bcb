#include "batchscope/attribution/loading_times.hpp"

#include <algorithm>

#include "activity/index_found.hpp"

namespace batchscope::attribution {
namespace {

using trace::ActivityKind;

bool loads(const trace::Trace& trace, const std::vector<NameClass>& classes, size_t row) {
  const NameClass& name = classes[trace.activities.name[row]];
  const ActivityKind kind = trace.activities.kind[row];
  if (kind == ActivityKind::python) return name.loads_data_in_python;
  return name.loads_data && (kind == ActivityKind::op || kind == ActivityKind::range);
}

bool is_a_step(const trace::Trace& trace, const std::vector<Step>& steps, size_t row) {
  return !steps.empty() && trace.activities.start_ns[row] == steps.front().start_ns &&
         trace.name_of(row) == steps.front().name;
}

Span joined(Span all, int64_t start_ns, int64_t end_ns) {
  if (all.length_ns() == 0) return {start_ns, end_ns};
  return {std::min(all.start_ns, start_ns), std::max(all.end_ns, end_ns)};
}

// Of one thread.
struct Loading {
  Spans spans;
  bool has_steps = false;
};

Loading loading_of(const trace::Trace& trace, const std::vector<NameClass>& classes, size_t track,
                   const std::vector<Step>& steps, Span& host) {
  Loading loading;
  std::vector<Span> spans;
  const auto& rows = trace.activities;
  for (size_t row = trace.first_of_track[track]; row < trace.first_of_track[track + 1]; ++row) {
    if (!on_host(rows.kind[row]) || rows.kind[row] == ActivityKind::overhead) continue;
    host = joined(host, rows.start_ns[row], rows.end_ns(row));
    loading.has_steps = loading.has_steps || is_a_step(trace, steps, row);
    if (loads(trace, classes, row)) spans.push_back({rows.start_ns[row], rows.end_ns(row)});
  }
  loading.spans = united(std::move(spans));
  return loading;
}

}  // namespace

LoadingTimes loading_times(const TraceIndex& index, const std::vector<Step>& steps) {
  const trace::Trace& trace = index.trace();
  LoadingTimes times;
  Loading best;
  for (size_t track = 0; track < trace.tracks.size(); ++track) {
    if (trace.tracks[track].on_device()) continue;
    Loading loading = loading_of(trace, index.found().classes, track, steps, times.host);
    const bool is_longer = length_ns(loading.spans) > length_ns(best.spans);
    const bool is_better = loading.has_steps == best.has_steps ? is_longer : loading.has_steps;
    if (is_better) best = std::move(loading);
  }
  times.all_ns = length_ns(best.spans);
  for (const Step& step : steps) {
    const Spans near = touching(best.spans, step.start_ns, step.end_ns);
    times.in_steps.push_back(overlap_ns(near, {{step.start_ns, step.end_ns}}));
  }
  return times;
}

}  // namespace batchscope::attribution
