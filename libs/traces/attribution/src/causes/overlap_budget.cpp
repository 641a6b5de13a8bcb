#include "overlap_budget.hpp"

#include <algorithm>

namespace batchscope::attribution {

OverlapBudget::OverlapBudget(const std::vector<const std::vector<HostSpan>*>& members,
                             const Spans& idle) {
  std::vector<HostSpan> waits;
  for (const auto* const spans : members) {
    for (const HostSpan& each : *spans) {
      if (each.state == HostState::waits) waits.push_back(each);
    }
  }
  std::stable_sort(waits.begin(), waits.end(),
                   [](const HostSpan& a, const HostSpan& b) { return a.start_ns < b.start_ns; });
  // One by one: a file may hold many teams that hardly wait. Threads that wait at once wait once.
  int64_t counted_to = INT64_MIN;
  for (const HostSpan& wait : waits) {
    const Span span{std::max(wait.start_ns, counted_to), wait.end_ns};
    counted_to = std::max(counted_to, wait.end_ns);
    if (span.start_ns >= span.end_ns) continue;
    for (const Span& busy : without({span}, touching(idle, span.start_ns, span.end_ns))) {
      waited_.push_back({busy, wait.row});
    }
  }
}

void OverlapBudget::advance(int64_t to) {
  for (; next_ < waited_.size() && waited_[next_].span.start_ns < to; ++next_) {
    const auto& [span, row] = waited_[next_];
    const int64_t ns = std::min(span.end_ns, to) - std::max(span.start_ns, at_);
    if (ns > 0) left_.push_back({row, ns});
    if (span.end_ns > to) break;
  }
  at_ = std::max(at_, to);
}

std::vector<OverlapBudget::Taken> OverlapBudget::take(int64_t wanted_ns) {
  std::vector<Taken> taken;
  while (wanted_ns > 0 && !left_.empty()) {
    Taken& first = left_.front();
    const int64_t ns = std::min(first.ns, wanted_ns);
    taken.push_back({first.row, ns});
    wanted_ns -= ns;
    first.ns -= ns;
    if (first.ns == 0) left_.pop_front();
  }
  return taken;
}

}  // namespace batchscope::attribution
