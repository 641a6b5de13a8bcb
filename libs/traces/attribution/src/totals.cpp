#include "batchscope/attribution/totals.hpp"

#include <algorithm>
#include <limits>

#include "activity/index_found.hpp"
#include "batchscope/base/capped_sum.hpp"

namespace batchscope::attribution {
namespace {

using base::capped_sum;
using trace::ActivityKind;

bool is_counted(ActivityKind kind) {
  return occupies_device(kind) || (on_host(kind) && kind != ActivityKind::python);
}

// A row of the result for each kind and name that occurs.
class Rows {
 public:
  Rows(const trace::Trace& trace, const std::vector<NameClass>& classes)
      : trace_(trace), classes_(classes) {
    slots_.resize(kKinds * trace.names.size(), trace::kNone);
  }

  Total& of(size_t row) {
    const auto kind = static_cast<size_t>(trace_.activities.kind[row]);
    uint32_t& slot = slots_[kind * trace_.names.size() + trace_.activities.name[row]];
    if (slot == trace::kNone) {
      slot = static_cast<uint32_t>(totals.size());
      Total& total = totals.emplace_back();
      total.name = trace_.name_of(row);
      total.kind = trace_.activities.kind[row];
      total.communicates =
          total.kind == ActivityKind::kernel && classes_[trace_.activities.name[row]].communicates;
    }
    return totals[slot];
  }

  std::vector<Total> totals;

 private:
  static constexpr size_t kKinds = static_cast<size_t>(ActivityKind::overhead) + 1;

  const trace::Trace& trace_;
  const std::vector<NameClass>& classes_;
  std::vector<uint32_t> slots_;
};

bool lies_in(int64_t start_ns, Span steps) {
  return start_ns >= steps.start_ns && start_ns < steps.end_ns;
}

void add_device_row(const trace::Trace& trace, size_t row, Span steps, Total& total) {
  const int64_t duration = trace.activities.duration_ns[row];
  if (total.calls == 0) {
    if (const auto* copy = trace.copy_of(row)) total.copy = *copy;
  }
  ++total.calls;
  if (lies_in(trace.activities.start_ns[row], steps)) {
    ++total.calls_in_steps;
    total.in_steps_ns = capped_sum(total.in_steps_ns, duration);
  }
  total.total_ns = capped_sum(total.total_ns, duration);
  total.self_ns = total.total_ns;
  if (const auto* copy = trace.copy_of(row)) total.bytes = capped_sum(total.bytes, copy->bytes);
  const bool is_longest = total.calls == 1 || duration > total.longest_ns;
  if (const auto* launch = trace.launch_of(row)) {
    total.communicates = total.communicates || launch->is_collective;
    if (is_longest) total.launch = *launch;
  }
  total.longest_ns = std::max(total.longest_ns, duration);
}

// Goes through one thread and gives every moment to the innermost open activity, so that nothing is
// counted twice, even where one outlasts the one that it began in.
class ThreadWalk {
 public:
  ThreadWalk(const trace::Trace& trace, Span steps, Rows& rows)
      : trace_(trace), steps_(steps), rows_(rows) {}

  void open(size_t row) {
    advance(trace_.activities.start_ns[row]);
    Total& total = rows_.of(row);
    const auto index = static_cast<size_t>(&total - rows_.totals.data());
    const int64_t duration = trace_.activities.duration_ns[row];
    ++total.calls;
    total.calls_in_steps += lies_in(trace_.activities.start_ns[row], steps_) ? 1 : 0;
    total.longest_ns = std::max(total.longest_ns, duration);
    if (open_times_.size() < rows_.totals.size()) open_times_.resize(rows_.totals.size());
    if (open_times_[index]++ == 0) total.total_ns = capped_sum(total.total_ns, duration);
    open_.push_back({trace_.activities.end_ns(row), index});
  }

  void finish() { advance(std::numeric_limits<int64_t>::max()); }

 private:
  struct Open {
    int64_t end_ns;
    size_t total;
  };

  void advance(int64_t to) {
    while (!open_.empty() && now_ <= to) {
      const Open innermost = open_.back();
      const int64_t until = std::min(innermost.end_ns, to);
      if (until > now_) {
        Total& total = rows_.totals[innermost.total];
        total.self_ns = capped_sum(total.self_ns, until - now_);
        total.in_steps_ns = capped_sum(total.in_steps_ns, of_steps(until));
        now_ = until;
      }
      if (innermost.end_ns > now_) break;
      --open_times_[innermost.total];
      open_.pop_back();
    }
    now_ = std::max(now_, to);
  }

  // Of the time from now on.
  int64_t of_steps(int64_t until) const {
    return std::max<int64_t>(0, std::min(until, steps_.end_ns) - std::max(now_, steps_.start_ns));
  }

  const trace::Trace& trace_;
  Span steps_;
  Rows& rows_;
  std::vector<Open> open_;
  std::vector<int32_t> open_times_;  // by row of the result: how many are open
  int64_t now_ = std::numeric_limits<int64_t>::min();
};

}  // namespace

std::vector<Total> totals(const TraceIndex& index, Span steps) {
  const trace::Trace& trace = index.trace();
  Rows rows(trace, index.found().classes);
  for (size_t track = 0; track < trace.tracks.size(); ++track) {
    ThreadWalk walk(trace, steps, rows);
    for (size_t row = trace.first_of_track[track]; row < trace.first_of_track[track + 1]; ++row) {
      const ActivityKind kind = trace.activities.kind[row];
      if (!is_counted(kind)) continue;
      if (occupies_device(kind)) {
        add_device_row(trace, row, steps, rows.of(row));
      } else {
        walk.open(row);
      }
    }
    walk.finish();
  }
  std::sort(rows.totals.begin(), rows.totals.end(), [](const Total& a, const Total& b) {
    return a.self_ns != b.self_ns ? a.self_ns > b.self_ns : a.name < b.name;
  });
  return std::move(rows.totals);
}

}  // namespace batchscope::attribution
