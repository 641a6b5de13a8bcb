#include "innermost.hpp"

#include <algorithm>

namespace batchscope::attribution {

using trace::ActivityKind;

Innermost::Innermost(const trace::Trace& trace, const std::vector<NameClass>& classes,
                     uint32_t track)
    : trace_(trace),
      classes_(classes),
      track_(track),
      next_(trace.first_of_track[track]),
      open_names_(trace.names.size()) {}

const std::vector<Innermost::Part>& Innermost::within(Span span, int64_t gap) {
  gap_ = gap;
  parts_.clear();
  if (span.start_ns < now_) {
    while (!open_.empty()) close();
    next_ = trace_.first_of_track[track_];
    now_ = INT64_MIN;
  }
  go_to(span.start_ns, false);
  go_to(span.end_ns, true);
  return parts_;
}

std::map<uint32_t, Innermost::Around> Innermost::around() const {
  std::map<uint32_t, Around> all = closed_;
  std::map<uint32_t, int> seen;
  for (size_t depth = 0; depth < open_.size(); ++depth) {
    // Of a function that calls itself the outermost counts.
    if (seen[trace_.activities.name[open_[depth].row]]++ == 0) count(open_[depth], depth, all);
  }
  return all;
}

void Innermost::go_to(int64_t time, bool asked) {
  const auto& rows = trace_.activities;
  const size_t last = trace_.first_of_track[track_ + 1];
  while (now_ < time) {
    while (!open_.empty() && rows.end_ns(open_.back().row) <= now_) close();
    while (next_ < last && rows.start_ns[next_] <= now_) open(static_cast<uint32_t>(next_++));
    while (!open_.empty() && rows.end_ns(open_.back().row) <= now_) close();
    int64_t until = time;
    if (next_ < last) until = std::min(until, rows.start_ns[next_]);
    if (!open_.empty()) until = std::min(until, rows.end_ns(open_.back().row));
    if (asked) {
      asked_ns_ += until - now_;
      count_gap();
      parts_.push_back({{now_, until}, open_.empty() ? trace::kNone : open_.back().row});
    }
    now_ = until;
  }
}

void Innermost::open(uint32_t row) {
  const auto& rows = trace_.activities;
  const bool is_reported = on_host(rows.kind[row]) && rows.kind[row] != ActivityKind::overhead &&
                           !classes_[rows.name[row]].is_recorded_step;
  if (!is_reported || rows.duration_ns[row] == 0) return;
  while (!open_.empty() && rows.end_ns(open_.back().row) <= rows.start_ns[row]) close();
  open_.push_back({.row = row, .asked_before_ns = asked_ns_});
  ++open_names_[rows.name[row]];
}

void Innermost::count_gap() {
  for (Open& each : open_) {
    if (each.last_gap == gap_) continue;
    if (each.gaps++ == 0) each.first_gap = gap_;
    each.last_gap = gap_;
  }
}

void Innermost::close() {
  const Open last = open_.back();
  open_.pop_back();
  if (--open_names_[trace_.activities.name[last.row]] == 0) count(last, open_.size(), closed_);
}

void Innermost::count(const Open& each, size_t depth, std::map<uint32_t, Around>& into) const {
  const int64_t ns = asked_ns_ - each.asked_before_ns;
  if (ns == 0) return;
  Around& around = into[trace_.activities.name[each.row]];
  around.ns += ns;
  around.depth = std::max(around.depth, depth + 1);
  around.row = each.row;
  ++around.calls;
  around.gaps += each.gaps - (around.last_gap == each.first_gap ? 1 : 0);
  around.last_gap = each.last_gap;
}

}  // namespace batchscope::attribution
